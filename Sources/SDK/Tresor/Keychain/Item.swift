public import FoundationEssentials
public import Protection
import Secrets
public import Wire

/// An item's attributes: everything but its secret.
public struct Item: Sendable, Hashable {
    /// Names the item for good, also when its attributes change.
    public let reference: PersistentReference
    let attributes: Attributes

    /// An item as a page of the wire tells of it.
    package init(_ reference: PersistentReference, _ attributes: Attributes) {
        self.reference = reference
        self.attributes = attributes
    }

    /// What kind of item it is.
    public var kind: ItemKind { reference.kind }
    /// The service a password is for.
    public var service: String? { attributes.string(.service) }
    /// The account's name.
    public var account: String? { attributes.string(.account) }
    /// What people see.
    public var label: String? { attributes.string(.label) }
    /// The server of an internet password.
    public var server: String? { attributes.string(.server) }
    /// The port, 0 when none was given.
    public var port: Int? { attributes.number(.port).map { Int($0) } }
    /// The path on the server.
    public var path: String? { attributes.string(.path) }
    /// The protocol of an internet password, as its four letters or as given.
    public var protocolName: String? { attributes.string(.protocolType) }
    /// The realm of an internet password, which Apple calls its security domain.
    package var securityDomain: String? { attributes.string(.securityDomain) }
    /// A comment.
    public var comment: String? { attributes.string(.comment) }
    /// A description of the kind of item, in words.
    public var itemDescription: String? { attributes.string(.descriptionText) }
    /// A key's application tag.
    public var applicationTag: String? { attributes.string(.applicationTag) }
    /// Which programs reach it.
    public var accessGroup: String? { attributes.string(.accessGroup) }
    /// The keychain that it lies in.
    public var keychain: String { attributes.string(.keychain) ?? KeychainName.login }
    /// When its key is available.
    public var protectionClass: ProtectionClass? {
        attributes.string(.protectionClass).flatMap(ProtectionClass.init(code:))
    }
    /// What it demands besides its class.
    public var accessControl: AccessControl {
        AccessControl(rawValue: UInt32(truncatingIfNeeded: attributes.number(.accessControl) ?? 0))
    }
    /// Whether it may travel to the owner's other devices.
    public var isSynchronizable: Bool { attributes.number(.synchronizable) == 1 }
    /// When it was added.
    public var created: Date? { attributes.date(.creationDate).map(Self.date) }
    /// When it was last changed.
    public var modified: Date? { attributes.date(.modificationDate).map(Self.date) }

    private static func date(_ microseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }
}

/// The attributes that a program gives when it adds, looks for or changes an item.
///
/// What is nil is not said.
public struct ItemAttributes: Sendable, Hashable {
    /// As they go over the wire.
    package var values = Attributes()

    /// No attribute at all.
    public init() {}

    /// The service a password is for.
    public var service: String? {
        get { values.string(.service) }
        set { set(.service, newValue) }
    }
    /// The account's name.
    public var account: String? {
        get { values.string(.account) }
        set { set(.account, newValue) }
    }
    /// What people see.
    public var label: String? {
        get { values.string(.label) }
        set { set(.label, newValue) }
    }
    /// The server of an internet password.
    public var server: String? {
        get { values.string(.server) }
        set { set(.server, newValue) }
    }
    /// The path on the server.
    public var path: String? {
        get { values.string(.path) }
        set { set(.path, newValue) }
    }
    /// The protocol of an internet password, such as `htps`.
    public var protocolName: String? {
        get { values.string(.protocolType) }
        set { set(.protocolType, newValue) }
    }
    /// The port, from 1 to 65,535.
    public var port: Int? {
        get { values.number(.port).map { Int($0) } }
        set { values[.port] = newValue.map { .number(Int64($0)) } }
    }
    /// A comment.
    public var comment: String? {
        get { values.string(.comment) }
        set { set(.comment, newValue) }
    }
    /// A description of the kind of item, in words.
    public var itemDescription: String? {
        get { values.string(.descriptionText) }
        set { set(.descriptionText, newValue) }
    }
    /// A key's application tag.
    public var applicationTag: String? {
        get { values.string(.applicationTag) }
        set { set(.applicationTag, newValue) }
    }
    /// The keychain: of a new item, or to move an item to; the owner's default where it is not said.
    ///
    /// In a query it means items of this keychain alone.
    public var keychain: String? {
        get { values.string(.keychain) }
        set { set(.keychain, newValue) }
    }
    /// A certificate's issuer, DER.
    public var issuer: [UInt8]? {
        get { data(.issuer) }
        set { values[.issuer] = newValue.map { .data($0) } }
    }
    /// A certificate's serial number.
    public var serialNumber: [UInt8]? {
        get { data(.serialNumber) }
        set { values[.serialNumber] = newValue.map { .data($0) } }
    }
    /// When the item's key shall be available; ``ProtectionClass/whenUnlocked`` where it is not said.
    public var protectionClass: ProtectionClass? {
        get { values.string(.protectionClass).flatMap(ProtectionClass.init(code:)) }
        set { set(.protectionClass, newValue?.code) }
    }
    /// What the item shall demand besides its class.
    public var accessControl: AccessControl? {
        get { values.number(.accessControl).map { AccessControl(rawValue: UInt32(truncatingIfNeeded: $0)) } }
        set { values[.accessControl] = newValue.map { .number(Int64($0.rawValue)) } }
    }
    /// Whether the item may travel to the owner's other devices.
    public var isSynchronizable: Bool? {
        get { values.number(.synchronizable).map { $0 == 1 } }
        set { values[.synchronizable] = newValue.map { .number($0 ? 1 : 0) } }
    }

    private mutating func set(_ code: AttributeCode, _ text: String?) {
        values[code] = text.map { .string($0) }
    }

    private func data(_ code: AttributeCode) -> [UInt8]? {
        if case .data(let bytes) = values[code] { return bytes }
        return nil
    }
}

/// Which items.
public struct ItemQuery: Sendable, Hashable {
    /// Their kind.
    public var kind: ItemKind
    /// What they must have.
    ///
    /// Every attribute compares exactly.
    public var attributes: ItemAttributes
    /// One item by name; then nothing else is looked at.
    public var reference: PersistentReference?
    /// Leave out items that the lock state shuts, instead of failing.
    public var skipsLocked = false

    /// Looks for items of a kind.
    ///
    /// - Parameters:
    ///   - kind: the kind.
    ///   - attributes: what they must have.
    public init(_ kind: ItemKind, _ attributes: ItemAttributes = ItemAttributes()) {
        self.kind = kind
        self.attributes = attributes
    }

    /// The item of this reference.
    public init(_ reference: PersistentReference) {
        self.init(reference.kind)
        self.reference = reference
    }

    /// Passwords for a service and, where given, an account.
    public static func password(service: String, account: String? = nil) -> ItemQuery {
        var attributes = ItemAttributes()
        attributes.service = service
        attributes.account = account
        return ItemQuery(.password, attributes)
    }

    /// Passwords for a server and, where given, an account.
    public static func internetPassword(server: String, account: String? = nil) -> ItemQuery {
        var attributes = ItemAttributes()
        attributes.server = server
        attributes.account = account
        return ItemQuery(.internetPassword, attributes)
    }

    /// What the daemon is asked; one match, unless it is said otherwise.
    package var wireForm: KeychainQuery {
        var query = KeychainQuery()
        if let reference {
            query.persistentReference = reference
        } else {
            query.kind = kind.code
            query.attributes = attributes.values
            query.matchesAnySynchronizable = attributes.isSynchronizable == nil
        }
        query.skipsLocked = skipsLocked
        return query
    }
}
