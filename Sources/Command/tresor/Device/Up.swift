import ArgumentParser
import DurableDatabase
import Linux
import Localization
import Tresor
import Wire

struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: localized("Start Tresor. It keeps this terminal until Ctrl-C; with --detach it does not."),
        discussion: localized(
            """
            'tresor up --detach' starts it in the background, and 'tresor down' ends it. 'tresor service enable' has \
            it start by itself from then on.
            """))

    @Flag(help: ArgumentHelp(localized("Run in the background, and give the terminal back.")))
    var detach = false

    func run() async throws {
        let signals = try SignalDescriptor()
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        if let running = try? Keychain(), let status = try? await running.status() {
            return try Self.tellOfOther(status, home)
        }
        guard UserService.current()?.starts(home) != true else { throw Self.failedBySystemd() }
        if let warning = home.warning { Output.remark(warning) }
        let (daemon, logged) = try start(home)
        guard let status = try await waitForStart(daemon, home, logged) else { return }
        let staysAtTerminal = !detach && Terminal.isTerminal(1)
        if staysAtTerminal { try Output.done(Self.staying) }
        try Output.done(StatusText.welcome(status, home))
        guard !detach else { return }
        if !staysAtTerminal { try Output.done(localized("Ctrl-C ends it.")) }
        try await stay(daemon, signals, home)
    }

    /// What stands first at a terminal: whoever waits for a prompt there would wait for ever.
    private static var staying: String {
        let stays = localized(
            """
            Tresor runs in this terminal until Ctrl-C. Type other commands in another one.
            In the background:      tresor up --detach
            """)
        // Where systemd has no instance for this user, nothing could start it.
        guard UserService.current() != nil else { return stays + "\n" }
        return stays + "\n" + localized("Started by itself:      tresor service enable") + "\n"
    }

    private static func tellOfOther(_ status: DeviceStatus, _ home: Home) throws {
        try Output.done(
            localized("tresord runs already (process \(status.daemon.daemonProcess)), \(status.lockState.words)."))
        guard UserService.current()?.starts(home) == true else { return }
        try Output.done(localized("systemd starts it with the first program that asks; nobody has to say 'tresor up'."))
    }

    /// It was asked for by the connection just now: one that was started here would take its place at the socket.
    private static func failedBySystemd() -> Failure {
        let reason = (try? UserService()?.failure()).map { ": \($0)" } ?? ""
        return Failure(
            ExitCode.unavailable, localized("systemd listens for tresord, which did not start\(reason)"),
            hint: localized(
                "'journalctl --user --unit tresord' tells more; 'tresor service disable' lets 'tresor up' start it"))
    }

    /// - Returns: the daemon, and how long its log was before.
    private func start(_ home: Home) throws -> (ChildProcess, logged: Int) {
        let program = try CurrentProcess.executableDirectory() + "/tresord"
        guard try FileSystem.status(program) != nil else {
            throw Failure(
                ExitCode.unavailable, localized("\(program) is missing"), hint: localized("build it with 'make run'"))
        }
        try FileSystem.makeDirectories(home.data)
        let log = try FileDescriptor.open(home.log, FileFlags.append)
        let logged = try FileSystem.status(home.log)?.byteCount ?? 0
        return (try ChildProcess(detached: program, arguments: [], output: log), logged: logged)
    }

    /// - Returns: nil where another one was started at the same moment, and serves.
    private func waitForStart(
        _ daemon: ChildProcess, _ home: Home, _ logged: Int
    ) async throws -> DeviceStatus? {
        var hasSteppedBack = false
        // As long as it says how far it is, as in an update, it is waited for.
        var (said, patience) = (logged, SystemClock.bootMilliseconds() + 5000)
        while SystemClock.bootMilliseconds() < patience {
            if let length = try FileSystem.status(home.log)?.byteCount, length > said {
                let words = reason(home, said, .success)
                if words.contains(FormerDatabase.progress) { Output.remark(words) }
                (said, patience) = (length, SystemClock.bootMilliseconds() + 5000)
            }
            if !hasSteppedBack, let end = daemon.end() {
                hasSteppedBack = end == .exited(code: ExitCode.notPermitted)
                guard hasSteppedBack else {
                    let code = if case .exited(let code) = end { code } else { ExitCode.unavailable }
                    throw Failure(code, localized("tresord did not start: \(reason(home, logged, end))"))
                }
            }
            if let status = try await Self.status() {
                guard hasSteppedBack else { return status }
                // The other one was still on its way when ours met its lock.
                try Self.tellOfOther(status, home)
                return nil
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        if hasSteppedBack {
            let end = ChildProcess.End.exited(code: ExitCode.notPermitted)
            throw Failure(ExitCode.notPermitted, localized("tresord did not start: \(reason(home, logged, end))"))
        }
        throw Failure(
            ExitCode.unavailable, localized("tresord did not answer within five seconds"),
            hint: localized("see \(home.log)"))
    }

    /// - Returns: nil where nobody answers yet.
    /// - Throws: `Failure` where somebody does, and cannot say how things stand.
    private static func status() async throws -> DeviceStatus? {
        guard let keychain = try? Keychain() else { return nil }
        do { return try await keychain.status() } catch let error as TresorError where error.code == .damaged {
            throw Failure(
                ExitCode.damaged, localized("tresord runs, and the keychain's database is damaged"),
                hint: localized("'tresor down', and then 'tresor repair'"))
        } catch { return nil }
    }

    /// What the daemon said of it, or how it ended.
    private func reason(_ home: Home, _ logged: Int, _ end: ChildProcess.End) -> String {
        // What was killed has not said why.
        switch end {
        case .exited(code: ChildProcess.cannotExecute), .exited(code: ChildProcess.notFound):
            return localized("processes or descriptors are short: 'ulimit -n 256' and 'ulimit -u 256' at least")
        case .killed(signal: ChildProcess.fileSizeSignal):
            return localized("a file may not become as large as it has to: 'ulimit -f unlimited'")
        case .killed(let signal): return localized("it was killed by signal \(signal); see \(home.log)")
        case .exited: break
        }
        let bytes = (try? FileSystem.read(home.log)) ?? []
        let said = String(decoding: bytes.dropFirst(bytes.count >= logged ? logged : 0), as: UTF8.self)
        guard let last = said.split(separator: "\n").last.map(String.init) else {
            return localized("it said nothing; see \(home.log). It needs 'ulimit -n 256' at least")
        }
        return last.split(separator: "] ", maxSplits: 1).last.map(String.init) ?? last
    }

    private func stay(_ daemon: ChildProcess, _ signals: borrowing SignalDescriptor, _ home: Home) async throws {
        while true {
            try Poll.wait(untilReadable: signals.descriptor.raw, milliseconds: nil)
            while let signal = signals.next() {
                switch signal {
                case .end:
                    // It is our child: no number can be another's. By its socket it would not know us, who hid before
                    // it ran.
                    daemon.askToEnd()
                    _ = daemon.waitForEnd()
                    try Output.done(localized("tresord has ended."))
                    return
                case .childEnded:
                    guard let end = daemon.end() else { break }
                    // Only where it was asked to does it end well; a fault has another code, or a signal.
                    guard end == .success else {
                        throw Failure(
                            ExitCode.unavailable, localized("tresord has ended by itself"),
                            hint: localized("see \(home.log)"))
                    }
                    return try Output.done(localized("tresord has ended: 'tresor down' or a signal asked for it."))
                case .other: break
                }
            }
        }
    }
}

struct Down: AsyncParsableCommand, ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down",
        abstract: localized("End the daemon and its enclave. Every key leaves memory."))

    func run() async throws {
        let keychain = try Keychain()
        let process = Int32(try await keychain.status().daemon.daemonProcess)
        // By its descriptor: the number may be another's afterwards, and stays in use until its parent has looked.
        let daemon = try PeerProcess(number: process, startTime: PeerProcess.startTime(of: process))
        try await keychain.stopDaemon()
        if daemon.waitForEnd(within: .seconds(5)) { return try Output.done(localized("tresord has ended.")) }
        throw Failure(ExitCode.unavailable, localized("tresord (process \(process)) did not end within five seconds"))
    }
}
