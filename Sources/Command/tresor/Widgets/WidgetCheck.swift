import ArgumentParser
import Linux
import Localization
import TerminalScreen
import WidgetClient
import WidgetPrograms
import Widgets
import Wire

struct WidgetCheck: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: localized("Run a widget program once, and say what a host would think of it."),
        discussion: localized(
            """
            For those who write one: each widget is asked for, drawn as it is shown, locked, and before there is \
            anything. Exit code 8 where a host would refuse something. Nothing is installed.
            """))

    @Argument(help: ArgumentHelp(localized("The program's file; without a slash one that is installed.")))
    var program: String
    @OptionGroup var options: WidgetOptions

    private struct Document: Encodable {
        struct Rendering: Encodable {
            let kind: String
            let family: String
            let shown: String
            let locked: String
            let placeholder: String
        }
        struct Finding: Encodable {
            let refused: Bool
            let text: String
        }

        let renderings: [Rendering]
        let findings: [Finding]

        init(_ check: ProgramCheck) {
            renderings = check.renderings.map {
                Rendering(
                    kind: $0.shown.kind, family: $0.shown.family.name, shown: PlainTextRenderer.render($0.shown),
                    locked: PlainTextRenderer.render($0.locked), placeholder: PlainTextRenderer.render($0.placeholder))
            }
            findings = check.findings.map { Finding(refused: $0.isRefusal, text: $0.text) }
        }
    }

    func run() throws {
        if options.json { Localization.speakEnglish() }
        let path = try Self.path(of: program)
        guard try FileSystem.status(path) != nil else {
            throw Failure(ExitCode.notFound, localized("there is no program \(SafeText.line(path))"))
        }
        let checked: ExternalProgram
        do { checked = try ExternalProgram(path: path, builtInKinds: []) } catch {
            throw Failure(ExitCode.damaged, SafeText.line(error.description))
        }
        let check = ProgramCheck(checked, at: Moment(microseconds: SystemClock.wallMicroseconds()))
        if options.json { try Output.json(Document(check)) } else { try Self.print(check) }
        guard !check.findings.contains(where: \.isRefusal) else {
            throw Failure(ExitCode.damaged, localized("a host would refuse this program's widgets"))
        }
    }

    private static func print(_ check: ProgramCheck) throws {
        for rendering in check.renderings {
            try Output.words(localized("\(rendering.shown.kind) as \(rendering.shown.family.name)"))
            for (name, frame) in [
                (localized("shown"), rendering.shown), (localized("locked"), rendering.locked),
                (localized("placeholder"), rendering.placeholder),
            ] {
                try Output.line("  \(name):")
                let text = PlainTextRenderer.render(frame.spoken)
                for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                    try Output.line("    \(line)")
                }
            }
        }
        for finding in check.findings {
            let text = SafeText.line(finding.text)
            try Output.words(finding.isRefusal ? localized("refused: \(text)") : localized("hint: \(text)"))
        }
    }

    private static func path(of program: String) throws -> String {
        if program.hasPrefix("/") { return program }
        guard program.contains("/") else { return try WidgetOptions.home().widgetPrograms + "/" + program }
        return try FileSystem.target(ofLink: "/proc/self/cwd") + "/" + program
    }
}
