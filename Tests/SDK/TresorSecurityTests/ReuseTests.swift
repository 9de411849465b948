import Foundation
import Synchronization
import Testing
import TresorLocalAuthentication
import TresorTesting

extension AppleAPI {
    /// For how long a proof counts again; what real fingers do about it is a story's to tell.
    @Suite struct Reuse {
        private static let enrolment = [UInt8](repeating: 7, count: 32)
        private static let minute: UInt64 = 60_000

        private func device(
            _ enrolment: [UInt8]? = enrolment, unlockedSince: Int64? = 1_000_000, hasPasscode: Bool = true
        ) -> DeviceMoment {
            DeviceMoment(enrolment: enrolment, unlockedSince: unlockedSince, hasPasscode: hasPasscode)
        }

        private func match() throws -> RecentMatch { try #require(RecentMatch(at: Self.minute, device())) }

        @Test func `a finger counts again within the time, to its last moment`() throws {
            let match = try match()
            #expect(match.serves(at: Self.minute, within: 30, device()))
            #expect(match.serves(at: Self.minute + 30_000, within: 30, device()))
            #expect(!match.serves(at: Self.minute + 30_001, within: 30, device()))
            #expect(!match.serves(at: Self.minute - 1, within: 30, device()))
        }

        @Test func `without a duration no finger counts again`() throws {
            #expect(try !match().serves(at: Self.minute, within: 0, device()))
        }

        @Test func `a finger that was enrolled or deleted since ends it`() throws {
            let other = [UInt8](repeating: 8, count: 32)
            #expect(try !match().serves(at: Self.minute, within: 30, device(other)))
            #expect(try !match().serves(at: Self.minute, within: 30, device(nil)))
        }

        @Test func `a lock since ends it, also where the device is open again`() throws {
            #expect(try !match().serves(at: Self.minute, within: 30, device(unlockedSince: nil)))
            #expect(try !match().serves(at: Self.minute, within: 30, device(unlockedSince: 1_000_001)))
        }

        @Test func `where nobody can tell which fingers are enrolled, none is kept`() {
            #expect(RecentMatch(at: Self.minute, device(nil)) == nil)
            #expect(RecentMatch(at: Self.minute, device(unlockedSince: nil)) == nil)
        }

        @Test func `an unlocking counts within the time, where there is a passcode`() {
            #expect(device().wasUnlocked(at: 31_000_000, within: 30))
            #expect(!device().wasUnlocked(at: 31_000_001, within: 30))
            #expect(!device().wasUnlocked(at: 999_999, within: 30))
            #expect(!device().wasUnlocked(at: 1_000_000, within: 0))
            #expect(!device(unlockedSince: nil).wasUnlocked(at: 1_000_000, within: 30))
            #expect(!device(hasPasscode: false).wasUnlocked(at: 1_000_000, within: 30))
        }

        /// The device in memory says that it is unlocked since 1970.
        @Test func `an unlocking long ago saves nobody from being asked`() async throws {
            let device = try Fixture().device
            try device.setPasscode("1234")
            let count = Mutex(0)
            let context = LAContext()
            let right = passcode("1234")
            context.passcodePrompter = { reason in
                count.withLock { $0 += 1 }
                return try right(reason)
            }
            context.touchIDAuthenticationAllowableReuseDuration = 300
            #expect(try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "test"))
            #expect(count.withLock { $0 } == 1)
        }
    }
}
