import TresorCoreFoundation
import Foundation
import Linux
import Protection
import Secrets
import Synchronization
import Tresor
import Wire

/// What the owner gave to one context, and how to ask for it.
final class OwnerSession: Sendable {
    /// How to ask, if it comes to that.
    struct Question: Sendable {
        let reason: String
        let mayAsk: Bool
        let prompter: LAContext.PasscodePrompter?
    }

    private struct State: ~Copyable {
        var passcode: SecretBytes?
        var isInvalid = false
    }

    private let state = Mutex(State())

    /// Whether an evaluation could succeed.
    func checkAvailability(of policy: LAPolicy) throws(LAError) {
        guard !state.withLock({ $0.isInvalid }) else { throw LAError(.invalidContext) }
        switch policy {
        case .deviceOwnerAuthentication: break
        case .deviceOwnerAuthenticationWithWatch: throw LAError(.watchNotAvailable)
        case .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthenticationWithBiometricsOrWatch:
            return try checkBiometry()
        }
        guard try hasPasscode() else { throw LAError(.passcodeNotSet) }
    }

    /// Asks, and lets the device check the answer.
    func evaluate(_ policy: LAPolicy, _ question: Question) throws(LAError) {
        try checkAvailability(of: policy)
        if policy != .deviceOwnerAuthentication { return try askForFinger(question) }
        let passcode = try passcode(question)
        do {
            try SharedTransport.process.withTransport { transport in
                try transport.perform(.unlock(CarriedSecret(try passcode.copy())))
            }
        } catch let error as KeychainError where error.status == .authenticationFailed {
            forgetPasscode()
            throw LAError(error.reason == .noPasscodeSet ? .passcodeNotSet : .authenticationFailed)
        } catch { throw LAError(.systemCancel) }
    }

    /// What the daemon says of fingers.
    func biometry() throws(LAError) -> BiometryReport {
        do {
            return try SharedTransport.process.withTransport { transport in
                var report = BiometryReport(unavailable: 4, refusal: nil, enrolment: nil)
                try transport.exchange(.biometry) { payload in
                    var reader = ByteReader(payload)
                    guard try NativeReply.header(&reader).tag == .biometry else { throw DecodingError.invalid }
                    report = try BiometryReport(from: &reader)
                }
                return report
            }
        } catch { throw LAError(.systemCancel) }
    }

    /// The number of specs/wire.md for a reader on which nobody is enrolled.
    private static let notEnrolled: UInt64 = 8
    /// How long an evaluation waits for a finger, in milliseconds.
    private static let patience: UInt32 = 30_000

    private func checkBiometry() throws(LAError) {
        let report = try biometry()
        if UInt64(report.unavailable) == Self.notEnrolled { throw LAError(.biometryNotEnrolled) }
        guard report.unavailable == 0 else { throw LAError(.biometryNotAvailable) }
        guard report.refusal == nil else { throw LAError(.biometryLockout) }
    }

    /// What is proved is proved to the caller alone: an item asks for a finger of its own.
    private func askForFinger(_ question: Question) throws(LAError) {
        guard question.mayAsk else { throw LAError(.notInteractive) }
        let claim = BiometryClaim(
            item: Identifier(high: 0, low: 0), operation: ProtectedOperation.read.rawValue, milliseconds: Self.patience)
        do {
            try SharedTransport.process.withTransport { try $0.perform(.proveBiometry(claim)) }
        } catch let error as KeychainError {
            switch error.reason {
            case .biometryNoMatch: throw LAError(.authenticationFailed)
            case .biometryTimedOut: throw LAError(.userCancel)
            case .biometryRefused, .locked: throw LAError(.biometryLockout)
            case .biometryUnavailable:
                throw LAError(error.detail == Self.notEnrolled ? .biometryNotEnrolled : .biometryNotAvailable)
            default: throw LAError(.systemCancel)
            }
        } catch { throw LAError(.systemCancel) }
    }

    /// What the owner gave before, or gives now.
    ///
    /// The lock is not held while somebody is asked.
    func passcode(_ question: Question) throws(LAError) -> SecretBytes {
        if let known = try known() { return known }
        guard question.mayAsk else { throw LAError(.notInteractive) }
        let given = try Self.ask(question)
        do {
            let kept = try given.copy()
            // Invalidated while the owner was typing.
            guard keep(kept) else { throw LAError(.appCancel) }
        } catch let error as LAError { throw error } catch { throw LAError(.systemCancel) }
        return given
    }

    func forgetPasscode() { state.withLock { $0.passcode = nil } }

    func invalidate() {
        state.withLock {
            $0.isInvalid = true
            $0.passcode = nil
        }
    }

    private func known() throws(LAError) -> SecretBytes? {
        try state.withLock { (state) throws(LAError) in
            guard !state.isInvalid else { throw LAError(.invalidContext) }
            switch state.passcode {
            case .some(let passcode):
                do { return try passcode.copy() } catch { throw LAError(.systemCancel) }
            case .none: return nil
            }
        }
    }

    private func keep(_ passcode: consuming SecretBytes) -> Bool {
        var offered: SecretBytes? = passcode
        return state.withLock { state in
            guard !state.isInvalid else { return false }
            state.passcode = offered.take()
            return true
        }
    }

    private func hasPasscode() throws(LAError) -> Bool {
        do {
            return try SharedTransport.process.withTransport { transport in
                var hasPasscode = false
                try transport.exchange(.status) { payload in
                    var reader = ByteReader(payload)
                    let head = try NativeReply.header(&reader)
                    guard head.tag == .status else { throw DecodingError.invalid }
                    hasPasscode = try DaemonStatus(from: &reader).enclave.hasPasscode
                }
                return hasPasscode
            }
        } catch { throw LAError(.systemCancel) }
    }

    private static func ask(_ question: Question) throws(LAError) -> SecretBytes {
        do {
            if let prompter = question.prompter { return try prompter(question.reason) }
            return SecretBytes(try Terminal.readHiddenLine(prompt: prompt(question.reason)))
        } catch let error as LAError { throw error } catch is LinuxError {
            // There is no terminal.
            throw LAError(.notInteractive)
        } catch { throw LAError(.userCancel) }
    }

    /// Names the program, since any of them may ask; nothing in it can move the terminal's cursor.
    private static func prompt(_ reason: String) -> String {
        let program = ProcessInfo.processInfo.processName
        let line = "\(program) asks for the device's owner: \(reason.isEmpty ? "a protected item" : reason)"
        let shown = line.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
            default: true
            }
        }
        return String(String.UnicodeScalarView(shown)) + "\nPasscode: "
    }
}
