import Tresor
import Wire

extension TestDevice {
    /// How strictly the SecItem functions read their parameters.
    public enum Profile: Sendable {
        /// As on a Mac: what a call does not take is dropped.
        ///
        /// This is what programs get outside tests.
        case tolerant
        /// As on an iPhone: what a call does not take is errSecParam.
        case strict
    }

    /// Puts this device behind the functions that name no keychain: `SecItemAdd` and its kin.
    ///
    /// It holds for the whole process, until another device or ``useDaemonForProcess()`` takes its place; so tests that
    /// each want a device of their own run one after the other.
    ///
    ///     @Suite(.serialized) struct LoginTests {
    ///         init() throws { try TestDevice().serveProcess() }
    ///     }
    ///
    /// - Parameter profile: how strictly parameters are read.
    public func serveProcess(_ profile: Profile = .tolerant) {
        let transport = transport
        SharedTransport.process.use(
            SharedTransport.Source(profile: profile == .strict ? .strict : .tolerant) { transport })
    }

    /// Puts the user's daemon there again, as in a program that links no keychain in memory.
    public static func useDaemonForProcess() { SharedTransport.process.useDaemon() }
}
