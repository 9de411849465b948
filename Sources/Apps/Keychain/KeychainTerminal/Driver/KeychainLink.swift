import Certificates
import Protection
import Secrets
import Tresor
import Wire

/// The viewer's questions to the keychain, each answered before it returns.
final class KeychainLink {
    private let shared: SharedTransport
    private let reader: RecordReader

    /// - Parameter reader: which writes dates in its time.
    init(_ shared: SharedTransport, _ reader: RecordReader = .local) {
        self.shared = shared
        self.reader = reader
    }

    /// Everything that can be read now, and how many items cannot.
    ///
    /// - Parameter date: now, in seconds since 1970.
    func listing(date: Int64) throws(TresorError) -> Listing {
        try translating {
            var listing = Listing(date: date)
            for kind in ItemKind.allCases {
                let certificates = kind == .certificate ? try self.certificates() : [:]
                let locked = try pages(Self.query(kind)) { reference, attributes, _ in
                    guard let attributes else { return }
                    listing.records.append(
                        reader.record(reference, attributes, certificate: certificates[reference]))
                } damaged: {
                    listing.damaged += $0
                }
                if locked > 0 { listing.locked += try groups(kind, locked) }
            }
            return listing
        }
    }

    /// The secret of one item.
    ///
    /// - Parameters:
    ///   - passcode: proves the owner's presence where the item demands it.
    ///   - itemPassword: opens an item that has one of its own.
    /// - Throws: ``TresorError``: `presenceRequired` while one of them is missing, whose cause says which,
    ///   `authenticationFailed` for a wrong one, `locked`, `notFound`, `damaged`.
    func read(
        _ reference: PersistentReference, passcode: consuming SecretBytes?,
        itemPassword: consuming SecretBytes? = nil
    ) throws(TresorError) -> SecretBytes {
        var passcode = passcode
        var itemPassword = itemPassword
        var query = KeychainQuery()
        query.persistentReference = reference
        query.returns = .data
        return try translating {
            var secret = try SecretBuffer(capacity: 256)
            // What is given is good over the connection on which it was given.
            try shared.withTransport { transport in
                if let given = itemPassword.take() {
                    // The enclave takes no empty one.
                    guard given.count > 0 else { throw KeychainError(.authenticationFailed, .wrongItemPassword) }
                    try transport.perform(
                        .giveItemPassword(ItemPassword(password: given, connection: 0, item: reference.item)))
                }
                if let passcode = passcode.take() {
                    try transport.perform(
                        .provePresence(
                            PresenceClaim(
                                passcode: passcode, connection: 0, item: reference.item,
                                operation: ProtectedOperation.read.rawValue)))
                }
                try transport.page(.find(query)) { _, _, found in
                    if let found { try secret.append(found) }
                }
            }
            return secret.finish()
        }
    }

    /// Removes items, one after the other.
    func remove(_ references: [PersistentReference]) throws(TresorError) {
        try translating {
            for reference in references {
                var query = KeychainQuery()
                query.persistentReference = reference
                try shared.withTransport { try $0.perform(.remove(query)) }
            }
        }
    }

    // MARK: Pages

    private static func query(_ kind: ItemKind, returning returns: KeychainQuery.Returns = .attributes) -> KeychainQuery
    {
        var query = KeychainQuery(kind: kind)
        query.matchesAnySynchronizable = true
        query.limit = nil
        query.returns = returns
        query.skipsLocked = true
        return query
    }

    /// Walks over all pages.
    ///
    /// - Returns: how many items the lock state shuts.
    private func pages(
        _ query: KeychainQuery, _ body: (PersistentReference, Attributes?, RawSpan?) throws -> Void,
        damaged: (Int) -> Void = { _ in }
    ) throws -> Int {
        var query = query
        var locked = 0
        repeat {
            do {
                let asked = query
                let end = try shared.withTransport { try $0.page(.find(asked), body) }
                query.cursor = end.next
                locked += Int(end.locked)
                damaged(Int(end.damaged))
            } catch let error as KeychainError where error.status == .itemNotFound { return locked }
        } while query.cursor != 0
        return locked
    }

    /// The certificates that can be read without asking anybody.
    private func certificates() throws -> [PersistentReference: DERCertificate] {
        var certificates: [PersistentReference: DERCertificate] = [:]
        var query = Self.query(.certificate, returning: .data)
        query.skipsAccessControlled = true
        _ = try pages(query) { reference, _, bytes in
            // One that is none is still an item with attributes.
            if let bytes { certificates[reference] = try? DERCertificate(bytes.copyToArray()) }
        }
        return certificates
    }

    /// How many locked items there are of each class.
    private func groups(_ kind: ItemKind, _ total: Int) throws -> [LockedGroup] {
        var groups: [LockedGroup] = []
        for protectionClass in ProtectionClass.allCases {
            var query = Self.query(kind)
            query.attributes[.protectionClass] = .string(protectionClass.code)
            let count = try pages(query) { _, _, _ in }
            if count > 0 { groups.append(LockedGroup(kind: kind, protectionClass: protectionClass, count: count)) }
        }
        let rest = total - groups.reduce(0) { $0 + $1.count }
        // What was added or locked between two questions has no class here yet, and is not left out for that.
        return rest > 0 ? groups + [LockedGroup(kind: kind, protectionClass: nil, count: rest)] : groups
    }

    private func translating<Result: ~Copyable>(_ body: () throws -> Result) throws(TresorError) -> Result {
        do { return try body() } catch {
            switch error {
            case let known as TresorError: throw known
            case let known as KeychainError: throw TresorError(known)
            case is SecretMemoryError: throw TresorError(.outOfMemory, "no locked memory is left", status: -108)
            default: throw TresorError(.unavailable, "tresord does not answer")
            }
        }
    }
}
