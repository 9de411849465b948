package import Linux
package import ResidentClient
import Secrets
import Tresor
package import Wire

/// What every resident program of ours stands on: its lock, its socket, and the way to go on with nothing in memory.
///
/// Made by the keeper and used by its wards: see docs/decisions/0028-a-keeper-forks-the-resident-programs.md.
package final class ResidentHost {
    /// Its name and its places.
    package let program: ResidentProgram
    /// On standard error, which the keeper has led into the program's file.
    package let log: ResidentLog
    private let lockFile: FileDescriptor
    /// To poll: somebody comes.
    package let listener: FileDescriptor
    private let spare = SpareBuffer()
    /// When the log's size is looked at next.
    private var logDue = ContinuousClock.now

    /// Takes the program's lock and binds its socket.
    ///
    /// - Throws: `AlreadyRuns`, `LinuxError`.
    package init(_ program: ResidentProgram) throws {
        self.program = program
        log = ResidentLog(program: program.name)
        try FileSystem.makeDirectories(program.folder)
        try FileSystem.setMode(program.folder, 0o700)
        lockFile = try FileDescriptor.open(program.lock, FileFlags.readWriteOrCreate)
        guard try lockFile.lockExclusively(within: .seconds(3)) else { throw AlreadyRuns() }
        try FileSystem.remove(program.socket)
        listener = try UnixSocket.listen(program.socket)
    }

    /// Another one has the lock.
    package struct AlreadyRuns: Error {}

    /// Locked memory that clients keep with half frames and answers that they do not take, in bytes.
    private static let mostHeld = 4 << 20

    /// The next client that waits, if it is one of this user; nil where none waits, or no memory is left for it.
    func accept() -> MessagePipe? {
        // The queue holds no more than this.
        for _ in 0...UnixSocket.backlog {
            guard let raw = try? UnixSocket.accept(listener) else { return nil }
            let socket = FileDescriptor(owning: raw)
            // Who has hung up, and has asked for nothing before, costs nobody anything.
            if socket.hasHungUp(), (try? socket.waitingByteCount()) == 0 { continue }
            guard let credentials = try? PeerCredentials(of: socket), credentials.user == CurrentProcess.user else {
                log.note("refused a connection of another user")
                continue
            }
            do { return try MessagePipe(socket, spare: spare) } catch { log.error("no memory for a client", "memory") }
        }
        return nil
    }

    /// Bytes of one file of the log; there are two at most.
    private static let logLimit = 1 << 20

    /// Begins the log anew when it has grown.
    private func tendLog() {
        let now = ContinuousClock.now
        guard now >= logDue else { return }
        logDue = now + .seconds(60)
        // What cannot be moved goes on growing, slowly: see LogBudget.
        _ = try? ErrorStream.rotate(program.log, to: program.log + ".1", limit: Self.logLimit)
    }

    /// A ward has the standard error that its keeper began with; a former ward may have begun the log anew.
    fileprivate func followLog() { try? ErrorStream.follow(program.log) }

    /// Closes connections of clients that keep this program waiting, and of those that hold too much by that.
    package func closeLate(_ pipes: [MessagePipe]) {
        let now = SystemClock.bootMilliseconds()
        tendLog()
        for pipe in pipes where pipe.isLate(now) {
            log.note("closed a connection: half a frame, or an answer that was not taken")
            pipe.isClosed = true
        }
        var held = pipes.filter { !$0.isClosed && $0.isTimed && $0.heldBytes > 0 }
        var bytes = held.map(\.heldBytes).reduce(0, +)
        held.sort { $0.lastMoved > $1.lastMoved }
        while bytes > Self.mostHeld, let longest = held.popLast() {
            log.note("closed a connection: it held too much memory")
            bytes -= longest.heldBytes
            longest.isClosed = true
        }
    }

    /// How long work in the background waits for clients, and in how many turns of theirs it has one.
    ///
    /// Who takes a long body is back in a moment, and would wait for the end of that work at each of its parts.
    ///
    /// - Parameter last: when something else came whose client will be back in a moment, in milliseconds since the
    ///   machine started.
    package func lull(_ pipes: [MessagePipe], since last: UInt64 = 0) -> (wait: Duration, turns: Int) {
        let now = SystemClock.bootMilliseconds()
        let isHasty =
            Duration(from: last, to: now) < MessagePipe.haste || pipes.contains { $0.isTaking(now) }
        return isHasty ? (wait: .milliseconds(10), turns: 32) : (wait: .zero, turns: 8)
    }

    /// After which ``closeLate(_:)`` is due; nil for not by the clock.
    package func patience(_ pipes: [MessagePipe]) -> Duration? {
        pipes.contains(where: \.isTimed) ? .seconds(1) : nil
    }

    /// Ends this process and has a fresh one take its place: no memory outlives that, and the socket never goes away.
    package func startAnew() -> Never {
        Stack.wipe()
        Keeper.startAnew()
    }

    /// Takes the socket's name away, so that the next client starts a program.
    ///
    /// - Throws: `LinuxError`.
    package func removeSocket() throws { try FileSystem.remove(program.socket) }
}

/// How a resident program runs, from its arguments to its exit code.
package enum ResidentRun {
    /// Shows this process to the daemon, hides it from everybody else, and serves in a child that was never seen.
    ///
    /// - Parameters:
    ///   - name: of the program, for its log.
    ///   - program: of a home.
    ///   - serve: makes the service and runs it until it is ended.
    /// - Returns: the exit code.
    package static func run(
        as name: String, _ program: (Home) -> ResidentProgram, serve: (Home, ResidentHost) throws -> Void
    ) -> Int32 {
        do {
            Introduction.introduce()
            try Sandbox.harden()
            let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
            guard StartCheck.mayStart(home, program(home)) else { return ResidentExit.refused }
            let host = try ResidentHost(program(home))
            return try Keeper.keep(connectingTo: home.socket) { serveHome(home, host, $0, serve) }
        } catch {
            ResidentLog(program: name).error("ended", error)
            return ExitCode.unavailable
        }
    }

    /// - Parameter generation: how many wards there were before this one.
    private static func serveHome(
        _ home: Home, _ host: ResidentHost, _ generation: Int, _ serve: (Home, ResidentHost) throws -> Void
    ) -> Int32 {
        Heap.reuseLargeBlocks()
        host.followLog()
        do {
            try serve(home, host)
            return 0
        } catch {
            // The daemon ended while the device was being locked: nobody will answer at the socket that we were left.
            if generation > 0 { try? FileSystem.remove(host.program.socket) }
            host.log.error("ended", error)
            return ExitCode.unavailable
        }
    }
}
