import Certificates
import Localization
import Protection
import Secrets
import Tresor
import Wire

/// The viewer's questions to the keychain, each answered before it returns.
final class KeychainLink {
    private let shared: SharedTransport
    let reader: RecordReader

    /// - Parameter reader: which writes dates in its time.
    init(_ shared: SharedTransport, _ reader: RecordReader = .local) {
        self.shared = shared
        self.reader = reader
    }

    /// Everything that can be read now, and how many items cannot.
    ///
    /// - Parameter date: now, in seconds since 1970.
    func listing(date: Int64) throws(TresorError) -> Listing {
        let walk = ListingWalk(self, date: date)
        while try walk.goOn() {}
        return walk.listing
    }

    // MARK: Secrets

    /// What the owner gives so that an item is opened or changed.
    struct Proofs: ~Copyable {
        var passcode: SecretBytes?
        var itemPassword: SecretBytes?
        var finger = false
    }

    /// The secret of one item.
    ///
    /// - Parameters:
    ///   - passcode: proves the owner's presence where the item demands it.
    ///   - itemPassword: opens an item that has one of its own.
    ///   - finger: whether to wait for a finger.
    /// - Throws: ``TresorError``: `presenceRequired` while one of them is missing, whose cause says which,
    ///   `authenticationFailed` for a wrong one, `locked`, `notFound`, `damaged`.
    func read(
        _ reference: PersistentReference, passcode: consuming SecretBytes?,
        itemPassword: consuming SecretBytes? = nil, finger: Bool = false
    ) throws(TresorError) -> SecretBytes {
        try read(reference, Proofs(passcode: passcode, itemPassword: itemPassword, finger: finger))
    }

    func read(_ reference: PersistentReference, _ proofs: consuming Proofs) throws(TresorError) -> SecretBytes {
        var proofs = proofs
        var query = KeychainQuery()
        query.persistentReference = reference
        query.returns = .data
        return try translating {
            var secret = try SecretBuffer(capacity: 256)
            // What is given is good over the connection on which it was given.
            try shared.withTransport { transport in
                try Self.give(&proofs, for: reference.item, .read, over: transport)
                try transport.page(.find(query)) { _, _, found in
                    if let found { try secret.append(found) }
                }
            }
            return secret.finish()
        }
    }

    private static func give(
        _ proofs: inout Proofs, for item: Identifier, _ operation: ProtectedOperation, over transport: any Transport
    ) throws {
        if let given = proofs.itemPassword.take() {
            // The enclave takes no empty one.
            guard given.count > 0 else { throw KeychainError(.authenticationFailed, .wrongItemPassword) }
            try transport.perform(
                .giveItemPassword(ItemPassword(password: given, connection: 0, item: item)))
        }
        if proofs.finger {
            try transport.perform(
                .proveBiometry(
                    BiometryClaim(item: item, operation: operation.rawValue, patience: fingerPatience)))
        }
        if let passcode = proofs.passcode.take() {
            try transport.perform(
                .provePresence(
                    PresenceClaim(passcode: passcode, connection: 0, item: item, operation: operation.rawValue)))
        }
    }

    /// The viewer hears nothing else meanwhile, but a lock ends the wait.
    private static let fingerPatience = Duration.seconds(20)

    // MARK: Changes

    /// Adds an item.
    ///
    /// - Throws: ``TresorError``: `duplicate`, `locked`, `notPermitted` for a class that needs a passcode.
    func add(_ draft: Draft, secret: consuming SecretBytes?) throws(TresorError) -> PersistentReference {
        var secret = secret
        var added: PersistentReference?
        try translating {
            try shared.withTransport { transport in
                let addition = ItemAddition(
                    kind: draft.kind.code, attributes: draft.attributes, secret: secret.take())
                try transport.page(.add(addition)) { reference, _, _ in added = reference }
            }
        }
        guard let added else { throw TresorError(.unavailable, localized("the daemon named no item")) }
        return added
    }

