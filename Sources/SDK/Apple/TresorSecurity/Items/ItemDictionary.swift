import TresorCoreFoundation
import Foundation
import TresorLocalAuthentication
import Protection
import Secrets
import Wire

/// A dictionary of one of the four calls, read.
///
/// A key of four letters is an attribute; of any other the first letter says what it is about: the class, matching,
/// what is returned, how the call goes about it, or a value (§1.1 of the keychain's semantics).
struct ItemDictionary {
    /// What the dictionary is for: they take different keys.
    enum Purpose {
        case add, find, update, remove
        /// The second dictionary of an update.
        case changes
    }

    let purpose: Purpose
    let profile: KeychainQuery.Profile
    /// The class code; nil beside a persistent reference, and in changes.
    var kind: AttributeCode?
    var attributes = Attributes()
    var matchesAnySynchronizable = false
    var reference: PersistentReference?
    var accessControl: SecAccessControl?
    /// The caller's own; it goes into locked memory when it is sent.
    var secret: Data?
    /// A key, certificate or identity, which stands for a class, attributes and data.
    var object: ItemObject?
    /// What a removal is about, of all that match; nil where it names none (``kSecMatchItemList``).
    var listed: [AnyObject]?
    /// nil is all.
    var limit: UInt32? = 1
    var hasLimit = false
    var returns: ItemReturns = []
    /// Whether a search is narrowed by what only certificates have.
    var narrowsCertificates = false
    var interface = Interface.allowed
    var context: LAContext?
    var prompt = ""
    var usesTombstones: Bool?

    /// Whether the owner may be asked.
    enum Interface { case allowed, failing, skipping }

    /// - Throws: ``StatusError``, above all `errSecParam`.
    init(_ dictionary: NSDictionary, for purpose: Purpose, _ profile: KeychainQuery.Profile) throws {
        self.purpose = purpose
        self.profile = profile
        guard dictionary.count <= Attributes.countLimit else { throw StatusError(errSecParam) }
        for (key, value) in dictionary {
            guard let name = key as? String else { throw StatusError(errSecParam) }
            try take(name, value as AnyObject)
        }
        try settleObject()
        try settleAccessControl()
    }

    private mutating func take(_ name: String, _ value: AnyObject) throws {
        if name.utf8.count == 4, let code = AttributeCode(name) { return try takeAttribute(code, value) }
        switch name.first {
        case "c": try takeClass(name, value)
        case "m": try takeMatch(name, value)
        case "r": try takeReturn(name, value)
        case "u": try takeUse(name, value)
        case "v": try takeValue(name, value)
        // A callback, which nobody calls.
        case "f": break
        default: throw StatusError(errSecParam)
        }
    }

    private mutating func takeAttribute(_ code: AttributeCode, _ value: AnyObject) throws {
        switch code {
        // Whether the data protection keychain is meant: there is no other.
        case .noLegacy: return
        case .accessControl:
            guard let control = value as? SecAccessControl else { throw StatusError(errSecParam) }
            accessControl = control
        case .synchronizable where (value as? NSString) == kSecAttrSynchronizableAny: matchesAnySynchronizable = true
        default:
            guard let converted = AttributeValue(value), converted.byteCount <= Attributes.valueLimit else {
                throw StatusError(errSecParam)
            }
            attributes[code] = converted
        }
    }

    private mutating func takeClass(_ name: String, _ value: AnyObject) throws {
        guard name == String(kSecClass), purpose != .changes else { throw StatusError(errSecParam) }
        guard let code = (value as? String).flatMap(AttributeCode.init) else { throw StatusError(errSecNoSuchClass) }
        kind = code
    }

    /// Class and presence come in one object; beside it, a class of its own may at most say the same again.
    private mutating func settleAccessControl() throws {
        guard let accessControl else { return }
        let code = AttributeValue.string(accessControl.protectionClass.code)
        if let given = attributes[.protectionClass] {
            guard given.converted(to: .string) == code, accessControl.flags.isEmpty else {
                throw StatusError(errSecParam)
            }
        }
        attributes[.protectionClass] = code
        // What cannot be enforced is no protection; and what is synchronized can demand nobody's presence.
        guard let enforced = accessControl.enforceable else {
            throw StatusError(attributes.number(.synchronizable) == 1 ? errSecParam : errSecUnimplemented)
        }
        if !enforced.isEmpty || purpose == .changes {
            attributes[.accessControl] = .number(Int64(enforced.rawValue))
        }
    }
}

extension ItemDictionary {
    /// As the engine takes a query.
    var query: KeychainQuery {
        var query = KeychainQuery()
        query.kind = kind
        query.persistentReference = reference
        query.attributes = attributes
        query.matchesAnySynchronizable = matchesAnySynchronizable
        query.limit = limit
        query.hasLimit = hasLimit
        query.returns = nativeReturns
        query.skipsAccessControlled = interface == .skipping
        query.usesTombstones = usesTombstones
        query.profile = profile
        return query
    }

    /// The secret in locked memory; nil where there is none.
    func lockedSecret() throws -> SecretBytes? {
        if let object { return try object.secret() }
        guard let secret else { return nil }
        // The engine's own limit is lower; what would not even fit a frame never sets out.
        guard secret.count <= StreamFrame.keychainLimit else { throw StatusError(errSecParam) }
        return try SecretBytes(copying: secret.bytes)
    }
}
