import TresorCoreFoundation
import Certificates
import Foundation

/// Leaves a status where a call wants its reason.
///
/// - Parameter reason: in words without a value of anybody's; nil for the status's own sentence.
func cfError(_ status: OSStatus, _ reason: String? = nil) -> CFError {
    let text = reason ?? SecCopyErrorMessageString(status, nil) as String?
    return NSError(
        domain: "NSOSStatusErrorDomain", code: Int(status),
        userInfo: text.map { [NSLocalizedDescriptionKey: $0] } ?? [:])
}

/// Runs the body of a call that gives an object, or nil and a reason.
@safe func object<Result>(
    orErrorAt error: UnsafeMutablePointer<Unmanaged<CFError>?>?, _ body: () throws -> Result
) -> Result? {
    do { return try body() } catch let failure {
        store(retaining: cfError(OSStatus(failure)), at: error)
        return nil
    }
}

extension OSStatus {
    /// What a call answers whose file or key cannot be read.
    init(_ error: CertificateReadError) {
        switch error.code {
        case .wrongPassphrase: self = errSecAuthFailed
        case .outOfMemory: self = errSecAllocate
        case .legacyPKCS12, .legacyKey, .unsupported: self = errSecUnsupportedFormat
        case .unrecognized, .damaged, .tooLarge: self = errSecDecode
        }
    }

    /// What a call answers whose key does not do what it shall.
    init(_ error: KeyUseError) {
        switch error {
        case .unsuitable: self = errSecParam
        case .outOfMemory: self = errSecAllocate
        }
    }
}
