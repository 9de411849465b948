import Linux
import Secrets
import TerminalScreen
import Tresor
import Wire

/// The desktop's clipboard, for the commands that lend it a secret.
enum Clipboard {
    /// Copies a secret, waits 30 seconds, and clears the clipboard.
    static func lend(_ secret: borrowing SecretBytes) async throws {
        guard let clipboard = try DesktopClipboard.find() else {
            throw Failure(
                Wire.ExitCode.unavailable, "neither wl-copy nor xclip is installed, or there is no desktop session",
                hint: "install one: apt install wl-clipboard, or xclip")
        }
        try clipboard.copy(secret)
        Output.error("copied; the clipboard is cleared in 30 seconds")
        // Cleared also when the wait is cut short.
        _ = try Interruption.waits(milliseconds: 30_000)
        try clipboard.clear()
    }
}
