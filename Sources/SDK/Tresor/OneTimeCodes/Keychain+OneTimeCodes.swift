import Envelopes
public import FoundationEssentials
public import Protection
public import Secrets
public import Wire

/// What an account for one-time codes is called.
public struct OneTimeCodeName: Sendable, Hashable {
    /// What the codes are for: the label of the login that they go with.
    public var title: String
    /// The account's name.
    public var account: String?
    /// The server of that login, where it is an internet password.
    public var server: String?

    /// A name.
    ///
    /// - Parameters:
    ///   - title: what the codes are for.
    ///   - account: the account's name.
    ///   - server: the server of the login that they go with, if that is another than the title.
    public init(title: String, account: String? = nil, server: String? = nil) {
        self.title = title
        self.account = account
        self.server = server
    }

    /// What an otpauth address says of itself: its issuer and its account.
    ///
    /// - Parameter secret: an otpauth address, or a secret in base32.
    /// - Returns: nil where it names no issuer.
    /// - Throws: ``TresorError``: `invalidParameter` for anything else.
    public init?(in secret: borrowing SecretBytes) throws(TresorError) {
        let read = try secret.withBytes { (text) throws(TresorError) in try OneTimeCode.read(text) }
        guard let issuer = read.issuer else { return nil }
        self.init(title: issuer, account: read.account)
    }

    /// Of the item that holds what the codes are made from.
    fileprivate var attributes: ItemAttributes {
        var attributes = ItemAttributes()
        attributes.service = OneTimeCodeAccount.service(title, at: server)
        attributes.account = account
        attributes.label = attributes.service
        attributes.itemDescription = CSVPart.oneTimeCode.name
        return attributes
    }
}

// One-time codes (RFC 6238).
extension Keychain {
    /// The accounts for which there are one-time codes, in the order in which they were added.
    ///
    /// - Parameter skipsLocked: leave out those that the lock state shuts, instead of failing.
    /// - Returns: those that imports brought, and those that were added here.
    /// - Throws: ``TresorError``: `locked`.
    nonisolated public func oneTimeCodes(skipsLocked: Bool = false) async throws -> [OneTimeCodeAccount] {
        var query = ItemQuery(.password)
        query.skipsLocked = skipsLocked
        var accounts: [OneTimeCodeAccount] = []
        for try await item in items(query) {
            if let account = OneTimeCodeAccount(item) { accounts.append(account) }
        }
        return accounts
    }

    /// The account whose one-time codes go with a login, by the names that imports and
    /// ``addOneTimeCode(_:_:protectionClass:)`` give it.
    ///
    /// - Returns: nil where there is none, or where the lock state shuts it; the item itself where it holds codes.
    package func oneTimeCodes(besides login: Item) throws -> OneTimeCodeAccount? {
        if let own = OneTimeCodeAccount(login) { return own }
        guard let places = OneTimeCodePlaces(besides: login) else { return nil }
        return places.account(among: try findAll(places.queries))
    }

    /// The code of an account.
    ///
    ///     let code = try await keychain.oneTimeCode(of: account)
    ///     code.digits.withBytes { … }
    ///
    /// - Parameters:
    ///   - account: whose.
    ///   - date: for when; now where it is not said.
    ///   - context: asks the owner where the item demands it.
    /// - Throws: ``TresorError``: `notFound`, `locked`, `presenceRequired` without a context, `damaged`;
    ///   `invalidParameter` where the item holds no secret of codes, or one of codes that are not made here: by a
    ///   counter (HOTP), or with letters in place of digits.
    public func oneTimeCode(
        of account: OneTimeCodeAccount, at date: Date = Date(), context: AuthenticationContext? = nil
    ) throws -> OneTimeCode {
        let stored = try read(ItemQuery(account.item.reference), context: context)
        return try OneTimeCode(stored, at: date)
    }

    /// Adds an account for one-time codes.
    ///
    /// The item stands beside its login: a password with the service `<title> (one-time code)`, or `<title> (one-time
    /// code, <server>)`, and the description `one-time code`. An export puts it into the login's row.
    ///
    /// - Parameters:
    ///   - secret: an otpauth address (`otpauth://totp/…`), or a secret in base32, which then stands for SHA-1, six
    ///     digits and 30 seconds. Blanks around it are not stored.
    ///   - name: what the account is called.
    ///   - protectionClass: when codes can be made; ``ProtectionClass/whenUnlocked`` where it is not said.
    /// - Returns: the name under which the item is found for good.
    /// - Throws: ``TresorError``: `duplicate`, `locked`; `invalidParameter` for any other secret.
    @discardableResult
    public func addOneTimeCode(
        _ secret: borrowing SecretBytes, _ name: OneTimeCodeName, protectionClass: ProtectionClass? = nil
    ) throws -> PersistentReference {
        let stored = try secret.withBytes { (text) throws(TresorError) in try OneTimeCode.stored(text) }
        var attributes = name.attributes
        attributes.protectionClass = protectionClass
        return try add(.password, attributes, secret: stored)
    }
}
