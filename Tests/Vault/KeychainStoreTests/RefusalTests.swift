import EnclaveWire
import KeychainStore
import Protection
import Testing
import Wire

/// What the enclave's refusals mean: one table, for whoever asked.
@Suite struct RefusalTests {
    private func meaning(_ refusal: EnclaveRefusal, _ subject: KeychainError.Subject) -> KeychainError {
        KeychainError(refusal, about: subject, in: .locked, since: 7)
    }

    private static let refusals: [(EnclaveRefusal, KeychainStatus, KeychainError.Reason)] = [
        (.locked, .interactionNotAllowed, .locked),
        (.wrongPasscode(delay: .seconds(60)), .authenticationFailed, .wrongPasscode),
        (.delayed(delay: .seconds(60)), .authenticationFailed, .delayed),
        (.noPasscodeSet, .authenticationFailed, .noPasscodeSet),
        (.passcodeAlreadySet, .authenticationFailed, .passcodeAlreadySet),
        (.passcodeTooShort(minimum: 6), .parameter, .passcodeTooShort),
        (.notAuthentic, .decode, .damagedItem),
        (.destroyed, .itemNotFound, .none),
        (.unknownClassKey, .decode, .damagedItem),
        (.presenceRequired, .authenticationFailed, .presenceRequired),
        (.storage(errno: 28), .notAvailable, .diskFull),
        (.storage(errno: 30), .notAvailable, .readOnlyDisk),
        (.undecided, .notAvailable, .storage),
        (.gone, .notAvailable, .enclaveGone),
        (.outOfMemory, .allocation, .none),
        (.erased, .authenticationFailed, .erased),
        (.foreignGroup, .missingEntitlement, .none),
        (.biometryRefused(.tooManyFailures), .authenticationFailed, .biometryRefused),
        (.enrolmentChanged, .authenticationFailed, .enrolmentChanged),
        (.keychainLocked, .interactionNotAllowed, .keychainLocked),
        (.passwordRequired, .authenticationFailed, .itemPasswordRequired),
        (.wrongItemPassword, .authenticationFailed, .wrongItemPassword),
    ]

    @Test func `a refusal means the same, whoever hears it`() {
        for (refusal, status, reason) in Self.refusals {
            for subject in [KeychainError.Subject.device, .items(of: .whenUnlocked)] {
                let error = meaning(refusal, subject)
                #expect(error.status == status && error.reason == reason, "\(refusal)")
            }
        }
    }

    @Test func `what the enclave cannot read is a fault of the request, or of what the store has`() {
        #expect(meaning(.badRequest, .device) == KeychainError(.parameter, .malformedRequest))
        #expect(
            meaning(.badRequest, .items(of: .always)) == KeychainError(.decode, .damagedItem, protectionClass: .always))
    }

    @Test func `waits, reasons and the state go with it`() {
        #expect(meaning(.delayed(delay: .milliseconds(1)), .device).detail == 1)
        #expect(meaning(.wrongPasscode(delay: .seconds(60)), .device).detail == 60_000)
        #expect(meaning(.passcodeTooShort(minimum: 6), .device).detail == 6)
        #expect(meaning(.biometryRefused(.lockedRemotely), .device).detail == 5)
        #expect(
            meaning(.locked, .items(of: .whenUnlocked))
                == KeychainError(
                    .interactionNotAllowed, .locked, protectionClass: .whenUnlocked, lockState: .locked, since: 7))
    }
}
