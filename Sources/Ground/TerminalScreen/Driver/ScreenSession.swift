package import Linux
package import Secrets

/// The terminal while a program of ours fills it: frames go out, and keys, hidden secrets and a new size come in.
///
/// It knows nothing of what is shown. A driver waits with ``wait(milliseconds:also:)``, reads first what its own
/// connection says, because that may make something vanish, and then calls ``hear(wantsSecret:_:)``.
package final class ScreenSession {
    /// What came from the person or the terminal.
    package enum Happening {
        case key(Key)
        /// A secret was typed to its end; ``takeSecret()`` hands it over.
        case secretEntered
        case secretCancelled
        case resized(columns: Int, rows: Int)
        /// Whether the window has the keyboard; terminals that do not report it never tell. Not heard while a secret
        /// is typed.
        case focus(Bool)
        /// Somebody wants the program to stop, as Ctrl-Z does: it clears, and calls ``suspend()``.
        case stopRequested
    }

    private let terminal: ScreenTerminal
    private let signals: SignalDescriptor
    private var painter = ScreenPainter()
    private var keys = KeyDecoder()
    private var secret: SecretEntry?
    /// What was typed and has not been looked at yet.
    private var typed: SecretBuffer
    private var lookedAt = 0
    /// Whether the terminal had something at the last wait that was not read since; a read would wait for it otherwise.
    private var hasInput = false
    private var owner: OwnerPulse
    /// After a lock that came by itself: since when, and when the last key came.
    private var quiet: (begin: UInt64, lastKey: UInt64)?
    private let looks: TerminalLooks
    private let showsPictures: Bool
    private let drawsDots: Bool
    private var layer = PictureLayer()
    /// The terminal's answers, from when it was asked.
    private var answers: (taken: TerminalAnswers, askedAt: UInt64)?
    /// Typed bytes that waited for what followed them.
    private var released: [UInt8] = []
    private var poll = Poll()
    /// The signals' descriptor at the last wait.
    private var signalEntry: Poll.Entry?
    private var wasUndecided = false
    /// Whether what was shown has been erased since the last wait.
    private var wasCleared = false
    /// Which of the driver's own connections the last wait found something on; the driver takes one back when it has
    /// read it.
    private var readable: Set<Int32> = []
    /// Whether the program shall end: by ``end()``, by a signal, or because the terminal is gone.
    package private(set) var isOver = false

    /// Milliseconds that the rest of a key's sequence may take.
    private static let keyPatience = 50
    /// Milliseconds after which a wait ends in any case.
    private static let longestWait = 1000
    /// Milliseconds without a key, and in all, after which keys mean something again.
    private static let quietGap: UInt64 = 250
    private static let longestQuiet: UInt64 = 3000
    /// Milliseconds that the rest of a paste may take when what was typed is collected.
    private static let pastePatience: UInt64 = 300

    /// Milliseconds in which a terminal answers what it can show; what comes later is heard as well.
    private static let answerPatience: UInt64 = 1000

    /// - Parameters:
    ///   - showsPictures: whether the terminal is asked how it takes pictures.
    ///   - hearsMouse: whether a click and the wheel are keys, too.
    ///   - drawsDots: whether a secret that is typed is dotted here; else by the screen, by ``secretLength``.
    ///   - ownerIsActive: called when a key was pressed, at most once a second.
    /// - Throws: `LinuxError` when this process has no terminal, `SecretMemoryError`.
    package init(
        showsPictures: Bool = false, hearsMouse: Bool = false, drawsDots: Bool = true,
        ownerIsActive: @escaping () -> Void = {}
    ) throws {
        terminal = try ScreenTerminal(hearsMouse: hearsMouse)
        looks = .here
        self.showsPictures = showsPictures
        self.drawsDots = drawsDots
        signals = try SignalDescriptor()
        typed = try SecretBuffer(capacity: 4096)
        owner = OwnerPulse(ownerIsActive)
        try signals.watchTerminal()
        try signals.watchJobControl()
    }

    /// The window's size in character cells.
    package var size: (columns: Int, rows: Int) { terminal.size() }

    /// Takes the terminal; ``leave()`` gives it back.
    package func enter() throws(LinuxError) {
        try terminal.enter()
        guard showsPictures, answers == nil, !looks.isDumb else { return }
        answers = (TerminalAnswers(), SystemClock.bootMilliseconds())
        _ = try terminal.write(TerminalAnswers.question(looks))
    }

    /// Gives the terminal back as it was before ``enter()``.
    package func leave() { terminal.leave() }

    /// Has the loop end behind the key that is being worked on.
    package func end() { isOver = true }

    // MARK: What goes out

    /// Draws what has changed; a secret that is being typed stands there as dots.
    ///
    /// False when the terminal is gone.
    ///
    /// - Parameter pictures: what is to be seen in front of the frame, which leaves them room.
    package func show(_ frame: Frame, _ pictures: [PlacedPicture] = []) throws(LinuxError) -> Bool {
        let frame = frame.withDots(drawsDots ? secretLength : 0, columns: size.columns)
        let wanted = pictureForm == nil ? [] : pictures
        if let form = pictureForm {
            let removal = layer.remove(allBut: wanted, form)
            painter.forget(rows: removal.rows)
            if !removal.bytes.isEmpty, try !terminal.write(removal.bytes) { return false }
        }
        guard try terminal.write(painter.paint(frame)) else { return false }
        guard let form = pictureForm, !wanted.isEmpty else { return true }
        let drawn = layer.draw(wanted, over: painter.painted, form, cellSize)
        guard !drawn.isEmpty else { return true }
        guard try terminal.write(drawn) else { return false }
        guard let cursor = frame.cursor else { return true }
        return try terminal.write("\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H")
    }

    /// How this terminal takes pictures; nil while that is not known, and where it takes none.
    package var pictureForm: PictureForm? {
        guard let answers else { return nil }
        let isLate = SystemClock.bootMilliseconds() >= answers.askedAt + Self.answerPatience
        return answers.taken.isOutstanding && !isLate ? nil : answers.taken.form(looks)
    }

    /// Pixels of a character cell.
    package var cellSize: CellSize {
        let told = terminal.cellSize().flatMap { CellSize(pixels: $0.width, by: $0.height) }
        return answers?.taken.cell ?? told ?? .usual
    }

    /// Erases the terminal; the next frame is drawn in full.
    package func clear() throws(LinuxError) {
        let erasure = layer.forget(pictureForm)
        if !erasure.isEmpty { _ = try terminal.write(erasure) }
        painter.forget()
        wasCleared = true
        _ = try terminal.write(ScreenPainter.clear)
    }

    /// Writes bytes that must not be in a frame: a secret that is shown, where it is to stand.
    ///
    /// False when the terminal is gone.
    package func write(_ secret: borrowing SecretBuffer) throws(LinuxError) -> Bool {
        let device = try FileDescriptor.open("/dev/tty", FileFlags.readWrite)
        return try secret.withBytes { (bytes) throws(LinuxError) in try device.writeAll(bytes) }
    }

    /// Gives the terminal to the shell until it continues this program.
    package func suspend() throws(LinuxError) {
        _ = try terminal.write(layer.forget(pictureForm))
        try terminal.suspend()
        painter.forget()
    }

    // MARK: What comes in

    /// Waits until something comes in, or so many milliseconds, at most a second.
    ///
    /// - Parameter descriptors: of the driver's own connections; one is nil while it is not there.
    package func wait(milliseconds: Int, also descriptors: Int32?...) throws(LinuxError) {
        // Short texts lie in the frames of the calls that drew them.
        if wasCleared { Stack.wipe() }
        wasCleared = false
        poll.removeAll()
        let input = poll.add(terminal.descriptor, reading: true, writing: false)
        signalEntry = poll.add(signals.descriptor.raw, reading: true, writing: false)
        let others = descriptors.compactMap(\.self).map { descriptor in
            (descriptor: descriptor, entry: poll.add(descriptor, reading: true, writing: false))
        }
        wasUndecided = keys.isUndecided || (secret?.isUndecided ?? false) || answers?.taken.isHolding == true
        let longest = hasTyped ? 0 : wasUndecided ? Self.keyPatience : Self.longestWait
        try poll.wait(milliseconds: min(max(milliseconds, 0), longest))
        hasInput = poll.isReadable(input)
        readable = Set(others.filter { poll.isReadable($0.entry) }.map { $0.descriptor })
    }

    /// Whether the last wait ended with something to read from one of the driver's own connections; true once.
    package func takeReadable(_ descriptor: Int32) -> Bool { readable.remove(descriptor) != nil }

    /// Tells what the last wait brought.
    ///
    /// - Parameter wantsSecret: whether the bytes that are typed belong to a secret; asked before each of them, because
    ///   what is told may change it.
    package func hear(wantsSecret: () -> Bool, _ tell: (Happening) throws -> Void) throws {
        if poll.isReadable(signalEntry) { try readSignals(tell) }
        if !hasInput, !hasTyped { releaseHeldKey() }
        if hasInput || hasTyped {
            try readKeys(wantsSecret, tell)
        } else if wasUndecided {
            if isQuiet(at: SystemClock.bootMilliseconds()) {
                _ = keys.decide()
            } else if wantsSecret() {
                try cancelSecret(tell)
            } else if let key = keys.decide() {
                try tell(.key(key))
            }
        }
    }

    /// In the first second an Escape waits for what follows it: the answer of a slow line may begin with it.
    private func releaseHeldKey() {
        let now = SystemClock.bootMilliseconds()
        guard let asked = answers?.askedAt, now >= asked + Self.answerPatience else { return }
        released += answers?.taken.giveUp() ?? []
    }

    // MARK: At a lock

    /// Erases the terminal, and then takes every key that was pressed before: what was typed while a text was on the
    /// screen belongs to it, wherever it waited.
    ///
    /// Keys that follow in the same breath were meant for that text too, and mean nothing: they are dropped until none
    /// has come for a moment. A paste that is under way is taken as far as it comes within a moment.
    package func takeLateKeys() throws -> [Key] {
        // A terminal that is gone shows nothing either.
        try? clear()
        var late: [Key] = []
        var now = SystemClock.bootMilliseconds()
        let end = now + Self.pastePatience
        while true {
            while let byte = nextByte() {
                if let key = keys.decode(byte) { late.append(key) }
                _ = keys.takeFocusChange()
            }
            let left = keys.isInPaste && now < end ? Int(end - now) : 0
            // A terminal that is gone has nothing more; what it gave before is taken all the same.
            guard case .ready = try Poll.wait(untilReadable: terminal.descriptor, milliseconds: left),
                (try? receive()) == true
            else { break }
            now = SystemClock.bootMilliseconds()
            // Whoever goes on typing for ever does not hold up a lock.
            guard now < end else { break }
        }
        while let byte = nextByte() { if let key = keys.decode(byte) { late.append(key) } }
        if let paste = keys.cutPaste() { late.append(paste) }
        late = Key.joined(late)
        quiet = (begin: now, lastKey: now)
        return late
    }

    /// Whether keys are dropped still, because they follow those that were typed into a text.
    private func isQuiet(at now: UInt64) -> Bool {
        guard let quiet else { return false }
        guard now < quiet.lastKey + Self.quietGap, now < quiet.begin + Self.longestQuiet else {
            self.quiet = nil
            forgetKeys()
            return false
        }
        return true
    }

    /// What was typed, once it has been entered.
    package func takeSecret() -> SecretBytes? { secret.take()?.finish() }

    /// How many characters are typed of a secret that is not entered yet, for a dot each.
    package var secretLength: Int {
        switch secret {
        case .some(let entry): entry.characterCount
        case .none: 0
        }
    }

    /// Drops what has arrived of a key or a paste that is not whole yet.
    package func forgetKeys() { keys = KeyDecoder() }

    /// Wipes what was typed of a secret that nobody waits for any more.
    package func forgetSecret() { secret = nil }

    private func readSignals(_ tell: (Happening) throws -> Void) throws {
        while let signal = signals.nextLifecycleSignal() {
            switch signal {
            case .hungUp, .endRequested: isOver = true
            case .stopRequested: try tell(.stopRequested)
            case .continued, .windowChanged:
                try terminal.enter()
                _ = try terminal.write(layer.forget(pictureForm))
                painter.forget()
                try tell(.resized(columns: size.columns, rows: size.rows))
            }
        }
    }

    private var hasTyped: Bool { lookedAt < typed.count || !released.isEmpty }

    /// - Returns: false when the terminal is gone.
    private func receive() throws -> Bool {
        hasInput = false
        guard case .moved = try terminal.read(into: &typed.storage) else {
            isOver = true
            return false
        }
        return true
    }

    /// The next byte that was typed; what the terminal answers is none.
    private func nextByte() -> UInt8? {
        while released.isEmpty {
            guard lookedAt < typed.count else {
                typed.removeAll()
                lookedAt = 0
                return nil
            }
            let byte = typed.withBytes { $0.byte(at: lookedAt) }
            lookedAt += 1
            // What is pasted is nobody's answer.
            guard answers?.taken.isOutstanding == true, !keys.isInPaste else { return byte }
            released = answers?.taken.pass(byte) ?? [byte]
        }
        return released.removeFirst()
    }

    private func readKeys(_ wantsSecret: () -> Bool, _ tell: (Happening) throws -> Void) throws {
        if hasInput, try !receive() { return }
        while !isOver, let byte = nextByte() {
            let now = SystemClock.bootMilliseconds()
            if isQuiet(at: now) {
                quiet?.lastKey = now
                _ = keys.decode(byte)
            } else if wantsSecret() {
                owner.keyPressed(at: now)
                try typeSecret(byte, tell)
            } else if let key = keys.decode(byte) {
                owner.keyPressed(at: now)
                try tell(.key(key))
            } else if let hasFocus = keys.takeFocusChange() {
                try tell(.focus(hasFocus))
            }
        }
    }

    private func typeSecret(_ byte: UInt8, _ tell: (Happening) throws -> Void) throws {
        if secret == nil { secret = try SecretEntry() }
        switch try secret?.type(byte) {
        case .entered: try tell(.secretEntered)
        case .cancelled: try cancelSecret(tell)
        case .typing, nil: break
        }
    }

    private func cancelSecret(_ tell: (Happening) throws -> Void) throws {
        secret = nil
        try tell(.secretCancelled)
    }
}
