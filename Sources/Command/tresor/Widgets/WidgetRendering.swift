import ArgumentParser
import Linux
import Localization
import ResidentClient
import WidgetClient
import WidgetDrawing
import Widgets
import Wire

/// What a widget is drawn as.
enum WidgetFormat: String, CaseIterable, ExpressibleByArgument {
    case text, ansi, json, waybar, i3bar, tmux, polybar, svg, html, png

    /// As a terminal shows it, with colours unless NO_COLOR is set.
    static func ansi(_ frame: WidgetFrame) -> String {
        ANSIRenderer.render(frame, isColorless: !(CurrentProcess.environment("NO_COLOR") ?? "").isEmpty)
    }

    /// Nil for a picture, which another program draws.
    func render(_ frame: WidgetFrame) -> String? {
        switch self {
        case .png: nil
        case .text: PlainTextRenderer.render(frame)
        case .ansi: Self.ansi(frame)
        case .json: JSONRenderer.render(frame)
        case .waybar: WaybarRenderer.render(frame)
        case .i3bar: I3barRenderer.render(frame)
        case .tmux: TmuxRenderer.render(frame)
        case .polybar: PolybarRenderer.render(frame)
        case .svg: SVGRenderer.render(frame)
        case .html: HTMLRenderer.render(frame)
        }
    }
}

struct WidgetRender: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: localized("Draw one widget as it may be seen now."),
        discussion: localized("To draw it again and again use 'tresor widget stream'."))

    @Argument(help: ArgumentHelp(localized("The widget's kind, or its name; 'tresor widget list' names them.")))
    var kind: String
    @Option(help: ArgumentHelp(localized("Its size.")))
    var family = FamilyName(.systemSmall)
    @Option(
        help: ArgumentHelp(
            localized(
                """
                Where it is shown: lockScreen for whatever may be in view while the device is locked; desktop for what \
                the locker hides for certain; remote.
                """)))
    var placement = PlacementName(.lockScreen)
    @Flag(help: ArgumentHelp(localized("For an always-on display that is dimmed.")))
    var reducedLuminance = false
    @Option(help: ArgumentHelp(localized("What it is drawn as.")))
    var format = WidgetFormat.text
    @OptionGroup var picture: PictureOptions
    @Option(name: .shortAndLong, help: ArgumentHelp(localized("A file to write, instead of standard output (-).")))
    var output: String?

    func validate() throws {
        if output == "" { throw ValidationError(localized("--output is the name of a file, or - for standard output")) }
        if format != .png && (picture.scale != 1 || picture.ink) {
            throw ValidationError(localized("--scale and --ink are for pictures: add --format png"))
        }
    }

    func run() throws {
        let connection = try WidgetConnection(home: WidgetOptions.home())
        let frame = try WidgetName.resolving(kind, over: connection) { kind in
            try connection.frame(
                WidgetOrder(
                    kind: kind, family: family.family.name, placement: placement.placement.name,
                    isLuminanceReduced: reducedLuminance))
        }
        guard let drawn = format.render(frame) else { return try writePicture(frame) }
        guard let file else { return try Output.line(drawn) }
        try write(Array((drawn + "\n").utf8), to: file)
    }

    /// Nil for standard output.
    private var file: String? { output == "-" ? nil : output }

    private func write(_ bytes: [UInt8], to file: String) throws {
        do { try FileSystem.replace(file, with: bytes) } catch {
            let why = error.isMissing ? localized("its folder is not there") : error.description
            throw Failure(ExitCode.cannotWrite, localized("\(file) cannot be written: \(why)"))
        }
    }

    private func writePicture(_ frame: WidgetFrame) throws {
        guard file != nil || !Terminal.isTerminal(1) else {
            throw Failure(
                ExitCode.usage, localized("a picture is nothing for a terminal"),
                hint: localized("name a file with --output"))
        }
        let png = try picture.draw(frame, with: .besideThisProgram())
        if let file { return try write(png, to: file) }
        guard try StandardStream.output.write(unsafe png.span.bytes) else {
            throw Failure(ExitCode.unavailable, localized("nobody reads the output any more"))
        }
    }
}

/// How a widget becomes a picture.
struct PictureOptions: ParsableArguments {
    enum Theme: String, CaseIterable, ExpressibleByArgument { case light, dark }

    @Option(help: ArgumentHelp(localized("Pixels for each point: 1 or 2.")))
    var scale: UInt8 = 1
    @Flag(help: ArgumentHelp(localized("Black and white alone, for displays of electronic ink.")))
    var ink = false
    @Option(help: ArgumentHelp(localized("Dark letters on a light ground, or light ones on a dark ground.")))
    var theme = Theme.light

    func validate() throws {
        if DrawScale(rawValue: scale) == nil { throw ValidationError(localized("--scale is 1 or 2")) }
    }

    func draw(_ frame: WidgetFrame, with program: DrawingProgram) throws -> [UInt8] {
        do {
            return try program.png(
                frame, scale: DrawScale(rawValue: scale) ?? .one, depth: ink ? .ink : .color,
                theme: theme == .dark ? .dark : .light)
        } catch { throw Failure(error) }
    }
}

extension Failure {
    init(_ error: DrawingError) {
        switch error {
        case .missingProgram:
            self.init(
                ExitCode.unavailable, localized("tresor-draw, which draws pictures, is not beside this program"),
                hint: localized("build it with 'make run'"))
        case .timedOut, .ended: self.init(ExitCode.unavailable, localized("tresor-draw did not answer"))
        case .refused(let refusal):
            self.init(ExitCode.unavailable, localized("tresor-draw did not draw this: \(String(describing: refusal))"))
        case .tooLarge: self.init(ExitCode.usage, localized("the widget is too large to be drawn"))
        case .system(let error): self.init(ExitCode.unavailable, error.description)
        }
    }
}
