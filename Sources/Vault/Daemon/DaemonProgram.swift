package import DesktopSession
import Linux
package import Logging
import Wire

/// tresord as a program: a home, an enclave beside it, and a loop until it is told to end.
package enum DaemonProgram {
    /// - Parameters:
    ///   - reader: where the fingerprint reader is asked; another than the machine's in tests alone.
    ///   - place: where the desktop tells of the owner's session; nil for the machine's buses.
    ///   - clock: by which tries are counted; another than the kernel's in tests alone.
    ///   - suspension: milliseconds that the machine has been suspended; the same.
    /// - Returns: the exit code.
    package static func run(
        reader: FingerprintSource = FingerprintSource(), place: SessionPlace? = nil,
        clock: @escaping () -> UInt64 = SystemClock.bootMilliseconds,
        suspension: @escaping () -> UInt64 = SystemClock.suspendedMilliseconds, log: Logger
    ) -> Int32 {
        guard CommandLine.arguments.count <= 1 else {
            log.critical("tresord takes no arguments; start it with 'tresor up', and see 'tresor --help'")
            return ExitCode.usage
        }
        let notice = StartNotice.takeFromEnvironment()
        do {
            let sockets = try PassedSockets.takeFromEnvironment()
            try Sandbox.harden()
            let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
            if let warning = home.warning { log.warning("\(warning)") }
            let folder = try CurrentProcess.executableDirectory()
            let place =
                place ?? .system(user: CurrentProcess.user, environment: { CurrentProcess.environment($0) })
            let passed = try sockets?.take(named: DaemonLoop.socketName, at: home.socket)
            let daemon: DaemonLoop
            do {
                daemon = try DaemonLoop(
                    home: home, enclaveProgram: folder + "/tresor-enclave", passed: passed, reader: reader,
                    place: place, clock: clock, suspension: suspension, log: log)
            } catch {
                passed?.dismissWaiting()
                throw error
            }
            notice.tellReady()
            try daemon.run()
            return ProcessExit.success
        } catch {
            let report = StartReport(error)
            log.critical("\(report.text)")
            notice.tellFailure(report.text)
            return report.exitCode
        }
    }
}
