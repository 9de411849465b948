import Protection
import Secrets
import Tresor
import Wire

/// What the door keeps in the keychain: generic passwords of one service, none of them synchronizable.
///
/// Class WhenUnlocked, and none bound to this device: bound to it, a restored diary would never open again for its
/// owner. No access group is said: it is the one of this program.
struct DoorItems: Sendable {
    let service: String

    /// An item: its value, and bytes that stand beside it.
    struct Stored {
        var value: [UInt8]
        var generic: [UInt8]
    }

    /// Adds an item, or puts these in place of what is there: both at once, or nothing.
    ///
    /// - Throws: `DoorItemsError` with the documented status.
    func store(_ value: [UInt8], generic: [UInt8] = [], account: String, label: String) throws(DoorItemsError) {
        let own = query(account)
        var changes = Attributes()
        changes[.generic] = .data(generic)
        changes[.label] = .string(label)
        var item = own.attributes
        item.merge(changes)
        item[.protectionClass] = .string(ProtectionClass.whenUnlocked.code)
        try ask { transport in
            do {
                let addition = ItemAddition(kind: own.kind, attributes: item, secret: try Self.secret(value))
                try transport.page(.add(addition)) { _, _, _ in }
            } catch let error as KeychainError where error.status == .duplicateItem {
                let update = ItemUpdate(query: own, changes: changes, secret: try Self.secret(value))
                try transport.perform(.update(update))
            }
        }
    }

    /// Nil where there is none.
    func read(account: String) throws(DoorItemsError) -> Stored? {
        var wanted = query(account)
        wanted.returns = [.attributes, .data]
        let asked = wanted
        return try ask { (transport) -> Stored? in
            do { return try Self.find(asked, over: transport) } catch let error as KeychainError
                where error.status == .itemNotFound
            {
                return nil
            }
        }
    }

    func remove(account: String) throws(DoorItemsError) {
        let own = query(account)
        try ask { transport in
            do { try transport.perform(.remove(own)) } catch let error as KeychainError
                where error.status == .itemNotFound
            {}
        }
    }

    // MARK: The conversation

    private func query(_ account: String) -> KeychainQuery {
        var query = KeychainQuery(kind: .password)
        query.attributes[.service] = .string(service)
        query.attributes[.account] = .string(account)
        return query
    }

    /// Over the connection of this process, which is made anew where the daemon was started anew.
    private func ask<Answer: Sendable>(_ body: (any Transport) throws -> Answer) throws(DoorItemsError) -> Answer {
        do { return try SharedTransport.process.withTransport(body) } catch { throw DoorItemsError(error) }
    }

    /// - Throws: `KeychainError` with status `decode` where the item, or its value, cannot be read.
    private static func find(_ query: KeychainQuery, over transport: any Transport) throws -> Stored {
        var query = query
        var found: Stored?
        repeat {
            let end = try transport.page(.find(query)) { _, attributes, secret in
                if let secret {
                    found = Stored(value: secret.copyToArray(), generic: attributes?.data(.generic) ?? [])
                }
            }
            query.cursor = end.next
        } while found == nil && query.cursor != 0
        guard let found else { throw KeychainError(.decode) }
        return found
    }

    private static func secret(_ value: [UInt8]) throws(SecretMemoryError) -> SecretBytes {
        try value.withSpan { (span) throws(SecretMemoryError) in try SecretBytes(copying: span) }
    }
}

/// What the keychain said, by the documented status.
struct DoorItemsError: Error, Equatable {
    let status: Int32

    init(_ error: any Error) {
        status =
            switch error {
            case let known as KeychainError: known.status.rawValue
            case is SecretMemoryError: KeychainStatus.allocation.rawValue
            case let known as TresorError where known.status != 0: known.status
            // The daemon does not run, went away, is another user's, or speaks another language.
            default: KeychainStatus.notAvailable.rawValue
            }
    }

    /// The device is locked, or before first unlock.
    var isLocked: Bool { status == KeychainStatus.interactionNotAllowed.rawValue }

    /// The keychain answered, and could not store: this program ends when the daemon does, so that is not it.
    var cannotWrite: Bool { status == KeychainStatus.notAvailable.rawValue }
}
