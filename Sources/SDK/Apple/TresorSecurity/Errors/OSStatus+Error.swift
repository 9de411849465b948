import TresorCoreFoundation
import TresorLocalAuthentication
import Certificates
import Secrets
import Tresor
import Wire

/// A call ends with this status.
struct StatusError: Error, Equatable {
    let status: OSStatus
    init(_ status: OSStatus) { self.status = status }
}

extension OSStatus {
    /// What a call answers that failed like this.
    init(_ error: any Error) {
        switch error {
        case let known as StatusError: self = known.status
        case let known as KeychainError: self = known.status.rawValue
        case let known as LAError: self = OSStatus(known)
        case let known as CertificateReadError: self = OSStatus(known)
        case let known as KeyUseError: self = OSStatus(known)
        case is SecretMemoryError: self = errSecAllocate
        case let known as TresorError where known.status != 0: self = known.status
        default:
            // The daemon does not run, went away, is another user's, or speaks another language.
            self = errSecNotAvailable
        }
    }

    private init(_ error: LAError) {
        switch error.code {
        case .userCancel, .appCancel: self = errSecUserCanceled
        case .notInteractive: self = errSecInteractionNotAllowed
        case .systemCancel: self = errSecNotAvailable
        default: self = errSecAuthFailed
        }
    }
}

/// Runs a call's body, and says how it ended.
func status(of body: () throws -> Void) -> OSStatus {
    do {
        try body()
        return errSecSuccess
    } catch { return OSStatus(error) }
}
