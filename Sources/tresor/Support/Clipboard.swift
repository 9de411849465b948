import Linux
import Secrets
import Tresor
import Wire

/// The desktop's clipboard, through wl-copy or xclip.
enum Clipboard {
    /// Copies a secret, waits 30 seconds, and clears the clipboard.
    static func lend(_ secret: borrowing SecretBytes) async throws {
        guard let tool = try Tool.find() else {
            throw Failure(
                Wire.ExitCode.unavailable, "neither wl-copy nor xclip is installed, or there is no desktop session",
                hint: "install one: apt install wl-clipboard, or xclip")
        }
        try tool.copy(secret)
        Output.error("copied; the clipboard is cleared in 30 seconds")
        // Cleared also when the wait is cut short.
        _ = try Interruption.waits(milliseconds: 30_000)
        try tool.clear()
    }

    private struct Tool {
        let path: String
        let copyArguments: [String]
        let clearArguments: [String]

        static func find() throws -> Tool? {
            if CurrentProcess.environment("WAYLAND_DISPLAY") != nil,
                let path = try CurrentProcess.findProgram("wl-copy")
            {
                return Tool(path: path, copyArguments: ["--foreground", "--paste-once"], clearArguments: ["--clear"])
            }
            if CurrentProcess.environment("DISPLAY") != nil, let path = try CurrentProcess.findProgram("xclip") {
                return Tool(
                    path: path, copyArguments: ["-selection", "clipboard"],
                    clearArguments: ["-selection", "clipboard", "/dev/null"])
            }
            return nil
        }

        func copy(_ secret: borrowing SecretBytes) throws {
            try secret.withBytes { try ChildProcess.run(path, copyArguments, input: $0) }
        }

        func clear() throws { try [UInt8]().withSpan { try ChildProcess.run(path, clearArguments, input: $0) } }
    }
}
