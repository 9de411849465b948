import ArgumentParser
import Linux
import Localization
import WidgetClient
import WidgetDrawing
import Widgets
import Wire

struct WidgetStreamCommand: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "stream",
        abstract: localized("Draw widgets for a host, each time that they change, until the host ends."),
        discussion: localized(
            """
            A lock of the device reaches the host at once; when tresord ends, the host shows placeholders. Pictures go \
            to a folder, which has to lie in memory, such as below $XDG_RUNTIME_DIR: what is shown now is for no disk.
            """))

    enum Host: String, CaseIterable, ExpressibleByArgument {
        case waybar, i3bar, tmux, polybar, text, ansi, json, html, image

        /// Whether its output has room for one widget alone.
        var isOfOne: Bool { self == .waybar }
    }

    @Option(help: ArgumentHelp(localized("What reads the output.")))
    var host: Host
    @Argument(
        help: ArgumentHelp(
            localized("The widgets' kinds; waybar takes one, image draws one file for each, the others one line.")))
    var kinds: [String]
    @Option(help: ArgumentHelp(localized("Their size.")))
    var family = FamilyName(.accessoryInline)
    @Option(
        help: ArgumentHelp(
            localized(
                """
                Where they are shown: lockScreen for whatever may be in view while the device is locked; desktop for \
                what the locker hides for certain; remote.
                """)))
    var placement = PlacementName(.lockScreen)
    @Flag(help: ArgumentHelp(localized("For an always-on display that is dimmed.")))
    var reducedLuminance = false
    @Option(name: .shortAndLong, help: ArgumentHelp(localized("The folder of images; each is KIND.png.")))
    var output: String?
    @OptionGroup var picture: PictureOptions
    @Flag(help: .hidden)
    var resume = false

    func validate() throws {
        if host.isOfOne && kinds.count > 1 {
            throw ValidationError(
                localized("\(host.rawValue) shows one widget: give it one kind, and others a stream each"))
        }
        if (host == .image) != (output != nil) {
            throw ValidationError(localized("--output is the folder of --host image"))
        }
        if let output, !output.hasPrefix("/") {
            throw ValidationError(localized("--output has to be an absolute path"))
        }
    }

    func run() throws {
        let home = try WidgetOptions.home()
        let orders = kinds.map {
            WidgetOrder(
                kind: $0, family: family.family.name, placement: placement.placement.name,
                isLuminanceReduced: reducedLuminance)
        }
        // First: reaching tresor-widgets may take its time.
        let signals = try SignalDescriptor()
        let sink = try WidgetSink(self, home)
        let stream = try FrameStream(home: home, orders: orders)
        // What ended while a former image of this stream was replaced is told to nobody any more.
        sink.letGoOfChildren()
        if !resume { try sink.begin() }
        // A host that is gone on with has been told already what is hidden.
        if !resume || host == .image || stream.frames.contains(where: { $0.state == .shown }) {
            try sink.write(stream.frames)
        }
        var memory = IdleMemory()
        while true {
            var poll = Poll()
            let frames = poll.add(stream.descriptor, reading: true, writing: false)
            // Whoever reads the output may end without a word.
            let output = poll.add(1, reading: false, writing: false)
            poll.add(signals.descriptor.raw, reading: true, writing: false)
            let watch = poll.add(stream.watchDescriptor, reading: true, writing: false)
            try memory.wait(for: &poll, milliseconds: stream.patience)
            while let signal = signals.next() {
                switch signal {
                case .end: return try sink.end(stream.fallbacks)
                // A tresor-widgets that this stream started; its drawing program is asked about when it draws.
                case .childEnded: sink.letGoOfChildren()
                case .other: break
                }
            }
            if poll.isBroken(output) { return try sink.end(stream.fallbacks) }
            let connections = stream.connections
            let change = try stream.advance(
                isReadable: poll.isReadable(frames), isWatchReadable: poll.isReadable(watch))
            // At a lock tresor-widgets removes pictures, and then ends the connection.
            if stream.connections != connections { try sink.restore(stream.frames) }
            switch change {
            case .none: break
            case .changed: try sink.write(stream.frames)
            case .hidden:
                try sink.write(stream.frames)
                while let signal = signals.next() {
                    if case .end = signal { return try sink.end(stream.fallbacks) }
                }
                sink.forget()
                // What was shown goes with this image of the program.
                CurrentProcess.replace(arguments: Self.arguments(), keeping: [])
            }
        }
    }

    private static func arguments() -> [String] {
        let arguments = Array(CommandLine.arguments.dropFirst())
        return arguments.contains("--resume") ? arguments : arguments + ["--resume"]
    }
}

