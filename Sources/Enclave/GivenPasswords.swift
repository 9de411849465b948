import Protection
import Secrets
import Wire

/// Items' own passwords, each for one opening or making over one connection, in locked memory until then or a lock.
struct GivenPasswords {
    private static let limit = 16

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

    /// The oldest gives way, and the one before for the same.
    mutating func insert(_ new: Given) {
        given.removeAll { $0.connection == new.connection && $0.item == new.item }
        if given.count >= Self.limit { given.removeFirst() }
        given.append(new)
    }

    func find(_ connection: UInt64, _ item: Identifier) -> Given? {
        given.last { $0.connection == connection && $0.item == item }
            ?? given.last { $0.connection == connection && $0.item == Self.next }
    }

    mutating func remove(_ connection: UInt64, _ item: Identifier) {
        guard let used = find(connection, item) else { return }
        given.removeAll { $0 === used }
    }

    /// What was made is made: nothing that its connection gave is kept.
    mutating func remove(of connection: UInt64) { given.removeAll { $0.connection == connection } }

    mutating func removeAll() { given.removeAll() }
}

extension Device where Clock: ~Copyable {
    mutating func giveItemPassword(_ password: borrowing ItemPassword) throws(EnclaveRefusal) {
        guard lockState != .beforeFirstUnlock else { throw .locked }
        guard password.password.count > 0 else { throw .badRequest }
        do {
            passwords.insert(
                GivenPasswords.Given(
                    try password.password.copy(), connection: password.connection, item: password.item))
        } catch { throw .outOfMemory }
    }
}
