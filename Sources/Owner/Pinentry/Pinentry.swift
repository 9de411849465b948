import Linux
package import Secrets

/// Asks a person for a passcode through the pinentry program of this system, in a window or on the terminal.
///
/// It is started for one question and ended after it; it is sent texts alone, over a socket. What was typed is read
/// into locked memory and decoded there. No cache is allowed to it.
///
///     let passcode = try Pinentry().ask(description: "tresor needs the passcode.", prompt: "Passcode:")
///
/// Its protocol is that of pinentry's and libassuan's manuals.
package struct Pinentry: Sendable {
    /// The longest passcode that is taken, in bytes.
    package static let longestPasscode = 1024
    /// Where the program is looked for: in folders that are root's alone, and never in PATH.
    package static let programs = ["/usr/bin/pinentry", "/usr/local/bin/pinentry"]

    private let programs: [String]
    /// How long the program may take until it asks somebody, in milliseconds.
    private let promptness: Int
    /// Where it may ask if it can open no window.
    private let terminal: TerminalName?

    /// - Parameter program: an absolute path; nil for the first of ``programs`` that is there.
    package init(program: String? = nil) { self.init(program: program, promptness: 10_000, terminal: .own) }

    init(program: String?, promptness: Int, terminal: TerminalName?) {
        programs = program.map { [$0] } ?? Self.programs
        self.promptness = promptness
        self.terminal = terminal
    }

    /// Whether there is a display for its window to open on.
    package static var hasDisplay: Bool {
        ["WAYLAND_DISPLAY", "DISPLAY"].contains { CurrentProcess.environment($0)?.isEmpty == false }
    }

    /// Asks, and waits for the answer.
    ///
    /// - Parameters:
    ///   - description: what for; line feeds are kept, other control characters are not.
    ///   - prompt: what stands beside the field.
    ///   - error: what went wrong before; nil for nothing.
    ///   - seconds: how long the person has, from 1 to 3600.
    ///   - isCancelled: asked ten times a second; true takes the question back and ends the program.
    /// - Returns: what was typed, of any length from 0 to ``longestPasscode`` bytes.
    package func ask(
        description: String, prompt: String, error: String? = nil, timeout seconds: UInt32 = 120,
        isCancelled: () -> Bool = { Task.isCancelled }
    ) throws(PinentryError) -> SecretBytes {
        let seconds = min(max(1, seconds), 3600)
        var run = try start()
        try run.greet(isCancelled)
        for option in options() + ["SETTITLE Tresor", "SETTIMEOUT \(seconds)"] {
            // An older program may not know one of them, and asks all the same.
            do { try run.perform(option, isCancelled) } catch .failed {}
        }
        try run.perform("SETDESC " + AssuanText.escape(description), isCancelled)
        try run.perform("SETPROMPT " + AssuanText.escape(prompt), isCancelled)
        if let error { try run.perform("SETERROR " + AssuanText.escape(error), isCancelled) }
        return try run.readPasscode(seconds: seconds, isCancelled)
    }

    private func start() throws(PinentryError) -> PinentryRun {
        let environment = Self.environment()
        for program in programs where program.hasPrefix("/") {
            do {
                return try PinentryRun(program: program, environment: environment, milliseconds: promptness)
            } catch {
                guard error.isMissing else { throw .system(error) }
            }
        }
        throw .notInstalled
    }

    /// What it needs for a window or for our terminal.
    ///
    /// Others of the program's variables, which may hold secrets, are nothing to it.
    private static func environment() -> [String] {
        let names = [
            "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP",
            "XDG_SESSION_DESKTOP", "DBUS_SESSION_BUS_ADDRESS", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_ALL",
            "LC_CTYPE", "LC_MESSAGES", "TERM", "PINENTRY_USER_DATA",
        ]
        return ["PATH=/usr/local/bin:/usr/bin:/bin"]
            + names.compactMap { name in CurrentProcess.environment(name).map { "\(name)=\($0)" } }
    }

    private func options() -> [String] {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { CurrentProcess.environment($0) }.first { !$0.isEmpty }
        let values = [("ttyname", terminal?.path), ("ttytype", terminal?.type), ("lc-ctype", locale)]
        return values.compactMap { name, value in AssuanText.option(value).map { "OPTION \(name)=\($0)" } }
    }
}

/// A terminal, as another program is told of it.
struct TerminalName: Sendable {
    let path: String
    /// The kind that terminfo knows it by.
    let type: String?

    /// The one that this process belongs to, which the program, in the same session, opens by the same name; nil
    /// where there is none.
    static var own: TerminalName? {
        let path = "/dev/tty"
        do { _ = try FileDescriptor.open(path, FileFlags.readWrite) } catch { return nil }
        return TerminalName(path: path, type: CurrentProcess.environment("TERM"))
    }
}
