import Envelopes
import Protection
import Secrets
import Wire

/// Items' own passwords, each for one opening or making over one connection, in locked memory until then or a lock.
struct GivenPasswords {
    /// One call of Apple's API may be about twenty items.
    private static let limitOfConnection = 32
    private static let limit = 256

    /// One of them.
    final class Given {
        let bytes: SecretBytes
        let connection: UInt64
        let item: Identifier

        init(_ bytes: consuming SecretBytes, connection: UInt64, item: Identifier) {
            self.bytes = bytes
            self.connection = connection
            self.item = item
        }
    }

    /// Stands for the next item that a connection makes.
    private static let next = Identifier(high: 0, low: 0)
    private var given: [Given] = []

    /// A connection's oldest gives way to its own, and to nobody else's.
    ///
    /// - Throws: `badRequest` where all connections together gave as many as there may be.
    mutating func insert(_ new: Given) throws(EnclaveRefusal) {
        given.removeAll { $0.connection == new.connection && $0.item == new.item }
        if given.count(where: { $0.connection == new.connection }) >= Self.limitOfConnection,
            let oldest = given.firstIndex(where: { $0.connection == new.connection })
        {
            given.remove(at: oldest)
        }
        guard given.count < Self.limit else { throw .badRequest }
        given.append(new)
    }

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
}

extension Device where Clock: ~Copyable {
    mutating func giveItemPassword(_ password: borrowing ItemPassword) throws(EnclaveRefusal) {
        guard lockState != .beforeFirstUnlock else { throw .locked }
        guard password.password.count > 0 else { throw .badRequest }
        let copy: SecretBytes
        do { copy = try password.password.copy() } catch { throw .outOfMemory }
        try passwords.insert(
            GivenPasswords.Given(copy, connection: password.connection, item: password.item))
    }
}

extension Device where Clock: ~Copyable {
    /// A key was made: the password that it was made by is used up.
    mutating func usedPassword(_ encoded: [UInt8], _ connection: UInt64) {
        guard let binding = try? decode(encoded), binding.hasPassword else { return }
        passwords.remove(connection, binding.item, forMaking: true)
    }
}
