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
    private var poll = Poll()
    private var wasUndecided = false
    /// Whether the last wait ended with something to read from the driver's own connection; the driver takes it back
    /// when it has read.
    package var isOtherReadable = false
    /// Whether the program shall end: by ``end()``, by a signal, or because the terminal is gone.
    package private(set) var isOver = false

    /// Milliseconds that the rest of a key's sequence may take.
    private static let keyPatience = 50
    /// Milliseconds after which a wait ends in any case.
    private static let longestWait = 1000

    /// - Throws: `LinuxError` when this process has no terminal.
    package init() throws(LinuxError) {
        terminal = try ScreenTerminal()
        signals = try SignalDescriptor()
        try signals.watchTerminal()
        try signals.watchJobControl()
    }

    /// The window's size in character cells.
    package var size: (columns: Int, rows: Int) { terminal.size() }

    /// Takes the terminal; ``leave()`` gives it back.
    package func enter() throws(LinuxError) { try terminal.enter() }

    package func leave() { terminal.leave() }

    package func end() { isOver = true }

    // MARK: What goes out

    /// Draws what has changed.
    ///
    /// False when the terminal is gone.
    package func show(_ frame: Frame) throws(LinuxError) -> Bool { try terminal.write(painter.paint(frame)) }

    /// Erases the terminal; the next frame is drawn in full.
    package func clear() throws(LinuxError) {
        painter.forget()
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
        try terminal.suspend()
        painter.forget()
    }

    // MARK: What comes in

    /// Waits until something comes in, or so many milliseconds, at most a second.
    ///
    /// - Parameter descriptor: of the driver's own connection; nil while there is none.
    package func wait(milliseconds: Int, also descriptor: Int32?) throws(LinuxError) {
        poll.removeAll()
        poll.add(terminal.descriptor, reading: true, writing: false)
        poll.add(signals.descriptor.raw, reading: true, writing: false)
        if let descriptor { poll.add(descriptor, reading: true, writing: false) }
        wasUndecided = keys.isUndecided || (secret?.isUndecided ?? false)
        try poll.wait(milliseconds: wasUndecided ? Self.keyPatience : min(max(milliseconds, 0), Self.longestWait))
        isOtherReadable = descriptor != nil && poll.isReadable(2)
    }

    /// Tells what the last wait brought.
    ///
    /// - Parameter wantsSecret: whether the bytes that are typed belong to a secret; asked before each of them, because
    ///   what is told may change it.
    package func hear(wantsSecret: () -> Bool, _ tell: (Happening) throws -> Void) throws {
        if poll.isReadable(1) { try readSignals(tell) }
        if poll.isReadable(0) {
            try readKeys(wantsSecret, tell)
        } else if wasUndecided {
            if wantsSecret() {
                try cancelSecret(tell)
            } else if let key = keys.decide() {
                try tell(.key(key))
            }
        }
    }

    /// What was typed, once it has been entered.
    package func takeSecret() -> SecretBytes? { secret.take()?.finish() }

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
                painter.forget()
                try tell(.resized(columns: size.columns, rows: size.rows))
            }
        }
    }

    private func readKeys(_ wantsSecret: () -> Bool, _ tell: (Happening) throws -> Void) throws {
        var bytes = try LockedBuffer(capacity: 4096)
        guard case .moved = try terminal.read(into: &bytes) else {
            isOver = true
            return
        }
        var reader = ByteReader(bytes.bytes)
        while reader.remaining > 0, !isOver {
            let byte = try reader.uint8()
            if wantsSecret() {
                try typeSecret(byte, tell)
            } else if let key = keys.decode(byte) {
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
