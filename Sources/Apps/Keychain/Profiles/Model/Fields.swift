import Localization
package import Secrets

/// The fields of one dictionary of a profile, read by name; what is wrong is reported by name.
struct Fields {
    let values: [String: PropertyListValue]
    /// Where the dictionary stands: empty for the profile itself.
    let path: String

    /// No name that a person reads is longer.
    static let longestText = 4096

    init(_ value: PropertyListValue, _ path: String) throws(ProfileError) {
        guard case .dictionary(let values) = value else {
            throw ProfileError(.field, path, localized("is a \(value.kind), and has to be a dict"))
        }
        self.values = values
        self.path = path
    }

    func name(_ field: String) -> String { path.isEmpty ? field : "\(path).\(field)" }

    func failure(_ field: String, _ message: String) -> ProfileError { ProfileError(.field, name(field), message) }

    private func mismatch(_ field: String, _ value: PropertyListValue, _ kind: String) -> ProfileError {
        failure(field, localized("is a \(value.kind), and has to be a \(kind)"))
    }

    private func missing(_ field: String) -> ProfileError { failure(field, localized("is missing")) }

    func optionalText(_ field: String, _ list: borrowing PropertyList) throws(ProfileError) -> String? {
        guard let value = values[field] else { return nil }
        guard case .string(let text) = value else { throw mismatch(field, value, "string") }
        guard text.count <= Self.longestText else {
            throw failure(field, localized("has more than \(Self.longestText) bytes"))
        }
        return list.string(text)
    }

    /// Of at least one character.
    func text(_ field: String, _ list: borrowing PropertyList) throws(ProfileError) -> String {
        guard let text = try optionalText(field, list) else { throw missing(field) }
        guard !text.isEmpty else { throw failure(field, localized("is empty")) }
        return text
    }

    /// In bytes.
    private static let longestSecret = 4096

    /// A password: from locked memory to locked memory.
    ///
    /// Some fields are data in some editions of the format and strings in others.
    func optionalSecret(_ field: String, _ list: borrowing PropertyList) throws(ProfileError) -> ProfileSecret? {
        guard let value = values[field] else { return nil }
        switch value {
        case .string(let content), .data(let content):
            // A binary list may say one long text in every payload, and each would lie in locked memory.
            guard content.count <= Self.longestSecret else {
                throw failure(field, localized("has more than \(Self.longestSecret) bytes"))
            }
            return ProfileSecret(try securing { try list.secret(content) })
        default: throw mismatch(field, value, "string")
        }
    }

    /// A password that is not empty: an empty one stands for none.
    func optionalPassword(_ field: String, _ list: borrowing PropertyList) throws(ProfileError) -> ProfileSecret? {
        guard let secret = try optionalSecret(field, list), secret.bytes.count > 0 else { return nil }
        return secret
    }

    func data(_ field: String) throws(ProfileError) -> PropertyListContent {
        guard let value = values[field] else { throw missing(field) }
        guard case .data(let content) = value else { throw mismatch(field, value, "data") }
        return content
    }

    func optionalInteger(_ field: String, _ range: ClosedRange<Int64>) throws(ProfileError) -> Int? {
        guard let value = values[field] else { return nil }
        guard case .integer(let number) = value else { throw mismatch(field, value, "integer") }
        guard range.contains(number) else {
            throw failure(field, localized("is not from \(range.lowerBound) to \(range.upperBound)"))
        }
        return Int(number)
    }

    func optionalBool(_ field: String) throws(ProfileError) -> Bool? {
        guard let value = values[field] else { return nil }
        guard case .bool(let flag) = value else { throw mismatch(field, value, "boolean") }
        return flag
    }

    func optionalFields(_ field: String) throws(ProfileError) -> Fields? {
        guard let value = values[field] else { return nil }
        return try Fields(value, name(field))
    }

    func array(_ field: String) throws(ProfileError) -> [PropertyListValue] {
        guard let value = values[field] else { throw missing(field) }
        guard case .array(let values) = value else { throw mismatch(field, value, "array") }
        return values
    }
}

/// A password of a profile, in locked memory.
///
/// A class, since an array takes no value that cannot be copied.
package final class ProfileSecret: Sendable {
    package let bytes: SecretBytes

    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
