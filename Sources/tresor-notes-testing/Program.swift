import Glibc
import Notes

/// tresor-notes with a clock in a test's hand: a build for tests, never installed.
///
/// `--clock FILE` names a file whose text is the number of milliseconds by which the clocks are ahead.
@main
struct Program {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(NotesProgram.run(arguments, clocks: NotesClocks(readingOffsetFrom: Program.clockFile(arguments))))
    }

    private static func clockFile(_ arguments: [String]) -> String {
        guard let option = arguments.firstIndex(of: "--clock"), arguments.count > option + 1 else { return "" }
        return arguments[option + 1]
    }
}
