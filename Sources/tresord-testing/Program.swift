import Biometry
import Daemon
import Linux
import Logging
import Wire

/// tresord with a bus and a fingerprint reader in a test's hand: a build for tests, never installed.
///
/// `TRESOR_TEST_BUS` is the bus's address, `TRESOR_TEST_FINGERS` the folder of fprintd's state.
@main
enum Program {
    static func main() {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        let log = Logger(label: "tresord")
        ProcessExit.end(with: serve(log))
    }

    private static func serve(_ log: Logger) -> Int32 {
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

    private static var reader: FingerprintSource {
        guard let bus = CurrentProcess.environment("TRESOR_TEST_BUS"),
            let folder = CurrentProcess.environment("TRESOR_TEST_FINGERS")
        else { return FingerprintSource() }
        return FingerprintSource(
            reader: FingerprintReader(address: bus, trustedUser: CurrentProcess.user), folder: folder)
    }
}
