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
    private let desk = PictureDesk()
    private let runner: DiaryRunner
    /// What the screen was told of how the terminal takes pictures.
    private var toldPictures = false

    private static let tickInterval = 1000

    /// - Parameter ownerIsActive: called when a key was pressed, at most once a second.
    init(home: Home, language: DiaryLanguage, ownerIsActive: @escaping () -> Void) throws {
        session = try ScreenSession(showsPictures: true, hearsMouse: true, ownerIsActive: ownerIsActive)
        let size = session.size
        runner = try DiaryRunner(
            home: home,
            screen: DiaryScreen(
                columns: size.columns, rows: size.rows, language: language,
                zone: .current))
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
                try tellPictures()
                guard try session.show(runner.screen.frame(), pictures) else { break }
                try writeRecoveryKey()
            }
            try wait()
        }
    }

    private func wait() throws {
        try session.wait(
            milliseconds: runner.untilDue(atMost: desk?.isBusy == true ? PictureDesk.pace : Self.tickInterval),
            also: runner.descriptor, runner.watchDescriptor)
        // First what may have to vanish, then what was typed.
        try runner.readEvents(isWatchReadable: runner.watchDescriptor.map { session.takeReadable($0) } ?? false)
        try session.hear(wantsSecret: { runner.screen.wantsSecret }) { try runner.feed(Self.input($0)) }
        guard !session.isOver else { return }
        desk?.advance()
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
        // A paste that a lock cuts short is part of an entry as well.
        if runner.screen.diary == nil {
            session.forgetKeys()
            desk?.forget()
        }
        // The terminal may be gone; what is to be locked is locked all the same.
        try? session.clear()
    }

    func takeLateInput() throws -> [Input] {
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
        let next = Array("\u{1B}[\(place.row + 2);1H".utf8)
        if try runner.appendRecoveryKey(to: &output, first: place.first, then: next) { _ = try session.write(output) }
    }

    /// The terminal has said how it takes pictures, or that it takes none.
    private func tellPictures() throws {
        let showsPictures = desk != nil && session.pictureForm != nil
        guard showsPictures != toldPictures else { return }
        toldPictures = showsPictures
        try runner.feed(.showsPictures(showsPictures))
    }

    /// Those of the page that is seen, as far as they are decoded.
    private var pictures: [PlacedPicture] {
        guard let desk, let diary = runner.screen.diary, let form = session.pictureForm else { return [] }
        let cell = session.cellSize
        return diary.picturePlaces.compactMap { place in
            guard let picture = diary.picture(of: place.file) else { return nil }
            let box = PictureBox(row: place.row, column: place.column, width: place.width, height: place.height)
            var side = max(box.width, box.height * 2)
            if case .blocks = form {} else { side = max(box.width * cell.width, box.height * cell.height) }
            // The small one and the large one of a file differ in length.
            let key = "\(place.file)-\(picture.count)"
            return desk.pixels(of: picture, key: key, side: side).map { PlacedPicture(key: key, box: box, pixels: $0) }
        }
    }
}
