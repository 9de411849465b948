import Glibc

/// The person at the terminal, if there is one.
package enum Terminal {
    /// Whether a descriptor is a terminal.
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The window's size in character cells; nil where the descriptor is no terminal, or it does not know.
    package static func size(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
        var window = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return nil
        }
        return (Int(window.ws_col), Int(window.ws_row))
    }

    /// How many columns a text for a person may take; nil where the descriptor is no terminal.
    ///
    /// Those of `COLUMNS` where that is a number, as whoever sets it wants it, else the window's; 80 where it does not
    /// know. What help is laid out for follows the same.
    package static func columns(_ descriptor: Int32) -> Int? {
        guard isTerminal(descriptor) else { return nil }
        if let wish = CurrentProcess.environment("COLUMNS").flatMap({ Int($0) }), wish > 0 { return wish }
        return size(descriptor)?.columns ?? 80
    }

    /// The person ended the prompt (Ctrl-C or Ctrl-D).
    package struct Cancelled: Error {}

    /// Reads what was typed of a line that has not been ended, which a terminal keeps to itself until then.
    ///
    /// Lines that were ended come first. Nothing is waited for; of what is no terminal, nothing is read.
    package static func readUnfinishedLine(_ descriptor: Int32, into buffer: inout LockedBuffer) throws {
        var found = termios()
        guard unsafe tcgetattr(descriptor, &found) == 0 else { return }
        var open = found
        // From a mode without lines, n_tty gives what it has of one (termios(3), "Canonical and noncanonical mode").
        open.c_lflag &= ~tcflag_t(ICANON)
        try LinuxError.checkErrno(unsafe tcsetattr(descriptor, TCSANOW, &open), "tcsetattr")
        defer { _ = unsafe tcsetattr(descriptor, TCSANOW, &found) }
        let input = FileDescriptor(owning: dup(descriptor))
        while true {
            guard case .ready = try Poll.wait(untilReadable: descriptor, milliseconds: 0),
                case .moved = try input.read(into: &buffer, room: 4096)
            else { return }
        }
    }

    /// Prompts on the terminal and reads a line that is not shown.
    ///
    /// - Returns: the line without its end.
    /// - Throws: `LinuxError` when there is no terminal, `Cancelled`.
    package static func readHiddenLine(prompt: String) throws -> LockedBuffer {
        try readLine(prompt: prompt, shows: false)
    }

    /// The same of a line that is shown, or not, as it is typed.
    ///
    /// - Parameter shows: whether; control characters are never shown.
    package static func readLine(prompt: String, shows: Bool) throws -> LockedBuffer {
        let terminal = try FileDescriptor.open("/dev/tty", O_RDWR)
        var before = termios()
        try LinuxError.checkErrno(unsafe tcgetattr(terminal.raw, &before), "tcgetattr")
        var hidden = before
        // Byte by byte and without signals, so that every way out restores the terminal.
        hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        try LinuxError.checkErrno(unsafe tcsetattr(terminal.raw, TCSAFLUSH, &hidden), "tcsetattr")
        defer { _ = unsafe tcsetattr(terminal.raw, TCSAFLUSH, &before) }
        try write(prompt, to: terminal)
        defer { try? write("\n", to: terminal) }
        // What is typed stands behind the last line of it.
        let last = prompt.lastIndex(of: "\n").map { prompt[prompt.index(after: $0)...] } ?? prompt[...]
        return try readKeys(terminal, shownBehind: shows ? String(last) : nil)
    }

    /// - Parameter prompt: nil where nothing is shown.
    private static func readKeys(
        _ terminal: borrowing FileDescriptor, shownBehind prompt: String?
    ) throws -> LockedBuffer {
        var line = try LockedBuffer(capacity: 256)
        while true {
            let length = line.count
            guard case .moved = try terminal.read(into: &line, room: 1) else { throw Cancelled() }
            switch line.lastByte {
            case 0x0a, 0x0d:
                line.truncate(to: length)
                return line
            case 0x03: throw Cancelled()
            case 0x04:
                line.truncate(to: length)
                guard length > 0 else { throw Cancelled() }
                return line
            case 0x7f, 0x08: line.truncate(to: line.startOfLastCharacter(before: length))
            case 0x15: line.truncate(to: 0)
            default: break
            }
            if let prompt { try show(line, behind: prompt, on: terminal) }
        }
    }

    /// Writes the line anew, over what is there of it: on one row, as far as the terminal's width.
    private static func show(
        _ line: borrowing LockedBuffer, behind prompt: String, on terminal: borrowing FileDescriptor
    ) throws {
        // An unfinished character is shown with its last byte.
        try write("\r\u{1B}[K" + prompt, to: terminal)
        let bytes = line.bytes
        var start = 0
        for offset in 0..<bytes.byteCount {
            let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            guard byte < 0x20 || byte == 0x7f else { continue }
            _ = try terminal.writeAll(bytes.extracting(start..<offset))
            try write("?", to: terminal)
            start = offset + 1
        }
        _ = try terminal.writeAll(bytes.extracting(start..<bytes.byteCount))
    }

    private static func write(_ text: String, to terminal: borrowing FileDescriptor) throws {
        _ = try terminal.writeAll(unsafe Array(text.utf8).span.bytes)
    }
}

extension LockedBuffer {
    fileprivate var lastByte: UInt8 {
        unsafe bytes.unsafeLoad(fromByteOffset: count - 1, as: UInt8.self)
    }

    /// Where the UTF-8 character that ends before `end` begins; 0 at the start.
    fileprivate func startOfLastCharacter(before end: Int) -> Int {
        var start = max(0, end - 1)
        while start > 0, unsafe bytes.unsafeLoad(fromByteOffset: start, as: UInt8.self) & 0xc0 == 0x80 { start -= 1 }
        return start
    }
}

/// Secrets that come from a pipe or a file.
package enum SecretInput {
    /// Everything up to the end.
    package static func readAll(_ descriptor: Int32, limit: Int) throws -> LockedBuffer {
        let input = FileDescriptor(owning: dup(descriptor))
        var bytes = try LockedBuffer(capacity: 4096)
        while try readMore(input, &bytes, room: min(64 * 1024, limit + 1 - bytes.count)) {
            guard bytes.count <= limit else { throw LinuxError(call: "read", code: EFBIG) }
        }
        return bytes
    }

    /// One line without its line feed, byte by byte, so that nothing behind it is taken.
    ///
    /// Nil at the end of the input.
    package static func readLine(_ descriptor: Int32, limit: Int) throws -> LockedBuffer? {
        let input = FileDescriptor(owning: dup(descriptor))
        var line = try LockedBuffer(capacity: 256)
        while try readMore(input, &line, room: 1) {
            if line.lastByte == 0x0a {
                line.truncate(to: line.count - 1)
                return line
            }
            guard line.count <= limit else { throw LinuxError(call: "read", code: EFBIG) }
        }
        if line.count == 0 { return nil }
        return line
    }

    /// False at the end of the input; waits where a nonblocking one has nothing yet.
    private static func readMore(
        _ input: borrowing FileDescriptor, _ bytes: inout LockedBuffer, room: Int
    ) throws -> Bool {
        while true {
            switch try input.read(into: &bytes, room: room) {
            case .moved: return true
            case .closed: return false
            case .wouldBlock:
                try Poll.wait(untilReadable: input.raw, milliseconds: nil)
            }
        }
    }

    /// Whether a descriptor is open at all.
    package static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }
}
