import Certificates
import Localization

/// Why a profile is refused.
///
/// It names the field and what is wrong with it, and nothing that stands in the field.
package struct ProfileError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        /// The file is no property list, or no profile.
        case notProfile
        /// A field is missing, of another kind than it has to be, or contradicts another.
        case field
        /// Well-formed, of a kind that is refused: encrypted, or signed in a way that is not taken.
        case unsupported
        /// The signature does not hold, or a certificate or key is damaged.
        case damaged
        /// What the keychain keeps of an installed profile cannot be read.
        case damagedRecord
        /// Nobody who is trusted vouches for the signer.
        case untrusted
        /// No profile of this identifier is installed.
        case notInstalled
        /// The profile says that it may not be removed.
        case removalDisallowed
        /// No locked memory is left.
        case outOfMemory
    }

    package let code: Code
    /// The field, from the profile down, as `PayloadContent[2].SSID_STR`; empty where it is none's.
    package let field: String
    /// What is wrong, in words.
    package let message: String

    package init(_ code: Code, _ field: String = "", _ message: String) {
        self.code = code
        self.field = field
        self.message = message
    }

    init(_ error: PropertyListError) {
        self.init(
            error.reason == .outOfMemory ? .outOfMemory : .notProfile, "", localized("the file \(error.description)"))
    }

    init(_ error: CertificateReadError, _ field: String = "") {
        let code: Code =
            switch error.code {
            case .outOfMemory: .outOfMemory
            case .damaged, .wrongPassphrase: field.isEmpty ? .damaged : .field
            default: field.isEmpty ? .unsupported : .field
            }
        self.init(code, field, error.description)
    }

    package var description: String { field.isEmpty ? message : "\(field): \(message)" }
}

/// Turns "no more locked memory" into this module's error.
func securing<Result: ~Copyable>(_ body: () throws -> Result) throws(ProfileError) -> Result {
    do { return try body() } catch let error as ProfileError { throw error } catch {
        throw ProfileError(.outOfMemory, "", localized("no locked memory is left"))
    }
}
