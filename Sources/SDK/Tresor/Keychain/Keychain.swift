import Linux
import Localization
import Protection
public import Secrets
public import Wire

/// The owner's keychain, as the daemon serves it.
///
/// A call is one round trip, or a few; all of them run on a thread of the keychain's own, so that no secret is opened
/// on the threads that tasks share.
///
///     let keychain = try Keychain()
///     var login = ItemAttributes()
///     login.service = "mail.example"
///     login.account = "anna"
///     try await keychain.add(.password, login, secret: secret)
///     let secret = try await keychain.read(.password(service: "mail.example"))
public actor Keychain {
    private let thread: DedicatedThread
    let transport: any Transport

    /// The thread that this keychain's calls run on.
    nonisolated public var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    /// Connects to the daemon of this user.
    ///
    /// - Throws: ``TresorError`` with code `unavailable` when it does not run, `untrustedServer` when somebody else
    ///   answers at its socket.
    public init() throws {
        let home: Home
        do {
            home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        } catch { throw TresorError(.invalidParameter, error.description) }
        try self.init(transport: try TresorError.translating { try SocketTransport(home) })
    }

    /// Over another way than the daemon's socket, for tests.
    package init(transport: sending any Transport) throws {
        thread = try DedicatedThread()
        self.transport = transport
    }

    /// Adds an item.
    ///
    /// - Parameters:
    ///   - kind: its kind.
    ///   - attributes: a password's service and account, or an internet password's account, server, port, protocol and
    ///     path, are its primary key.
    ///   - secret: at most 896 KiB.
    ///   - context: gives the password of an item that shall have one of its own.
    /// - Returns: the name under which it is found for good.
    /// - Throws: ``TresorError``: `duplicate`, `locked` while its class is shut, `notPermitted` for
    ///   `whenPasscodeSetThisDeviceOnly` without a passcode.
    @discardableResult
    public func add(
        _ kind: ItemKind, _ attributes: ItemAttributes, secret: borrowing SecretBytes,
        context: AuthenticationContext? = nil
    ) throws -> PersistentReference {
        if attributes.accessControl?.contains(.applicationPassword) == true {
            let missing = TresorError(KeychainError(.authenticationFailed, .itemPasswordRequired))
            // For the next that is added.
            try consent(.change, context).givePassword(for: Identifier(high: 0, low: 0), otherwise: missing)
        }
        return try conversation.add(
            ItemAddition(kind: kind.code, attributes: attributes.values, secret: try secret.copy()))
    }

    /// The attributes of one item.
    ///
    /// - Throws: ``TresorError``: `notFound`, `locked`, `damaged`.
    public func find(_ query: ItemQuery) throws -> Item {
        var wire = query.wireForm
        wire.returns = .attributes
        var found: Item?
        try conversation.page(.find(wire)) { reference, attributes, _ in
            found = Item(reference, attributes ?? Attributes())
        }
        guard let found else { throw TresorError(.notFound, localized("no such item"), status: -25300) }
        return found
    }

    /// The secret of one item.
    ///
    /// - Parameters:
    ///   - query: which.
    ///   - context: asks the owner where the item demands it.
    /// - Throws: ``TresorError``: `notFound`, `locked`, `presenceRequired` without a context, `damaged`.
    public func read(_ query: ItemQuery, context: AuthenticationContext? = nil) throws -> SecretBytes {
        var wire = query.wireForm
        wire.returns = .data
        var exact = wire
        return try consent(.read, context).satisfying {
            let item = try find(query)
            exact = ItemQuery(item.reference).wireForm(returning: .data)
            return item
        } _: {
            try conversation.secret(exact)
        }
    }

    /// Changes one item.
    ///
    /// - Parameters:
    ///   - query: which; it must match one item and no second.
    ///   - changes: the attributes that shall be different.
    ///   - secret: the new secret; nil leaves it.
    ///   - context: asks the owner where the item demands it.
    /// - Throws: ``TresorError``: `notFound`, `duplicate` where the new primary key is taken, `locked`.
    public func update(
        _ query: ItemQuery, _ changes: ItemAttributes = ItemAttributes(), secret: borrowing SecretBytes?,
        context: AuthenticationContext? = nil
    ) throws {
        let reference = try conversation.onlyMatch(query)
        let exact = ItemQuery(reference)
        try consent(.change, context).satisfying(item: { try find(exact) }) {
            try conversation.change(reference, changes, secret)
        }
    }

    /// Removes every item that matches.
    ///
    /// - Throws: ``TresorError``: `notFound`, `locked` where the lock state hides whether something matches.
    public func remove(_ query: ItemQuery) throws { try conversation.perform(.remove(query.wireForm)) }
}

extension Keychain {
    /// Requests over this keychain's connection.
    var conversation: Conversation { Conversation(transport: transport) }

    /// What a context gives for one use of an item.
    func consent(_ reason: AuthenticationContext.Reason, _ context: AuthenticationContext?) -> OwnerConsent {
        OwnerConsent(conversation: conversation, reason: reason, context: context)
    }

    /// One page of items that match; `next` of its end goes into the cursor of the next.
    func page(after cursor: UInt64, _ query: ItemQuery) throws -> (items: [Item], end: PageEnd) {
        var wire = query.wireForm
        wire.returns = .attributes
        wire.limit = nil
        wire.cursor = cursor
        var items: [Item] = []
        let end = try conversation.page(.find(wire)) { reference, attributes, _ in
            items.append(Item(reference, attributes ?? Attributes()))
        }
        return (items: items, end: end)
    }
}

extension ItemQuery {
    func wireForm(returning returns: KeychainQuery.Returns) -> KeychainQuery {
        var query = wireForm
        query.returns = returns
        return query
    }
}

extension Conversation {
    /// The reference of the one item that matches: a change must not fall on whichever comes first.
    fileprivate func onlyMatch(_ query: ItemQuery) throws -> PersistentReference {
        if let reference = query.reference { return reference }
        var wire = query.wireForm
        wire.limit = 2
        var found: [PersistentReference] = []
        let end = try page(.find(wire)) { reference, _, _ in found.append(reference) }
        guard end.damaged == 0 else {
            throw TresorError(
                .damaged, localized("a match cannot be decoded; it is kept, and nothing was changed"), status: -26275)
        }
        guard found.count < 2 else {
            throw TresorError(.invalidParameter, localized("several items match; say which one is to be changed"))
        }
        guard let only = found.first else { throw TresorError(.notFound, localized("no such item"), status: -25300) }
        return only
    }

    fileprivate func change(
        _ reference: PersistentReference, _ changes: ItemAttributes, _ secret: borrowing SecretBytes?
    ) throws {
        let wire = ItemQuery(reference).wireForm
        switch secret {
        case .some(let secret):
            try perform(.update(ItemUpdate(query: wire, changes: changes.values, secret: secret.copy())))
        case .none: try perform(.update(ItemUpdate(query: wire, changes: changes.values, secret: nil)))
        }
    }
}
