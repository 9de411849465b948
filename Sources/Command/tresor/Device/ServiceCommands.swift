import ArgumentParser
import Linux
import Localization
import Wire

struct ServiceGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: localized("Have the device start by itself, with the first program that asks."),
        discussion: localized(
            """
            systemd listens at the socket for you, and starts tresord when somebody connects: nobody types \
            'tresor up'. It needs systemd's instance for your user, which you have where you logged in at a desktop or \
            by ssh. Nothing is written but the links that systemctl makes.
            """),
        subcommands: [ServiceEnable.self, ServiceDisable.self, ServiceStatus.self])
}

struct ServiceEnable: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: localized("Start by itself from now on: systemctl --user enable --now tresord.socket."))

    func run() throws {
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        let (service, state) = try UserService.required()
        guard state.isInstalled else {
            throw Failure(
                Wire.ExitCode.unavailable, localized("systemd knows no \(UserService.unit)"),
                hint: localized("'make install' installs it; then 'systemctl --user daemon-reload'"))
        }
        guard state.sockets.contains(home.socket) else {
            let place = state.sockets.first ?? localized("no UNIX socket")
            throw Failure(
                Wire.ExitCode.usage,
                localized("\(UserService.unit) listens at \(place), and this home's socket is \(home.socket)"),
                hint: localized(
                    "it is for the home of your session: unset TRESOR_HOME; another one is started by 'tresor up'"))
        }
        // One that systemd has started may go on; any other keeps the home, and systemd's could not have it.
        guard state.isActive || !RunningDaemon.isThere(home) else {
            throw Failure(
                Wire.ExitCode.notPermitted, localized("a tresord runs that was started by hand; nothing was changed"),
                hint: localized("end it with 'tresor down', and then 'tresor service enable'"))
        }
        guard !(state.isActive && state.isEnabled) else {
            return try Output.done(localized("It starts by itself already."))
        }
        try service.change("enable")
        try Output.done(localized("tresord starts by itself from now on, with the first program that asks."))
    }
}

struct ServiceDisable: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: localized(
            "No longer start by itself: systemctl --user disable --now tresord.socket. A running one ends."))

    func run() throws {
        let (service, state) = try UserService.required()
        guard state.isActive || state.isEnabled else {
            return try Output.done(localized("It does not start by itself."))
        }
        try service.change("disable")
        try Output.done(localized("tresord no longer starts by itself, and has ended; 'tresor up' starts it."))
    }
}

struct ServiceStatus: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: localized("Show whether it starts by itself. Starts nothing."))

    @Flag(help: ArgumentHelp(localized("As JSON.")))
    var json = false

    func run() throws {
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        let (service, state) = try UserService.required()
        let document = ServiceDocument(state, home, failure: try service.failure())
        guard !json else { return try Output.json(document) }
        try Output.words(SetupState(startsByItself: document.startsByItself, isPasscodeSet: nil).startLine)
        try Output.words(localized("socket       \(home.socket)"))
        if state.isActive && !document.startsByItself {
            let places = state.sockets.joined(separator: ", ")
            try Output.words(localized("elsewhere    \(UserService.unit) listens at \(places)"))
        }
        try Output.words(document.runs ? localized("tresord      runs") : localized("tresord      does not run"))
        if let failure = document.failure { try Output.words(localized("failed       \(failure)")) }
    }
}

/// `tresor service status --json`.
private struct ServiceDocument: Encodable {
    let startsByItself: Bool
    let installed: Bool
    let enabled: Bool
    let active: Bool
    let runs: Bool
    let socket: String
    /// Left out where the last start did not fail.
    let failure: String?

    init(_ state: UserServiceState, _ home: Home, failure: String?) {
        self.failure = failure
        startsByItself = state.starts(home)
        installed = state.isInstalled
        enabled = state.isEnabled
        active = state.isActive
        runs = RunningDaemon.isThere(home)
        socket = home.socket
    }
}

/// Whether a `tresord` of a home runs, without a connection, which might start one.
enum RunningDaemon {
    /// It holds the lock as long as it lives.
    static func isThere(_ home: Home) -> Bool {
        guard let file = try? FileDescriptor.open(home.lock, FileFlags.read) else { return false }
        return (try? file.isLockedElsewhere()) ?? false
    }
}
