import TresorCoreFoundation
import Foundation
import Linux
import Pinentry
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
        /// Since when the device was unlocked when it was given; nil where it was locked.
        var passcodeSince: Int64?
        /// Whether it has unlocked the device since.
        var isRight = false
        var match: RecentMatch?
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

    /// Asks, and lets the device check the answer, unless what was proved within the last `seconds` is enough.
    func evaluate(_ policy: LAPolicy, _ question: Question, reusing seconds: TimeInterval) throws(LAError) {
        try checkAvailability(of: policy)
        if try isProved(policy, within: seconds) { return }
        if policy != .deviceOwnerAuthentication { return try askForFinger(question) }
        // What opened the device that is open still proves its owner, and is no new sign of them.
        try forgetOlder()
        if state.withLock({ $0.isRight }) { return }
        let passcode = try passcode(question)
        do {
            try SharedTransport.process.withTransport { transport in
                try transport.perform(.unlock(CarriedSecret(try passcode.copy())))
            }
            try noteMoment(isRight: true)
        } catch let error as LAError { throw error } catch let error as KeychainError
            where error.status == .authenticationFailed
        {
            forgetPasscode()
            throw LAError(error.reason == .noPasscodeSet ? .passcodeNotSet : .authenticationFailed)
        } catch { throw LAError(.systemCancel) }
    }

    /// What the daemon says of fingers.
    func biometry() throws(LAError) -> BiometryReport {
        do {
            return try SharedTransport.process.withTransport { transport in
                var report = BiometryReport(unavailable: .serviceFailed, refusal: nil, enrolment: nil)
                try transport.exchange(.biometry) { payload in
                    var reader = ByteReader(payload)
                    guard try KeychainReply.header(&reader).tag == .biometry else { throw DecodingError.invalid }
                    report = try BiometryReport(from: &reader)
                }
                return report
            }
        } catch { throw LAError(.systemCancel) }
    }

    /// The number for a reader on which nobody is enrolled.
    private static let notEnrolled = UInt64(BiometryReport.Problem.notEnrolled.rawValue)
    /// How long an evaluation waits for a finger.
    private static let patience = Duration.seconds(30)

    private func checkBiometry() throws(LAError) {
        let report = try biometry()
        if report.unavailable == .notEnrolled { throw LAError(.biometryNotEnrolled) }
        guard report.unavailable == nil else { throw LAError(.biometryNotAvailable) }
        guard report.refusal == nil else { throw LAError(.biometryLockout) }
    }

    /// Whether nobody has to be asked: the finger was there a moment ago, or, where the passcode does, the device was
    /// unlocked by it.
    private func isProved(_ policy: LAPolicy, within seconds: TimeInterval) throws(LAError) -> Bool {
        guard seconds > 0 else { return false }
        let match = state.withLock { $0.match }
        guard match != nil || policy == .deviceOwnerAuthentication else { return false }
        let device = try moment()
        if match?.serves(at: SystemClock.bootMilliseconds(), within: seconds, device) == true { return true }
        return policy == .deviceOwnerAuthentication
            && device.wasUnlocked(at: SystemClock.wallMicroseconds(), within: seconds)
    }

    private func moment() throws(LAError) -> DeviceMoment {
        let status = try status()
        // Where the reader can't be asked, no finger counts; the passcode may.
        let report = try? biometry()
        return DeviceMoment(
            enrolment: report?.refusal == nil ? report?.enrolment : nil,
            unlockedSince: status.enclave.lock == .unlocked ? status.since : nil,
            hasPasscode: status.enclave.hasPasscode)
    }

    /// What is proved is proved to the caller alone: an item asks for a finger of its own.
    ///
    /// The device is looked at before the finger comes: what changes meanwhile makes the next evaluation ask again.
    private func askForFinger(_ question: Question) throws(LAError) {
        guard question.mayAsk else { throw LAError(.notInteractive) }
        let device = try moment()
        let claim = BiometryClaim(
            item: Identifier(high: 0, low: 0), operation: ProtectedOperation.read.rawValue, patience: Self.patience)
        do {
            try SharedTransport.process.withTransport { try $0.perform(.proveBiometry(claim)) }
            let match = RecentMatch(at: SystemClock.bootMilliseconds(), device)
            state.withLock { $0.match = $0.isInvalid ? nil : match }
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
        let given = try ask(question)
        do {
            let kept = try given.copy()
            // Invalidated while the owner was typing.
            guard keep(kept) else { throw LAError(.appCancel) }
            try noteMoment(isRight: false)
        } catch let error as LAError { throw error } catch { throw LAError(.systemCancel) }
        return given
    }

    func forgetPasscode() {
        state.withLock {
            $0.passcode = nil
            $0.passcodeSince = nil
            $0.isRight = false
        }
    }

    private func noteMoment(isRight: Bool) throws(LAError) {
        let since = try unlockedSince()
        state.withLock {
            guard $0.passcode != nil else { return }
            $0.passcodeSince = since
            $0.isRight = isRight && since != nil
        }
    }

    /// What was given is good until the device locks: nobody may be there any more.
    private func forgetOlder() throws(LAError) {
        guard state.withLock({ $0.passcode != nil }) else { return }
        let since = try unlockedSince()
        if since == nil || state.withLock({ $0.passcodeSince }) != since { forgetPasscode() }
    }

    private func unlockedSince() throws(LAError) -> Int64? {
        let status = try status()
        return status.enclave.lock == .unlocked ? status.since : nil
    }

    var isInvalidated: Bool { state.withLock { $0.isInvalid } }

    func invalidate() {
        state.withLock {
            $0.isInvalid = true
            $0.passcode = nil
            $0.passcodeSince = nil
            $0.isRight = false
            $0.match = nil
        }
    }

    /// - Returns: nil where none was given, or the device has been locked since.
    private func known() throws(LAError) -> SecretBytes? {
        try forgetOlder()
        return try state.withLock { (state) throws(LAError) in
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

    private func hasPasscode() throws(LAError) -> Bool { try status().enclave.hasPasscode }

    private func status() throws(LAError) -> DaemonStatus {
        do {
            return try SharedTransport.process.withTransport { transport in
                var status: DaemonStatus?
                try transport.exchange(.status) { payload in
                    var reader = ByteReader(payload)
                    let head = try KeychainReply.header(&reader)
                    guard head.tag == .status else { throw DecodingError.invalid }
                    status = try DaemonStatus(from: &reader)
                }
                guard let status else { throw DecodingError.invalid }
                return status
            }
        } catch { throw LAError(.systemCancel) }
    }

    private func ask(_ question: Question) throws(LAError) -> SecretBytes {
        if let prompter = question.prompter {
            do { return try prompter(question.reason) } catch let error as LAError { throw error } catch {
                throw LAError(.userCancel)
            }
        }
        let text = Self.text(question.reason)
        do {
            return SecretBytes(try Terminal.readHiddenLine(prompt: text + "\nPasscode: "))
        } catch is LinuxError {
            // There is no terminal.
            return try askInWindow(text)
        } catch { throw LAError(.userCancel) }
    }

    /// A program that was started from a desktop has a display, and pinentry a window on it.
    private func askInWindow(_ text: String) throws(LAError) -> SecretBytes {
        guard Pinentry.hasDisplay else { throw LAError(.notInteractive) }
        do {
            return try Pinentry().ask(description: text, prompt: "Passcode:", isCancelled: { isInvalid })
        } catch {
            guard !isInvalid else { throw LAError(.appCancel) }
            switch error {
            case .cancelled, .timedOut: throw LAError(.userCancel)
            case .notInstalled, .failed: throw LAError(.notInteractive)
            case .tooLong: throw LAError(.authenticationFailed)
            case .malformed, .system: throw LAError(.systemCancel)
            }
        }
    }

    private var isInvalid: Bool { state.withLock { $0.isInvalid } }

    /// Names the program, since any of them may ask; nothing in it can move the terminal's cursor.
    private static func text(_ reason: String) -> String {
        let program = ProcessInfo.processInfo.processName
        let line = "\(program) asks for the device's owner: \(reason.isEmpty ? "a protected item" : reason)"
        let shown = line.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
            default: true
            }
        }
        return String(String.UnicodeScalarView(shown))
    }
}
