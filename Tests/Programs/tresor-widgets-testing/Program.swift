import Glibc
import Linux
import Resident
import WidgetHost

/// tresor-widgets with a clock in a test's hand: a build for tests, never installed.
///
/// The clock is the file `test-clock` in `$TRESOR_HOME`.
@main
struct Program {
    static func main() {
        let clock = (CurrentProcess.environment("TRESOR_HOME") ?? "") + "/test-clock"
        exit(
            WidgetRun.run(Array(CommandLine.arguments.dropFirst()), clocks: ResidentClocks(readingLeadFrom: clock)))
    }
}
