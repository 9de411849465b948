package import Linux
package import Secrets

/// The desktop's clipboard, through wl-copy or xclip.
///
/// The secret goes to the program's standard input. What is cleared is the clipboard: a history that the desktop keeps
/// of it is not reached.
package struct DesktopClipboard: Sendable {
    private let path: String
    private let copyArguments: [String]
    private let clearArguments: [String]

    /// Nil where there is no desktop session or no program for it.
    package static func find() throws(LinuxError) -> DesktopClipboard? {
        if CurrentProcess.environment("WAYLAND_DISPLAY") != nil, let path = try CurrentProcess.findProgram("wl-copy") {
            return DesktopClipboard(
                path: path, copyArguments: ["--foreground", "--paste-once"], clearArguments: ["--clear"])
        }
        if CurrentProcess.environment("DISPLAY") != nil, let path = try CurrentProcess.findProgram("xclip") {
            return DesktopClipboard(
                path: path, copyArguments: ["-selection", "clipboard"],
                clearArguments: ["-selection", "clipboard", "/dev/null"])
        }
        return nil
    }

    /// Hands a secret to the desktop's own program over a pipe, to be pasted.
    ///
    /// - Throws: `LinuxError` where that program fails.
    package func copy(_ secret: borrowing SecretBytes) throws(LinuxError) {
        try secret.withBytes { (bytes) throws(LinuxError) in try ChildProcess.run(path, copyArguments, input: bytes) }
    }

    /// Takes away what the clipboard holds.
    ///
    /// - Throws: `LinuxError` where the desktop's program fails.
    package func clear() throws(LinuxError) {
        try [UInt8]().withSpan { (bytes) throws(LinuxError) in try ChildProcess.run(path, clearArguments, input: bytes)
        }
    }
}
