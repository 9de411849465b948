import Localization

/// Why a file of certificates or keys cannot be read.
///
/// The message says what is wrong and where, in the words of the formats. It holds nothing that stands in a key, a
/// name or a passphrase.
package struct CertificateReadError: Error, Equatable, CustomStringConvertible, Sendable {
    /// What programs tell apart.
    package enum Code: Sendable, Equatable {
        /// Neither PEM nor a DER form that is read here.
        case unrecognized
        /// Cut short, longer than it says, contradictory, or not in the one form that DER allows.
        case damaged
        /// Well-formed, of a kind that is refused.
        case unsupported
        /// A PKCS#12 file under an encryption of the 1990s.
        case legacyPKCS12
        /// A private key under an encryption of the 1990s.
        case legacyKey
        /// The passphrase is wrong, or the bytes were changed; a check by passphrase cannot tell which.
        case wrongPassphrase
        /// Above a limit on bytes, entries or work.
        case tooLarge
        /// No locked memory is left.
        case outOfMemory
    }

    /// What programs tell apart.
    package let code: Code
    /// What is wrong.
    package let message: String
    /// Where, from the outermost part to the innermost.
    package let places: [String]

    /// - Parameters:
    ///   - message: what is wrong, without a word of the content.
    ///   - places: where, from the outermost part to the innermost.
    package init(_ code: Code, _ message: String, at places: [String] = []) {
        self.code = code
        self.message = message
        self.places = places
    }

    /// Place and message in one line.
    package var description: String { (places + [message]).joined(separator: ": ") }

    /// What helps, for people.
    package var hint: String? {
        switch code {
        case .legacyPKCS12:
            localized("convert it: openssl pkcs12 -legacy -in OLD.p12 -nodes | openssl pkcs12 -export -out NEW.p12")
        case .legacyKey: localized("convert it: openssl pkcs8 -topk8 -v2 aes-256-cbc -in OLD.pem -out NEW.pem")
        case .outOfMemory: localized("raise the limit: ulimit -l (RLIMIT_MEMLOCK)")
        default: nil
        }
    }

    /// The same, inside of `place`.
    func at(_ place: String) -> CertificateReadError {
        CertificateReadError(code, message, at: [place] + places)
    }
}

/// Turns "no more locked memory" into this module's error.
func securing<Result: ~Copyable>(
    _ body: () throws -> Result
) throws(CertificateReadError) -> Result {
    do { return try body() } catch let error as CertificateReadError { throw error } catch {
        throw CertificateReadError(.outOfMemory, localized("no locked memory is left"))
    }
}
