import Diary
import Glibc
import Linux
import Resident

/// tresor-diary with a clock in a test's hand: a build for tests, never installed.
///
/// The clock is the file `test-clock` in `$TRESOR_HOME`.
@main
struct Program {
    static func main() {
        let clock = (CurrentProcess.environment("TRESOR_HOME") ?? "") + "/test-clock"
        exit(DiaryProgram.run(clocks: ResidentClocks(readingLeadFrom: clock)))
    }
}
