package import Linux
package import Secrets

/// The program by which the desktop's clipboard is reached: wl-copy, xclip or xsel.
package struct DesktopClipboard: Sendable {
    /// Where this process stands: a program of ours shows its person what is missing.
    package enum Desktop: Equatable, Sendable {
        /// Neither `WAYLAND_DISPLAY` nor `DISPLAY` is set.
        case none
        case wayland, x11
    }

    enum Program: Sendable { case wlCopy, xclip, xsel }

    let program: Program
    let path: String
    /// Of the program that prints what the clipboard holds; nil where there is none.
    let readerPath: String?

    /// The desktop that the environment names.
    package static var desktop: Desktop {
        if isSet("WAYLAND_DISPLAY") { return .wayland }
        return isSet("DISPLAY") ? .x11 : .none
    }

    /// Nil where there is no desktop session or no program for it.
    package static func find() throws(LinuxError) -> DesktopClipboard? {
        if isSet("WAYLAND_DISPLAY"), let path = try CurrentProcess.findProgram("wl-copy") {
            return DesktopClipboard(
                program: .wlCopy, path: path, readerPath: try CurrentProcess.findProgram("wl-paste"))
        }
        guard isSet("DISPLAY") else { return nil }
        if let path = try CurrentProcess.findProgram("xclip") {
            return DesktopClipboard(program: .xclip, path: path, readerPath: path)
        }
        if let path = try CurrentProcess.findProgram("xsel") {
            return DesktopClipboard(program: .xsel, path: path, readerPath: path)
        }
        return nil
    }

    private static func isSet(_ name: String) -> Bool { CurrentProcess.environment(name)?.isEmpty == false }

    /// Puts a secret there until the loan ends.
    ///
    /// - Throws: `LinuxError` where the desktop's program fails; then nothing of ours is there.
    package func lend(_ secret: borrowing SecretBytes) throws -> ClipboardLoan {
        try ClipboardLoan(self, try secret.copy())
    }

    // MARK: what the programs are told

    /// To own the clipboard as long as nobody else takes it, and the program runs.
    func owningArguments() -> [String] {
        switch program {
        case .wlCopy: ["--foreground"] + (marksSecrets ? ["--sensitive"] : [])
        case .xclip: ["-selection", "clipboard", "-quiet"]
        case .xsel: ["--clipboard", "--input", "--nodetach"]
        }
    }

    /// To print what the clipboard holds.
    var readingArguments: [String] {
        switch program {
        case .wlCopy: ["--no-newline"]
        case .xclip: ["-selection", "clipboard", "-out"]
        case .xsel: ["--clipboard", "--output"]
        }
    }

    /// One after the other, so that the clipboard, and whoever remembers its last text, holds nothing.
    ///
    /// A desktop that brings back what its last owner had brings back the empty text.
    var emptyingArguments: [[String]] {
        switch program {
        case .wlCopy: [["--type", "text/plain"], ["--clear"]]
        case .xclip: [["-selection", "clipboard", "/dev/null"]]
        case .xsel: [["--clipboard", "--clear"]]
        }
    }

    /// Whether wl-copy can say that a text is secret (`x-kde-passwordManagerHint`), as it can since 2.3.
    private var marksSecrets: Bool {
        guard let help = try? ChildProcess.ask(path, ["--help"], limit: 1 << 16, milliseconds: 300) else {
            return false
        }
        return help.text.contains("--sensitive")
    }
}
