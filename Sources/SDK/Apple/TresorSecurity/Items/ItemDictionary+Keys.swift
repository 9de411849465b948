import TresorCoreFoundation
import Foundation
import TresorLocalAuthentication
import Wire

// The keys that are no attributes. The tolerant profile drops, as macOS does before it asks its keychain, what a call
// does not take: matching in all but a search, returning in updates and removals, a secret in all but an addition.
extension ItemDictionary {
    private var isTolerant: Bool { profile == .tolerant }

    mutating func takeMatch(_ name: String, _ value: AnyObject) throws {
        // Without its list, a call would fall on all others too.
        if name == String(kSecMatchItemList), purpose != .add, purpose != .changes {
            guard purpose == .remove, isTolerant, let list = value as? [AnyObject] else {
                throw StatusError(errSecParam)
            }
            return listed = list
        }
        guard purpose == .find else {
            guard isTolerant else { throw StatusError(errSecParam) }
            return
        }
        switch name as CFString {
        case kSecMatchLimit: try takeLimit(value)
        case kSecMatchCaseInsensitive, kSecMatchDiacriticInsensitive, kSecMatchWidthInsensitive, kSecMatchSearchList:
            break
        default: narrowsCertificates = true
        }
    }

    private mutating func takeLimit(_ value: AnyObject) throws {
        hasLimit = true
        switch value {
        case let word as NSString where word.isEqual(kSecMatchLimitOne): limit = 1
        case let word as NSString where word.isEqual(kSecMatchLimitAll): limit = nil
        case let number as NSNumber where number.asBoolean == nil && number.int64Value > 0:
            limit = UInt32(clamping: number.int64Value)
        default: throw StatusError(errSecParam)
        }
    }

    mutating func takeReturn(_ name: String, _ value: AnyObject) throws {
        switch purpose {
        case .add, .find: break
        case .update, .remove, .changes:
            if isTolerant { return }
            guard purpose == .remove else { throw StatusError(errSecParam) }
        }
        guard let isWanted = (value as? NSNumber)?.asBoolean, let flag = ItemReturns(key: name as CFString) else {
            throw StatusError(errSecParam)
        }
        if isWanted { returns.insert(flag) }
    }

    mutating func takeValue(_ name: String, _ value: AnyObject) throws {
        switch name as CFString {
        case kSecValueData:
            if isTolerant && purpose != .add && purpose != .changes { return }
            guard let data = value as? NSData else { throw StatusError(errSecParam) }
            secret = Data(referencing: data)
        case kSecValuePersistentRef:
            guard purpose != .add, purpose != .changes, let data = value as? NSData else {
                throw StatusError(errSecParam)
            }
            try takeReference([UInt8](Data(referencing: data)))
        case kSecValueRef:
            guard purpose != .changes, let object = ItemObject(value) else { throw StatusError(errSecParam) }
            self.object = object
        default: throw StatusError(errSecParam)
        }
    }

    mutating func takeReference(_ bytes: [UInt8]) throws {
        if let certificate = FoundIdentity.certificate(bytes) {
            guard kind == nil || isIdentity else { throw StatusError(errSecParam) }
            kind = .identityClass
            reference = certificate
            return
        }
        guard let reference = PersistentReference(bytes: bytes) else { throw StatusError(errSecParam) }
        self.reference = reference
    }

    mutating func takeUse(_ name: String, _ value: AnyObject) throws {
        guard purpose != .changes else { throw StatusError(errSecParam) }
        switch name as CFString {
        case kSecUseAuthenticationContext:
            guard let context = value as? LAContext else { throw StatusError(errSecParam) }
            self.context = context
        case kSecUseAuthenticationUI: try takeInterface(value)
        case kSecUseNoAuthenticationUI: if try boolean(value) { interface = .failing }
        case kSecUseOperationPrompt:
            guard let text = value as? String else { throw StatusError(errSecParam) }
            prompt = text
        case kSecUseTombstones: usesTombstones = try boolean(value)
        case kSecUseItemList: throw StatusError(errSecParam)
        // Which keychain, and the like: there is one.
        default: break
        }
    }

    private mutating func takeInterface(_ value: AnyObject) throws {
        switch value {
        case let word as NSString where word.isEqual(kSecUseAuthenticationUIAllow): interface = .allowed
        case let word as NSString where word.isEqual(kSecUseAuthenticationUIFail): interface = .failing
        case let word as NSString where word.isEqual(kSecUseAuthenticationUISkip):
            guard purpose == .find else { throw StatusError(errSecParam) }
            interface = .skipping
        default: throw StatusError(errSecParam)
        }
    }

    private func boolean(_ value: AnyObject) throws -> Bool {
        guard let boolean = (value as? NSNumber)?.asBoolean else { throw StatusError(errSecParam) }
        return boolean
    }
}

/// What a call gives back.
struct ItemReturns: OptionSet {
    let rawValue: UInt8
    static let attributes = ItemReturns(rawValue: 1)
    static let data = ItemReturns(rawValue: 2)
    static let persistentReference = ItemReturns(rawValue: 4)
    /// The item as an object of its own type, which passwords do not have.
    static let reference = ItemReturns(rawValue: 8)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The flag of this `kSecReturn…` key.
    init?(key: CFString) {
        switch key {
        case kSecReturnAttributes: self = .attributes
        case kSecReturnData: self = .data
        case kSecReturnPersistentRef: self = .persistentReference
        case kSecReturnRef: self = .reference
        default: return nil
        }
    }

    var wireForm: KeychainQuery.Returns { KeychainQuery.Returns(rawValue: rawValue & 7) }
}
