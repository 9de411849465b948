import EnclaveWire
import KeyEnvelopes
import Protection
import Secrets

/// Items' own passwords, each for one opening or making over one connection, in locked memory until then, until the
/// connection ends, or until a lock.
///
/// The enclave's locked memory is one slab, which never grows. Each password takes one block of the same size, and all
/// of them a quarter of it: whatever is given here, the passcode, class keys and replies have theirs.
struct GivenPasswords {
    /// One call of Apple's API may be about twenty items.
    static let limitOfConnection = 32
    static let limit = 128
    /// The longest password that a request carries.
    static let blockByteCount = EnclaveLimits.passcode

    /// One of them.
    final class Given {
        let bytes: SecretBytes
        let connection: UInt64
        let item: Identifier

        init(_ password: borrowing SecretBytes, connection: UInt64, item: Identifier) throws(SecretMemoryError) {
            var block = try SecretBuffer(capacity: GivenPasswords.blockByteCount)
            try block.append(password)
            bytes = block.finish()
            self.connection = connection
            self.item = item
        }
    }

    /// Stands for the next item that a connection makes.
    private static let next = Identifier(high: 0, low: 0)
    private var given: [Given] = []

    /// Makes room for one more: a connection's oldest gives way to its own, and, where all together have as many as
    /// there may be, the oldest of the connection that has most.
    mutating func makeRoom(for connection: UInt64, _ item: Identifier) {
        given.removeAll { $0.connection == connection && $0.item == item }
        if given.count(where: { $0.connection == connection }) >= Self.limitOfConnection {
            removeOldest(of: connection)
        }
        guard given.count >= Self.limit else { return }
        var counts: [UInt64: Int] = [:]
        for one in given { counts[one.connection, default: 0] += 1 }
        let most = counts.values.max()
        guard let first = given.first(where: { counts[$0.connection] == most }) else { return }
        removeOldest(of: first.connection)
    }

    private mutating func removeOldest(of connection: UInt64) {
        if let oldest = given.firstIndex(where: { $0.connection == connection }) { given.remove(at: oldest) }
    }

    mutating func insert(_ new: Given) { given.append(new) }

    /// How many wait.
    var count: Int { given.count }

    /// - Parameter forMaking: then that of the next item will do.
    func find(_ connection: UInt64, _ item: Identifier, forMaking: Bool = false) -> Given? {
        let own = given.last { $0.connection == connection && $0.item == item }
        return own ?? (forMaking ? given.last { $0.connection == connection && $0.item == Self.next } : nil)
    }

    mutating func remove(_ connection: UInt64, _ item: Identifier, forMaking: Bool = false) {
        guard let used = find(connection, item, forMaking: forMaking) else { return }
        given.removeAll { $0 === used }
    }

    mutating func removeAll() { given.removeAll() }

    mutating func removeAll(of connection: UInt64) { given.removeAll { $0.connection == connection } }
}
