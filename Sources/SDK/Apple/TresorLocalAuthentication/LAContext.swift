import TresorCoreFoundation
package import Secrets
import Wire

/// How a program proves that the device's owner is there: by the passcode, which the owner is asked for.
///
/// A context asks once. What the owner gave is kept in locked memory and serves later calls with the same context,
/// until it turns out wrong, ``invalidate()`` is called, or the context goes away.
///
///     let context = LAContext()
///     context.passcodePrompter = { reason in try askInAWindow(reason) }
///     if try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "show the card") { … }
///
/// As the value of `kSecUseAuthenticationContext` it answers for items with access control. Where no prompter is set,
/// the owner is asked at the terminal that the process belongs to; where it belongs to none, in a window of pinentry's,
/// if that is installed and there is a display; else nobody can be asked.
///
/// A context belongs to one task or thread at a time, as any object that is not `Sendable`.
open class LAContext: NSObject {
    /// Asks the owner for the passcode.
    ///
    /// Ours; Apple's system asks by itself. The argument says what for. It returns the passcode as UTF-8, and throws
    /// when the owner declines: an ``LAError`` is passed on, any other error counts as ``LAError/Code/userCancel``.
    public typealias PasscodePrompter = @Sendable (_ reason: String) throws -> SecretBytes

    /// How the owner is asked; nil asks at the terminal, or in a window of pinentry's.
    open var passcodePrompter: PasscodePrompter?

    /// What the owner is told when a keychain call asks.
    open var localizedReason = ""

    /// Whether nobody may be asked: then what needs an answer fails with ``LAError/Code/notInteractive``, and a
    /// keychain call with `errSecInteractionNotAllowed`.
    ///
    /// What the owner has given before still serves.
    open var interactionNotAllowed = false

    /// A button's title on Apple's platforms.
    ///
    /// It is kept, and nothing shows it.
    open var localizedFallbackTitle: String?

    /// A button's title on Apple's platforms.
    ///
    /// It is kept, and nothing shows it.
    open var localizedCancelTitle: String?

    /// For how many seconds a proof counts again, without asking: from 0, which is never, to
    /// ``LATouchIDAuthenticationMaximumAllowableReuseDuration``; what is beyond is cut.
    ///
    /// ``evaluatePolicy(_:localizedReason:)`` succeeds at once
    /// - where a finger was proved to this same context within that time, by any policy, and since then the device was
    ///   not locked, no finger was enrolled or deleted, and the rules did not come to demand the passcode;
    /// - by ``LAPolicy/deviceOwnerAuthentication`` also where the device was unlocked within that time: it was the
    ///   passcode that did it. A finger unlocks no device here; so no unlocking counts for the biometric policies.
    ///
    /// It serves the program's own question alone, and no item: an item that demands a finger asks for a fresh one in
    /// each call, and one that demands the passcode for that, since the enclave's verdict is good for one operation.
    /// How long ago the device was unlocked is told by the clock of the wall, which root can set.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { reuseDuration }
        set { reuseDuration = min(max(0, newValue), LATouchIDAuthenticationMaximumAllowableReuseDuration) }
    }

    private var reuseDuration: TimeInterval = 0
    private let owner = OwnerSession()

    /// A context that nobody has given anything yet.
    public override init() {}

    /// Which biometric verifier there is: a fingerprint reader that fprintd serves, or none.
    open var biometryType: LABiometryType {
        guard let report = try? owner.biometry() else { return .none }
        return report.unavailable == nil || report.unavailable == .notEnrolled ? .touchID : .none
    }

    /// Which fingers are enrolled: 32 bytes that change when they do; nil where none are, or there is no reader.
    open var evaluatedPolicyDomainState: Data? { (try? owner.biometry())?.enrolment.map { Data($0) } }

    /// Whether an evaluation could succeed, without asking anybody.
    ///
    /// - Parameters:
    ///   - policy: what the owner shall prove.
    ///   - error: gets an ``LAError`` where the answer is no.
    open func canEvaluatePolicy(_ policy: LAPolicy, error: UnsafeMutablePointer<NSError?>?) -> Bool {
        do {
            try owner.checkAvailability(of: policy)
            return true
        } catch let refusal {
            store(refusal as NSError, at: error)
            return false
        }
    }

    /// Asks the owner, on a thread of its own, and checks the passcode as the lock screen does.
    ///
    /// A wrong passcode counts as a try; a right one also unlocks a locked device.
    ///
    /// - Parameters:
    ///   - policy: what the owner shall prove.
    ///   - localizedReason: what the owner is told.
    ///   - reply: gets true, or false and an ``LAError``, on an unspecified thread.
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let (owner, question, duration) = (owner, question(localizedReason), reuseDuration)
        Thread.detachNewThread {
            do {
                try owner.evaluate(policy, question, reusing: duration)
                reply(true, nil)
            } catch { reply(false, error) }
        }
    }

    /// Asks the owner, as ``evaluatePolicy(_:localizedReason:reply:)`` does.
    ///
    /// - Returns: true.
    /// - Throws: ``LAError``.
    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluatePolicy(policy, localizedReason: localizedReason) { isProved, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: isProved) }
            }
        }
    }

    /// Gives the context what it shall answer with where an item demands it.
    ///
    ///     context.setCredential(Data(password.utf8), type: .applicationPassword)
    ///
    /// - Parameters:
    ///   - credential: UTF-8; copied into locked memory, while the caller's copy stays the caller's. Nil takes it back.
    ///   - type: what it is.
    /// - Returns: false for a type that nothing here takes, an empty credential, one of more than 1,024 bytes, and on a
    ///   context that was invalidated.
    @discardableResult
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        guard type == .applicationPassword, !owner.isInvalidated else { return false }
        guard let credential else {
            givenPassword = nil
            return true
        }
        guard (1...WireLimits.passcode).contains(credential.count),
            let copy = try? SecretBytes(copying: credential.bytes)
        else { return false }
        givenPassword = HeldPassword(copy)
        return true
    }

    /// Whether the context has such a credential.
    open func isCredentialSet(_ type: LACredentialType) -> Bool { type == .applicationPassword && givenPassword != nil }

    private var givenPassword: HeldPassword?

    private final class HeldPassword {
        let bytes: SecretBytes
        init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
    }

    /// The password of items that have one of their own; nil where none was set.
    package func applicationPassword() throws -> SecretBytes? { try givenPassword?.bytes.copy() }

    /// Wipes what the owner gave, and makes every later evaluation fail with ``LAError/Code/invalidContext``.
    ///
    /// A window of pinentry's that is open for this context is closed.
    open func invalidate() {
        givenPassword = nil
        owner.invalidate()
    }

    private func question(_ reason: String, mayAsk: Bool = true) -> OwnerSession.Question {
        OwnerSession.Question(
            reason: localizedReason.isEmpty || !reason.isEmpty ? reason : localizedReason,
            mayAsk: mayAsk && !interactionNotAllowed, prompter: passcodePrompter)
    }

    /// The passcode, for a keychain call: what the owner gave before, or gives now.
    ///
    /// - Parameters:
    ///   - reason: what the owner is told; empty for the context's own.
    ///   - mayAsk: whether the call allows it.
    package func passcode(_ reason: String, mayAsk: Bool) throws(LAError) -> SecretBytes {
        try owner.passcode(question(reason, mayAsk: mayAsk))
    }

    /// The passcode was wrong: the next call asks anew.
    package func forgetPasscode() { owner.forgetPasscode() }
}
