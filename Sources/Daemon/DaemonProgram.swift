import Linux
package import Logging
import Wire

/// tresord as a program: a home, an enclave beside it, and a loop until it is told to end.
package enum DaemonProgram {
    /// - Parameter reader: where the fingerprint reader is asked; another than the machine's in tests alone.
    /// - Returns: the exit code.
    package static func run(reader: FingerprintSource = FingerprintSource(), log: Logger) -> Int32 {
        guard CommandLine.arguments.count <= 1 else {
            log.critical("tresord takes no arguments; start it with 'tresor up', and see 'tresor --help'")
            return ExitCode.usage
        }
        do {
            try Sandbox.harden()
            let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
            let folder = try CurrentProcess.executableDirectory()
            try DaemonLoop(home: home, enclaveProgram: folder + "/tresor-enclave", reader: reader, log: log).run()
            return 0
        } catch {
            let report = StartReport(error)
            log.critical("\(report.text)")
            return report.exitCode
        }
    }
}
