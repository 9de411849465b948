import Envelopes
import Protection
package import Secrets
import Wire

/// Which keychains a query means.
enum KeychainScope: Equatable {
    /// All of them.
    case any
    /// The one that is always there.
    case login
    case named(String)

    /// - Parameter name: as the query gives it; nil where it gives none.
    init(_ name: String?) {
        self =
            switch name {
            case nil: .any
            case let name? where KeychainName.isSame(name, KeychainName.login): .login
            case let name?: .named(name)
            }
    }

    /// - Parameter name: an item's; nil for `login`.
    func contains(_ name: String?) -> Bool {
        switch self {
        case .any: true
        case .login: name == nil
        case .named(let wanted): name.map { KeychainName.isSame($0, wanted) } ?? false
        }
    }
}

/// The keychains that the owner has made, beside the one that is always there.
package struct KeychainDirectory: Equatable, Sendable {
    /// The keychain's key, where it has a passcode of its own.
    package private(set) var keys: [String: Identifier?] = [:]
    /// Nil for `login`.
    package var defaultName: String?
    /// Whose records this device did not write.
    private var refused: Set<String> = []
    /// Whether it is not known where an item lies that names no keychain, because that record was not written here.
    package var refusesDefault = false

    /// No keychain but the one that is always there.
    package init() {}

    /// Ascending, without `login`.
    package var names: [String] { keys.keys.sorted() }

    /// Nil where there is no keychain of exactly this name.
    package subscript(_ name: String) -> Identifier?? {
        guard let index = keys.index(forKey: name), KeychainName.isSame(keys[index].key, name) else { return nil }
        return .some(keys[index].value)
    }

    /// - Parameter key: of the keychain's own passcode; nil for one that opens with the device.
    package mutating func insert(_ name: String, key: Identifier?) { keys[name] = .some(key) }

    /// A keychain that takes nothing and opens for nobody.
    package mutating func refuse(_ name: String) {
        insert(name, key: nil)
        refused.insert(name)
    }

    /// Whether anything is refused, as somebody else wrote it.
    package var hasRefused: Bool { refusesDefault || !refused.isEmpty }

    /// Whether the record of exactly this name was not written here.
    package func isRefused(_ name: String) -> Bool { refused.contains { KeychainName.isSame($0, name) } }

    /// Forgets a keychain; where it was the default, `login` is again.
    package mutating func remove(_ name: String) {
        keys[name] = nil
        refused.remove(name)
        if defaultName == name { defaultName = nil }
    }

    /// Nil stands for `login`; the default keychain comes first.
    func names(in scope: KeychainScope) -> [String?] {
        switch scope {
        case .login: return [nil]
        case .named(let name): return [name]
        case .any:
            let others: [String?] = [nil] + names
            return [defaultName] + others.filter { $0 != defaultName }
        }
    }
}

/// Where an item shall lie.
struct KeychainPlace {
    /// Nil for `login`.
    let name: String?
    let key: Identifier?

    func take(_ attributes: inout Attributes) {
        attributes[.keychain] = name.map { .string($0) }
        attributes[.keychainKey] = key.map { .data($0.bytes) }
    }
}

// Where items lie, and what a search of a keychain comes to.
extension KeychainDirectory {
    /// Says where a new item lies: in the keychain that it names, or in the owner's default.
    ///
    /// What Tresor's own programs keep stays where it is always found.
    func place(_ attributes: inout Attributes, for caller: Caller) throws {
        let group = attributes.string(.accessGroup) ?? caller.accessGroups.first ?? ""
        let fallback = group.hasPrefix(AccessGroup.ourPrefix) ? nil : defaultName
        // What goes to other devices can't lie in a keychain of this one.
        let isLocal = attributes.number(.synchronizable) != 1
        if refusesDefault, isLocal, attributes.string(.keychain) == nil,
            !group.hasPrefix(AccessGroup.ourPrefix)
        {
            throw KeychainError(.decode, .damagedItem)
        }
        let name = attributes.string(.keychain) ?? (isLocal ? fallback : nil) ?? KeychainName.login
        try keychainPlace(name).take(&attributes)
    }

    /// Takes the keychain that an update moves its matches to out of the changes.
    func destination(_ changes: inout Attributes) throws -> KeychainPlace? {
        guard let value = changes[.keychain] else { return nil }
        guard case .string(let name) = value else { throw KeychainError(.parameter) }
        changes[.keychain] = nil
        return try keychainPlace(name)
    }

    /// Nothing was found: in a keychain that there is, or is not.
    func nothingFound(in scope: KeychainScope) -> KeychainError {
        guard case .named(let name) = scope, self[name] == nil else { return KeychainError(.itemNotFound) }
        return KeychainError(KeychainName.readOnly.contains(name) ? .readOnly : .noSuchKeychain)
    }

    private func keychainPlace(_ name: String) throws -> KeychainPlace {
        if KeychainName.isSame(name, KeychainName.login) { return KeychainPlace(name: nil, key: nil) }
        if KeychainName.readOnly.contains(name) { throw KeychainError(.readOnly) }
        guard let key = self[name] else { throw KeychainError(.noSuchKeychain) }
        guard !isRefused(name) else { throw KeychainError(.decode, .damagedItem) }
        return KeychainPlace(name: name, key: key)
    }
}
