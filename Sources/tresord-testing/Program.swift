import Biometry
import Daemon
import Linux
import Logging

/// tresord with a bus and a fingerprint reader in a test's hand: a build for tests, never installed.
///
/// `TRESOR_TEST_BUS` is the bus's address, `TRESOR_TEST_FINGERS` the folder of fprintd's state.
@main
enum Program {
    static func main() {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        ProcessExit.end(with: DaemonProgram.run(reader: reader, log: Logger(label: "tresord")))
    }

    private static var reader: FingerprintSource {
        guard let bus = CurrentProcess.environment("TRESOR_TEST_BUS"),
            let folder = CurrentProcess.environment("TRESOR_TEST_FINGERS")
        else { return FingerprintSource() }
        return FingerprintSource(
            reader: FingerprintReader(address: bus, trustedUser: CurrentProcess.user), folder: folder)
    }
}