    /// Changes one item.
    ///
    /// - Parameter secret: the new one; nil leaves it as it is.
    /// - Throws: ``TresorError``: as ``read(_:passcode:itemPassword:finger:)``, and `duplicate`.
    func change(
        _ reference: PersistentReference, _ changes: Attributes, secret: consuming SecretBytes?,
        _ proofs: consuming Proofs
    ) throws(TresorError) {
        var secret = secret
        var proofs = proofs
        var query = KeychainQuery()
        query.persistentReference = reference
        try translating {
            try shared.withTransport { transport in
                try Self.give(&proofs, for: reference.item, .change, over: transport)
                try transport.perform(
                    .update(ItemUpdate(query: query, changes: changes, secret: secret.take())))
            }
        }
    }

    /// Removes items, one after the other.
    ///
    /// - Parameter isForGood: of what a program of ours keeps for itself, which has no trash; else they go there.
    func remove(_ references: [PersistentReference], isForGood: Bool) throws(TresorError) {
        try translating {
            for reference in references {
                var query = KeychainQuery()
                query.persistentReference = reference
                let asked = query
                try shared.withTransport { try $0.perform(isForGood ? .remove(asked) : .ofTrash(.put(asked))) }
            }
        }
    }

    // MARK: The device

    /// Unlocks the device.
    ///
    /// - Throws: ``TresorError``: `authenticationFailed`, with the time until the next try.
    func unlock(_ passcode: consuming SecretBytes) throws(TresorError) {
        var passcode: SecretBytes? = passcode
        guard (passcode?.count ?? 0) <= WireLimits.passcode else {
            throw TresorError(.invalidParameter, localized("a passcode has at most \(WireLimits.passcode) bytes"))
        }
        try translating {
            try shared.withTransport { transport in
                guard let given = passcode.take() else { return }
                try transport.perform(.unlock(CarriedSecret(given)))
            }
        }
    }

    /// How many wrong passcodes there were; nil where tresord does not say.
    func wrongTries() -> WrongTries? {
        var tries: WrongTries?
        try? shared.withTransport { transport in
            try transport.exchange(.status) { payload in
                var reader = ByteReader(payload)
                guard try KeychainReply.header(&reader).tag == .status else { return }
                let device = try DaemonStatus(from: &reader).enclave
                tries = WrongTries(count: Int(device.failures), erases: device.settings.erasesAfterTenTries)
            }
        }
        return tries
    }

    // MARK: Pages

    static func query(_ kind: ItemKind, returning returns: KeychainQuery.Returns = .attributes) -> KeychainQuery {
        var query = KeychainQuery(kind: kind)
        query.matchesAnySynchronizable = true
        query.limit = nil
        query.returns = returns
        query.skipsLocked = true
        return query
    }

    /// One page; nil where nothing matches.
    func page(
        _ query: KeychainQuery, _ body: (PersistentReference, Attributes?, RawSpan?) throws -> Void
    ) throws -> PageEnd? {
        do {
            return try shared.withTransport { try $0.page(.find(query), body) }
        } catch let error as KeychainError where error.status == .itemNotFound { return nil }
    }

    /// Walks over all pages.
    ///
    /// - Returns: how many items the lock state shuts.
    private func pages(
        _ query: KeychainQuery, _ body: (PersistentReference, Attributes?, RawSpan?) throws -> Void
    ) throws -> Int {
        var query = query
        var locked = 0
        repeat {
            guard let end = try page(query, body) else { return locked }
            query.cursor = end.next
            locked += Int(end.locked)
        } while query.cursor != 0
        return locked
    }

    /// The certificates that can be read without asking anybody.
    func certificates() throws -> [PersistentReference: DERCertificate] {
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
    func groups(_ kind: ItemKind, _ total: Int) throws -> [LockedGroup] {
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

    func translating<Result: ~Copyable>(_ body: () throws -> Result) throws(TresorError) -> Result {
        do { return try body() } catch {
            switch error {
            case let known as TresorError: throw known
            case let known as KeychainError: throw TresorError(known)
            case is SecretMemoryError:
                throw TresorError(.outOfMemory, localized("no locked memory is left"), status: -108)
            default: throw TresorError(.unavailable, localized("tresord does not answer"))
            }
        }
    }
}
