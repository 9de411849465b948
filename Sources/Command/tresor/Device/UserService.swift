import Linux
import Localization
import TerminalScreen
import Wire

/// systemd's instance for this user, as far as it starts `tresord` for the first program that asks.
///
/// Everything goes through systemctl(1): what is enabled there is links that it makes.
struct UserService {
    /// The unit that listens; it starts `tresord.service`.
    static let unit = "tresord.socket"
    /// What systemd has to be reached by; without one of them there is no session of systemd's.
    private static let ways = ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"]
    private static let patience = 30_000

    private let program: String

    /// Nil where there is no systemctl, or no session that it could ask.
    init?() {
        guard Self.ways.contains(where: { CurrentProcess.environment($0)?.isEmpty == false }),
            let program = try? CurrentProcess.findProgram("systemctl")
        else { return nil }
        self.program = program
    }

    /// - Throws: `Failure` where there is none, with the way to do without.
    static func required() throws -> (service: UserService, state: UserServiceState) {
        guard let service = UserService(), let state = try service.state() else {
            throw Failure(
                Wire.ExitCode.unavailable,
                localized("systemd has no instance for this user here, so nothing starts by itself"),
                hint: localized("start it by hand: 'tresor up --detach'"))
        }
        return (service: service, state: state)
    }

    /// How things stand; nil where systemd does not say.
    static func current() -> UserServiceState? { try? UserService()?.state() }

    /// - Returns: nil where systemd has no instance for this user.
    private func state() throws -> UserServiceState? {
        let properties = "--property=LoadState,ActiveState,UnitFileState,Listen"
        guard let answer = try ask(["show", Self.unit, properties]), answer.end == .success else { return nil }
        return UserServiceState(answer.text)
    }

    /// Why the last start failed, in `tresord`'s own words; nil where it did not, or nothing was said.
    func failure() throws -> String? {
        let properties = "--property=ActiveState,StatusText"
        guard let answer = try ask(["show", "tresord.service", properties]), answer.end == .success else { return nil }
        let values = UserServiceState.values(answer.text)
        guard values["ActiveState"] == ["failed"], let text = values["StatusText"]?.first, !text.isEmpty else {
            return nil
        }
        return SafeText.line(String(text))
    }

    /// Has systemctl change something, and shows what it said where it did not.
    func change(_ verb: String) throws {
        guard let answer = try ask([verb, "--now", Self.unit]) else {
            throw Failure(
                Wire.ExitCode.unavailable, localized("systemctl did not end within \(Self.patience / 1000) seconds"))
        }
        guard answer.end == .success else {
            for line in answer.text.split(separator: "\n") {
                Output.error("systemctl: \(SafeText.line(String(line)))")
            }
            throw Failure(Wire.ExitCode.unavailable, localized("'systemctl --user \(verb) --now \(Self.unit)' failed"))
        }
    }

    private func ask(_ words: [String]) throws -> (end: ChildProcess.End, text: String)? {
        try ChildProcess.ask(program, ["--user"] + words, limit: 1 << 16, milliseconds: Self.patience)
    }
}

/// What systemd knows of `tresord.socket`.
struct UserServiceState: Equatable {
    /// Whether its file is there and can be read.
    let isInstalled: Bool
    /// Whether it is started with each session.
    let isEnabled: Bool
    /// Whether it listens now.
    let isActive: Bool
    /// Where it listens, or would.
    let sockets: [String]

    /// - Parameter properties: lines of `systemctl show`, `NAME=VALUE`; others are passed over.
    init(_ properties: String) {
        let values = Self.values(properties)
        isInstalled = values["LoadState"] == ["loaded"]
        isEnabled = values["UnitFileState"] == ["enabled"]
        isActive = values["ActiveState"] == ["active"]
        // Such as `/run/user/1000/tresor/tresord.sock (Stream)`.
        sockets = values["Listen", default: []].compactMap { value in
            value.hasSuffix(" (Stream)") ? String(value.dropLast(" (Stream)".count)) : nil
        }
    }

    /// The values of each property by its name; some come several times.
    static func values(_ properties: String) -> [Substring: [Substring]] {
        var values: [Substring: [Substring]] = [:]
        for line in properties.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { values[parts[0], default: []].append(parts[1]) }
        }
        return values
    }

    /// Whether a program that asks in this home gets one started.
    func starts(_ home: Home) -> Bool { isActive && sockets.contains(home.socket) }
}
