import ArgumentParser
import Linux
import Localization
import Widgets
import Wire

struct WidgetInstall: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: localized("Print what a host gets into its configuration to show widgets."),
        discussion: localized(
            """
            Nothing is written: the first lines say into which file it goes. Hosts: \(HostLines.names).
            """))

    @Argument(help: ArgumentHelp(localized("The bar or other program, one of those above.")))
    var host: String?
    @Argument(help: ArgumentHelp(localized("The widgets' kinds; 'tresor widget list' names them.")))
    var kinds = ["notes.pinned", "notes.checklists", "device.lock"]

    func validate() throws {
        guard let wrong = kinds.first(where: { !WidgetConfiguration.isKind($0) }) else { return }
        throw ValidationError(localized("'\(wrong)' is no kind of a widget"))
    }

    func run() throws {
        let lines = try Self.lines(for: host)
        let program = try CurrentProcess.executableDirectory() + "/tresor"
        // Each host has another way to write a path with spaces; there is none that all of them take.
        guard program.utf8.allSatisfy({ $0 > 0x20 && !"\"'`$&;|<>()\\*?#%{}".utf8.contains($0) }) else {
            throw Failure(
                Wire.ExitCode.usage, localized("the path '\(program)' cannot stand in the lines of all hosts"))
        }
        try Output.line(Self.filled(lines, program: program, kinds: kinds))
    }

    /// - Throws: `Failure` where it is none of those that there are, which are named then.
    private static func lines(for host: String?) throws -> String {
        let hint = localized("there are lines for: \(HostLines.names)")
        guard let host else {
            throw Failure(
                Wire.ExitCode.usage, localized("say for which bar or other program the lines are"), hint: hint)
        }
        guard let lines = HostLines.all.first(where: { $0.host == host })?.lines else {
            throw Failure(
                Wire.ExitCode.usage, localized("'\(host)' is no host that there are lines for"), hint: hint)
        }
        return lines
    }

    /// The lines for these widgets, without a line break at their end.
    static func filled(_ lines: String, program: String, kinds: [String]) -> String {
        var output: [String] = []
        var repeated: [Substring]?
        for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
            switch (line, repeated) {
            case ("@EACH", _): repeated = []
            case ("@END", let block?):
                for kind in kinds { output += block.map { filled($0, kind: kind) } }
                repeated = nil
            case (_, nil): output.append(filled(line, kind: kinds.first ?? ""))
            case (_, _): repeated?.append(line)
            }
        }
        if output.last?.isEmpty == true { output.removeLast() }
        return output.joined(separator: "\n").replacing("@KINDS@", with: kinds.joined(separator: " "))
            .replacing("@TRESOR@", with: program)
    }

    private static func filled(_ line: Substring, kind: String) -> String {
        let id = String(kind.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        return String(line).replacing("@KIND@", with: kind).replacing("@ID@", with: id)
    }
}
