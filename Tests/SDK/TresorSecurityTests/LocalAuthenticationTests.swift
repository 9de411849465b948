import Foundation
import TresorLocalAuthentication
import Testing
import TresorTesting

extension AppleAPI {
    @Suite struct Contexts {
        let device: TestDevice

        init() throws { device = try Fixture().device }

        private func context(_ text: String) -> LAContext {
            let context = LAContext()
            context.passcodePrompter = passcode(text)
            return context
        }

        private func code(_ context: LAContext, _ policy: LAPolicy = .deviceOwnerAuthentication) async -> LAError.Code?
        {
            do {
                _ = try await context.evaluatePolicy(policy, localizedReason: "test")
                return nil
            } catch { return (error as? LAError)?.code }
        }

        @Test func `the owner can be authenticated once a passcode is set`() throws {
            let context = LAContext()
            var error: NSError?
            #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
            #expect(error?.domain == LAErrorDomain)
            #expect(error?.code == LAError.passcodeNotSet.rawValue)
            try device.setPasscode("1234")
            #expect(context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
        }

        @Test func `there are no biometrics`() async throws {
            try device.setPasscode("1234")
            let context = context("1234")
            var error: NSError?
            #expect(!context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error))
            #expect(error?.code == LAError.Code.biometryNotAvailable.rawValue)
            #expect(await code(context, .deviceOwnerAuthenticationWithBiometrics) == .biometryNotAvailable)
            #expect(context.biometryType == .none)
            #expect(context.evaluatedPolicyDomainState == nil)
        }

        @Test func `the passcode proves the owner, and another does not`() async throws {
            try device.setPasscode("1234")
            #expect(await code(context("4321")) == .authenticationFailed)
            #expect(try await context("1234").evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "test"))
        }

        @Test func `what a context keeps opens nothing that was locked since`() async throws {
            try device.setPasscode("1234")
            let context = context("1234")
            #expect(await code(context) == nil)
            context.passcodePrompter = { _ in throw CancellationError() }
            #expect(await code(context) == nil, "it was given a moment ago")
            try device.lock()
            #expect(await code(context) == .userCancel)
            #expect(device.lockState == .locked)
            context.interactionNotAllowed = true
            #expect(await code(context) == .notInteractive)
            #expect(device.lockState == .locked)
            // Somebody unlocks it: that is another opening, and whoever it was is asked.
            try device.unlock("1234")
            #expect(await code(context) == .notInteractive)
            context.interactionNotAllowed = false
            context.passcodePrompter = passcode("1234")
            #expect(await code(context) == nil)
        }

        @Test func `a reply comes by closure as well`() async throws {
            try device.setPasscode("1234")
            let context = context("1234")
            let isProved = await withCheckedContinuation { continuation in
                context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "test") { isProved, _ in
                    continuation.resume(returning: isProved)
                }
            }
            #expect(isProved)
        }

        @Test func `an owner may decline`() async throws {
            try device.setPasscode("1234")
            let context = LAContext()
            context.passcodePrompter = { _ in throw CancellationError() }
            #expect(await code(context) == .userCancel)
            context.passcodePrompter = { _ in throw LAError(.userFallback) }
            #expect(await code(context) == .userFallback)
        }

        @Test func `where interaction is not allowed, nobody is asked`() async throws {
            try device.setPasscode("1234")
            let context = context("1234")
            context.interactionNotAllowed = true
            #expect(await code(context) == .notInteractive)
        }

        @Test func `an invalidated context proves nothing`() async throws {
            try device.setPasscode("1234")
            let context = context("1234")
            #expect(await code(context) == nil)
            context.invalidate()
            #expect(await code(context) == .invalidContext)
            #expect(!context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
        }

        @Test func `reuse of an unlocking is cut at five minutes`() {
            let context = LAContext()
            context.touchIDAuthenticationAllowableReuseDuration = 3600
            #expect(
                context.touchIDAuthenticationAllowableReuseDuration
                    == LATouchIDAuthenticationMaximumAllowableReuseDuration)
            context.touchIDAuthenticationAllowableReuseDuration = -1
            #expect(context.touchIDAuthenticationAllowableReuseDuration == 0)
        }
    }
}
