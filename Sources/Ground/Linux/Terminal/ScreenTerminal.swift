import CLinux
import Glibc

/// The terminal of this process as a screen: raw keys in, text at chosen places out.
///
/// While it is entered, the alternate screen is shown, so that nothing of it stays in the terminal's scrollback. The
/// terminal is given back as it was found by ``leave()``, and at the latest when the owner lets go of this. Signals
/// that end a program must therefore be caught (``SignalDescriptor``) and lead to that. A crash gives it back as well.
@safe package final class ScreenTerminal {
    private let device: FileDescriptor
    private let found: termios
    private var isEntered = false
    private let hearsMouse: Bool

    /// - Parameter hearsMouse: whether clicks and the wheel are to be reported; the terminal's own marking of text then
    ///   needs Shift.
    /// - Throws: `LinuxError` when this process has no terminal.
    package init(hearsMouse: Bool = false) throws(LinuxError) {
        self.hearsMouse = hearsMouse
        device = try FileDescriptor.open("/dev/tty", O_RDWR)
        var settings = termios()
        try LinuxError.checkErrno(unsafe tcgetattr(device.raw, &settings), "tcgetattr")
        found = settings
    }

    deinit { leave() }

    /// For poll(2).
    package var descriptor: Int32 { device.raw }

    /// Switches to the alternate screen and to keys that arrive one by one, without echo and without signals.
    ///
    /// Doing it twice is harmless, and mends what another program did to the terminal in between.
    package func enter() throws(LinuxError) {
        if !isEntered { try LinuxError.check(unsafe cl_screen_guard(device.raw, Sequence.leave), "tcgetattr") }
        var raw = found
        unsafe cfmakeraw(&raw)
        try LinuxError.checkErrno(unsafe tcsetattr(device.raw, TCSADRAIN, &raw), "tcsetattr")
        isEntered = true
        _ = try device.writeAll(Sequence.enter + (hearsMouse ? Sequence.mouse : ""))
    }

    /// Clears the screen, shows the former one again and gives the terminal back as it was found.
    package func leave() {
        guard isEntered else { return }
        isEntered = false
        cl_screen_release()
        // The terminal may be gone, and then there is nothing to restore.
        _ = try? device.writeAll(Sequence.leave)
        var settings = found
        _ = unsafe tcsetattr(device.raw, TCSADRAIN, &settings)
    }

    /// Gives the terminal back, stops this process until the shell continues it, and takes the terminal again.
    package func suspend() throws(LinuxError) {
        leave()
        // Not SIGTSTP, which threads of the runtime may have blocked.
        raise(SIGSTOP)
        try enter()
    }

    /// What was typed, as far as it has arrived.
    package func read(into buffer: inout LockedBuffer) throws -> Transfer {
        try device.read(into: &buffer, room: 4096)
    }

    /// False when the terminal is gone.
    package func write(_ text: String) throws(LinuxError) -> Bool { try device.writeAll(text) }

    /// False when the terminal is gone.
    package func write(_ bytes: [UInt8]) throws(LinuxError) -> Bool { try device.writeAll(unsafe bytes.span.bytes) }

    /// The size of a character cell in pixels; nil where the terminal does not say.
    package func cellSize() -> (width: Int, height: Int)? {
        var window = winsize()
        guard unsafe ioctl(device.raw, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0,
            window.ws_xpixel > 0, window.ws_ypixel > 0
        else { return nil }
        return (Int(window.ws_xpixel / window.ws_col), Int(window.ws_ypixel / window.ws_row))
    }

    /// The window's size in character cells; 80 by 24 where the terminal does not know.
    package func size() -> (columns: Int, rows: Int) {
        var window = winsize()
        guard unsafe ioctl(device.raw, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(window.ws_col), Int(window.ws_row))
    }

    /// Control sequences of ECMA-48 and of xterm (ctlseqs: private modes 7, 25, 1000, 1004, 1006, 1049 and 2004).
    private enum Sequence {
        /// The alternate screen, bracketed paste, reports of the focus, no wrapping at the right edge, empty.
        static let enter = "\u{1B}[?1049h\u{1B}[?2004h\u{1B}[?1004h\u{1B}[?7l\u{1B}[0m\u{1B}[2J\u{1B}[H"
        /// Buttons and the wheel, in numbers that end nowhere (SGR).
        static let mouse = "\u{1B}[?1000h\u{1B}[?1006h"
        static let leave =
            "\u{1B}[?1006l\u{1B}[?1000l\u{1B}[0m\u{1B}[2J\u{1B}[?7h\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?1049l\u{1B}[?25h"
    }
}

/// A line that is typed without being shown, for as long as its owner keeps this.
///
/// Where the descriptor is no terminal, nothing is shown anyway.
package struct HiddenInput: ~Copyable {
    private let descriptor: Int32
    private var found: termios?

    /// - Parameter descriptor: of the terminal; where it is none, nothing changes.
    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var settings = termios()
        guard unsafe tcgetattr(descriptor, &settings) == 0 else { return }
        found = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        settings.c_lflag |= tcflag_t(ECHONL)
        _ = unsafe tcsetattr(descriptor, TCSADRAIN, &settings)
    }

    deinit {
        guard var settings = found else { return }
        _ = unsafe tcsetattr(descriptor, TCSADRAIN, &settings)
    }
}

extension SignalDescriptor {
    /// Lets it tell, as ``Signal/other``, that the window has another size or that the shell has continued us.
    package func watchTerminal() throws(LinuxError) {
        for number in [SIGWINCH, SIGCONT] { try LinuxError.check(cl_signal_add(number), "sigaction") }
    }
}
