import Foundation
import TresorLocalAuthentication

/// What LocalAuthentication says of fingers.
enum Fingers {
    private static let policy = LAPolicy.deviceOwnerAuthenticationWithBiometrics

    /// The type, the code of the error or 0, and the domain state or "none".
    static func describe() {
        let context = LAContext()
        var error: NSError?
        let code = context.canEvaluatePolicy(policy, error: &error) ? 0 : error?.code ?? 1
        let state = context.evaluatedPolicyDomainState?.map { String(format: "%02x", $0) }.joined() ?? "none"
        print("\(context.biometryType.rawValue) \(code) \(state)")
    }

    /// Waits for a finger; 0, or the code of the error.
    static func evaluate() {
        let done = DispatchSemaphore(value: 0)
        LAContext().evaluatePolicy(policy, localizedReason: "test") { isProved, error in
            print(isProved ? 0 : (error as? LAError)?.code.rawValue ?? 1)
            done.signal()
        }
        done.wait()
    }
}
