import Glibc
import Linux
import Notes
import Resident

/// tresor-notes with a clock in a test's hand: a build for tests, never installed.
///
/// The clock is the file `test-clock` in `$TRESOR_HOME`.
@main
struct Program {
    static func main() {
        let clock = (CurrentProcess.environment("TRESOR_HOME") ?? "") + "/test-clock"
        exit(NotesProgram.run(clocks: ResidentClocks(readingLeadFrom: clock)))
    }
}
