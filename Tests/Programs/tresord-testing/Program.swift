import Biometry
import Daemon
import DesktopSession
import Linux
import Logging

/// tresord with buses and a fingerprint reader in a test's hand: a build for tests, never installed.
///
/// The clock by which it counts tries is the file `test-clock` in `$TRESOR_HOME`, if there is one, and how long the
/// machine slept is what `test-sleep` adds, in milliseconds.
/// `TRESOR_TEST_BUS` is the system bus's address, `TRESOR_TEST_SESSION_BUS` that of the owner's session,
/// `TRESOR_TEST_FINGERS` the folder of fprintd's state.
@main
enum Program {
    static func main() {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        ProcessExit.end(
            with: DaemonProgram.run(
                reader: reader, place: place, clock: clock, suspension: suspension, log: Logger(label: "tresord")))
    }

    private static func suspension() -> UInt64 { SystemClock.suspendedMilliseconds() + lead("test-sleep") }

    /// Milliseconds by which the file is ahead of the kernel, as resident programs read it.
    private static func clock() -> UInt64 { SystemClock.bootMilliseconds() + lead("test-clock") }

    private static func lead(_ file: String) -> UInt64 {
        let path = (CurrentProcess.environment("TRESOR_HOME") ?? "") + "/" + file
        let text = (try? FileSystem.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(whereSeparator: \.isWhitespace).first.flatMap { UInt64($0) } ?? 0
    }

    private static var reader: FingerprintSource {
        guard let bus = CurrentProcess.environment("TRESOR_TEST_BUS"),
            let folder = CurrentProcess.environment("TRESOR_TEST_FINGERS")
        else { return FingerprintSource() }
        return FingerprintSource(
            reader: FingerprintReader(address: bus, trustedUser: CurrentProcess.user), folder: folder)
    }

    private static var place: SessionPlace? {
        guard let bus = CurrentProcess.environment("TRESOR_TEST_BUS") else { return nil }
        return SessionPlace(
            systemBus: bus, trustedUser: CurrentProcess.user,
            sessionBus: CurrentProcess.environment("TRESOR_TEST_SESSION_BUS"))
    }
}
