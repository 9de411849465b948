import EnclaveWire
import KeyEnvelopes
import Linux
import Secrets

/// The enclave's whole life, for the programs that are nothing else: take the descriptors, close the sandbox, serve.
package enum EnclaveMain {
    /// The descriptors that tresord hands over.
    static let socket: Int32 = 3
    static let folder: Int32 = 4
    static let clock: Int32 = 5

    /// - Returns: the exit code; see ``EnclaveFailure/exitCode``.
    package static func run() -> Int32 { run(clock: BootClock(), leastLogRounds: leastLogRounds) }

    #if DEBUG
        /// Without optimisation scrypt takes five times as long; such an enclave is for tests, and says its cost.
        private static let leastLogRounds = DeviceKeys.logRoundsRange.lowerBound
    #else
        private static let leastLogRounds = DeviceKeys.leastNewLogRounds
    #endif

    /// The testing build's: its clock is the file behind descriptor 5.
    package static func runWithTestClock() -> Int32 {
        run(
            clock: DescriptorClock(FileDescriptor(owning: clock)),
            leastLogRounds: DeviceKeys.logRoundsRange.lowerBound)
    }

    private static func run<Clock: EnclaveClock & ~Copyable>(
        clock: consuming Clock, leastLogRounds: UInt8
    ) -> Int32 {
        do {
            try Sandbox.harden()
            // A passcode under way must not keep the keybag from the daemon that is started next.
            try Sandbox.endWithParent()
            let files = try openFiles(clock)
            try files.lock()
            try LockedMemory.reserveAndFreeze()
            let landlock = try Sandbox.denyFiles()
            try Sandbox.restrictSystemCalls()
            var module = try SecurityModule<Clock>.load(
                files, landlock: UInt8(clamping: landlock), leastLogRounds: leastLogRounds)
            try module.serve(FileDescriptor(owning: socket))
            return ProcessExit.success
        } catch let failure as EnclaveFailure {
            return failure.exitCode
        } catch is SecretMemoryError { return EnclaveFailure.memory.exitCode } catch {
            return EnclaveExit.sandbox.rawValue
        }
    }

    private static func openFiles<Clock: EnclaveClock & ~Copyable>(
        _ clock: consuming Clock
    ) throws(EnclaveFailure) -> SecurityModule<Clock>.Files {
        // The folder's descriptor is closed here: behind the sandbox only its files are left.
        try SecurityModule<Clock>.start(in: FileDescriptor(owning: folder), clock: clock, rootKey: FileRootKey())
    }
}
