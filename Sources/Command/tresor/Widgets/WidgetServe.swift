import ArgumentParser
import Linux
import Localization
import WidgetClient
import Wire

struct WidgetServe: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: localized("Show widgets to pages of this machine, on 127.0.0.1 and ::1 alone."),
        discussion: localized(
            """
            'tresor widget token add KIND' makes an address. Behind it stand /w/TOKEN, a page; /w/TOKEN.html, an \
            element for a page of yours; .json, .svg and .png. docs/guides/widgets-on-a-page.md has glance and \
            homepage. Serves until SIGTERM or Ctrl-C.
            """))

    @Option(help: ArgumentHelp(localized("The port; 0 for one that is free, which is printed.")))
    var port: UInt16 = 4747
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            localized("Whose pages may show ours in a frame, as https://host:port, beside those of this machine.")))
    var framedBy: [String] = []

    func validate() throws {
        if let wrong = framedBy.first(where: { PageOrigin($0) == nil }) {
            throw ValidationError(localized("'\(wrong)' is no origin such as https://home.example.org:8443"))
        }
    }

    /// Who listens to the network is another program, in a process of its own: one that tresord gives nothing to.
    func run() throws {
        let program = try CurrentProcess.executableDirectory() + "/tresor-pages"
        let signals = try SignalDescriptor()
        let child: ChildProcess
        do { child = try ChildProcess(attached: program, arguments: ["\(port)"] + framedBy) } catch {
            throw Failure(
                ExitCode.unavailable, localized("\(program) does not start"),
                hint: localized("build it with 'make run'"))
        }
        ProcessExit.end(with: try child.waitPassingOn(signals).exitCode)
    }
}
