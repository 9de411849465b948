import DiaryClient
import DiaryViews
import Linux
import Secrets
import TerminalScreen
import Tresor
import Wire

/// The diary on a whole terminal: keys, events, signals and the time go in, frames and pictures come out.
final class DiaryDriver: DiaryFace {
    private let session: ScreenSession
    private let drawing: (any ThumbnailDrawing)?
    private let runner: DiaryRunner
    /// The pictures that are on the terminal.
    private var drawn: [PicturePlace] = []

    private static let tickInterval = 1000

    /// - Parameter ownerIsActive: called when a key was pressed, at most once a second.
    init(home: Home, language: DiaryLanguage, ownerIsActive: @escaping () -> Void) throws {
        session = try ScreenSession(ownerIsActive: ownerIsActive)
        drawing = try Thumbnails.find()
        let size = session.size
        runner = try DiaryRunner(
            home: home,
            screen: DiaryScreen(
                columns: size.columns, rows: size.rows, language: language,
                zone: .current, drawsPictures: drawing != nil))
        runner.face = self
    }

    /// Returns when the person quits, the terminal goes away, or a signal ends the program.
    ///
    /// - Throws: `DiaryError` where what was typed could not be kept.
    func run() throws {
        try showUntilOver()
        try runner.complain()
    }

    private func showUntilOver() throws {
        try session.enter()
        defer { session.leave() }
        // However it ends, the screen is covered and the diary locked.
        defer { try? runner.end() }
        try runner.feed(.started)
        while !session.isOver {
            if !runner.hasHeardLock {
                guard try session.show(runner.screen.frame()) else { break }
                try writeRecoveryKey()
                try drawPictures()
            }
            try wait()
        }
    }

    private func wait() throws {
        try session.wait(
            milliseconds: runner.untilDue(atMost: Self.tickInterval), also: runner.descriptor, runner.watchDescriptor)
        // First what may have to vanish, then what was typed.
        try runner.readEvents(isWatchReadable: runner.watchDescriptor.map { session.takeReadable($0) } ?? false)
        try session.hear(wantsSecret: { runner.screen.wantsSecret }) { try runner.feed(Self.input($0)) }
        guard !session.isOver else { return }
        try runner.feed(.tick)
        try runner.reconnect()
    }

    private static func input(_ happening: ScreenSession.Happening) -> Input {
        switch happening {
        case .key(let key): .key(key)
        case .secretEntered: .secretEntered
        case .secretCancelled: .secretCancelled
        case .resized(let columns, let rows): .resized(columns: columns, rows: rows)
        case .focus(let hasFocus): .lifecycle(hasFocus ? .focusGained : .focusLost)
        case .stopRequested: .lifecycle(.suspended)
        }
    }

    // MARK: The face

    func takeSecret() -> SecretBytes? { session.takeSecret() }
    func forgetSecret() { session.forgetSecret() }

    func clear() {
        // The terminal may be gone; what is to be locked is locked all the same.
        if !drawn.isEmpty, let drawing { try? write(drawing.erasure) }
        drawn = []
        // A paste that a lock cuts short is part of an entry as well.
        if runner.screen.diary == nil { session.forgetKeys() }
        try? session.clear()
    }

    func takeLateInput() throws -> [Input] {
        if !drawn.isEmpty, let drawing { try? write(drawing.erasure) }
        drawn = []
        return [.lateKeys(try session.takeLateKeys())]
    }

    func show() { _ = try? session.show(runner.screen.frame()) }
    func suspend() throws { try session.suspend() }
    func end() { session.end() }

    // MARK: What is in no frame

    private func writeRecoveryKey() throws {
        guard let place = runner.screen.secretPlace else { return }
        var output = try SecretBuffer(capacity: 128)
        try output.append(Array("\u{1B}[\(place.row + 1);\(place.column + 1)H".utf8))
        if try runner.appendRecoveryKey(to: &output) { _ = try session.write(output) }
    }

    private func drawPictures() throws {
        guard let drawing, let diary = runner.screen.diary else { return }
        for place in diary.picturePlaces where !drawn.contains(place) {
            drawn.append(place)
            guard let picture = diary.picture(of: place.file), let text = drawing.draw(picture, at: place) else {
                continue
            }
            try write(text)
        }
    }

    /// A picture is as private as a text, and lies in locked memory as well.
    private func write(_ sequences: String) throws {
        var output = try SecretBuffer(capacity: sequences.utf8.count)
        try output.append(Array(sequences.utf8))
        _ = try session.write(output)
    }
}