/// Where a stream's frames go.
private final class WidgetSink {
    private let host: WidgetStreamCommand.Host
    private let picture: PictureOptions
    /// Files for pictures, by the widgets' positions.
    private let paths: [String]
    private let drawing: DrawingProgram?
    /// Held as long as the files are this stream's.
    private var claims: [Claim] = []
    private var drawn: [WidgetFrame] = []

    private final class Claim {
        let file: FileDescriptor
        init(_ file: consuming FileDescriptor) { self.file = file }
    }

    init(_ command: WidgetStreamCommand, _ home: Home) throws {
        host = command.host
        picture = command.picture
        guard let folder = command.output else {
            drawing = nil
            paths = []
            return
        }
        try FileSystem.makeDirectories(folder)
        guard try ShownImages.isPrivate(folder) else {
            throw Failure(
                ExitCode.usage, localized("\(folder) is open to others, and pictures of what is shown are not"),
                hint: localized("name a folder of yours that nobody else may look into: chmod 700"))
        }
        guard try FileSystem.isInMemory(folder) else {
            throw Failure(
                ExitCode.usage, localized("\(folder) lies on a disk, and pictures of what is shown must not"),
                hint:
                    localized("name a folder in memory, such as one below $XDG_RUNTIME_DIR")
            )
        }
        paths = command.kinds.map { folder + "/" + $0 + ".png" }
        drawing = try DrawingProgram.besideThisProgram()
        for path in paths { claims.append(Claim(try ShownImages(home).claim(path))) }
    }

    func begin() throws {
        if host == .i3bar { try Output.text(I3barRenderer.header()) }
    }

    func write(_ frames: [WidgetFrame]) throws {
        switch host {
        case .i3bar: try Output.text(I3barRenderer.line(frames))
        case .waybar: for frame in frames { try Output.line(WaybarRenderer.render(frame)) }
        case .polybar:
            try Output.line(frames.map { PolybarRenderer.render($0) }.joined(separator: " "))
        case .tmux: try Output.line(frames.map { TmuxRenderer.render($0) }.joined(separator: " "))
        case .text: try Output.line(frames.map { PlainTextRenderer.render($0) }.joined(separator: " "))
        case .ansi: try Output.line(frames.map(WidgetFormat.ansi).joined(separator: " "))
        case .json: for frame in frames { try Output.line(JSONRenderer.render(frame)) }
        case .html: for frame in frames { try Output.line(HTMLRenderer.render(frame)) }
        case .image: try writePictures(frames)
        }
    }

    /// Draws also what has been drawn: somebody has removed it.
    func restore(_ frames: [WidgetFrame]) throws {
        guard host == .image else { return }
        try removeHidden(frames)
        drawn = []
        try write(frames)
    }

    /// What is hidden now is gone before anything else is drawn, which may take its time.
    private func removeHidden(_ frames: [WidgetFrame]) throws {
        for (index, frame) in frames.enumerated()
        where drawn.indices.contains(index) && drawn[index].state == .shown && frame.state != .shown {
            try FileSystem.remove(paths[index])
        }
    }

    private func writePictures(_ frames: [WidgetFrame]) throws {
        guard let drawing else { return }
        try removeHidden(frames)
        for (index, frame) in frames.enumerated() where !drawn.indices.contains(index) || drawn[index] != frame {
            do { try replace(paths[index], with: try picture.draw(frame, with: drawing)) } catch {
                // No picture must outlive the leave to show it.
                for path in paths { try? FileSystem.remove(path) }
                throw error
            }
        }
        drawn = frames
    }

    /// Whoever removes pictures at a lock may take what is half written as well.
    private func replace(_ path: String, with picture: [UInt8]) throws {
        do { try FileSystem.replace(path, with: picture) } catch  where error.isMissing {
            try FileSystem.replace(path, with: picture)
        }
    }

    /// The host is told that nobody says any more what may be seen; a picture would stay for ever otherwise.
    func end(_ frames: [WidgetFrame]) throws {
        if host == .image { try write(frames) }
        forget()
    }

    func letGoOfChildren() {
        drawing?.letGo()
        ChildProcess.reap(allBut: drawing?.processID)
    }

    /// What the drawing program has drawn goes with it.
    func forget() { drawing?.end() }
}
