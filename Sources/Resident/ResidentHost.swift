package import Linux
package import ResidentClient
import Secrets
import Tresor
package import Wire

/// What every resident program of ours stands on: its lock, its socket, and the way to go on as a fresh image.
///
/// See docs/decisions/0010-a-lock-replaces-the-notes-program.md.
package final class ResidentHost {
    /// What a fresh image of the program inherits.
    package struct Inheritance: Sendable {
        package var listener: Int32
        package var lock: Int32

        /// From the arguments that ``ResidentHost/replaceImage()`` gives; nil for any others.
        package init?(arguments: [String]) {
            guard arguments.count == 3, arguments[0] == "--inherit", let listener = Int32(arguments[1]),
                let lock = Int32(arguments[2]), listener > 2, lock > 2
            else { return nil }
            self.listener = listener
            self.lock = lock
        }
    }

    package let program: ResidentProgram
    package let log: ResidentLog
    private let lockFile: FileDescriptor
    package let listener: FileDescriptor
    private let spare = SpareBuffer()

    /// Takes the program's lock and binds its socket, or goes on with those of the image before.
    ///
    /// - Throws: `AlreadyRuns`, `LinuxError`.
    package init(_ program: ResidentProgram, inheriting inheritance: Inheritance?) throws {
        self.program = program
        log = ResidentLog(program: program.name)
        try FileSystem.makeDirectories(program.folder)
        try FileSystem.setMode(program.folder, 0o700)
        if let inheritance {
            lockFile = FileDescriptor(owning: inheritance.lock)
            listener = FileDescriptor(owning: inheritance.listener)
        } else {
            lockFile = try FileDescriptor.open(program.lock, FileFlags.readWriteOrCreate)
            guard try lockFile.lockExclusively(within: 3000) else { throw AlreadyRuns() }
            try FileSystem.remove(program.socket)
            listener = try UnixSocket.listen(program.socket)
        }
    }

    /// Another one has the lock.
    package struct AlreadyRuns: Error {}

    /// The next client that waits, if it is one of this user.
    ///
    /// - Returns: its pipe; nil where none waits, or no memory is left for it.
    package func accept() -> MessagePipe? {
        while let raw = try? UnixSocket.accept(listener) {
            let socket = FileDescriptor(owning: raw)
            guard let credentials = try? PeerCredentials(of: socket), credentials.user == CurrentProcess.user else {
                log.note("refused a connection of another user")
                continue
            }
            do { return try MessagePipe(socket, spare: spare) } catch {
                log.error("no memory for a client", "memory")
            }
        }
        return nil
    }

    /// Executes the program anew: no memory outlives that, and its socket never goes away.
    ///
    /// Returns only where it fails; then the process has to end, which wipes as well.
    package func replaceImage() {
        Stack.wipe()
        CurrentProcess.replace(
            arguments: ["--inherit", "\(listener.raw)", "\(lockFile.raw)"], keeping: [listener.raw, lockFile.raw])
    }

    package func removeSocket() throws { try FileSystem.remove(program.socket) }
}

/// How a resident program runs, from its arguments to its exit code.
package enum ResidentRun {
    /// Shows this process to the daemon, hides it from everybody else, and serves.
    ///
    /// - Parameters:
    ///   - name: of the program, for its log.
    ///   - program: of a home.
    ///   - serve: makes the service and runs it until it is ended.
    /// - Returns: the exit code.
    package static func run(
        _ arguments: [String], as name: String, _ program: (Home) -> ResidentProgram,
        serve: (Home, ResidentHost) throws -> Void
    ) -> Int32 {
        do {
            // An image that was executed anew shows itself again: exec(2) takes the protection away.
            Introduction.introduce()
            try Sandbox.harden()
            Heap.reuseLargeBlocks()
            let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
            return try serveHome(home, program(home), ResidentHost.Inheritance(arguments: arguments), serve)
        } catch {
            ResidentLog(program: name).error("ended", error)
            return ExitCode.unavailable
        }
    }

    private static func serveHome(
        _ home: Home, _ program: ResidentProgram, _ inheritance: ResidentHost.Inheritance?,
        _ serve: (Home, ResidentHost) throws -> Void
    ) throws -> Int32 {
        do {
            try serve(home, try ResidentHost(program, inheriting: inheritance))
            return 0
        } catch {
            // The daemon ended while the device was being locked: nobody will answer at the socket that we were left.
            if inheritance != nil { try? FileSystem.remove(program.socket) }
            throw error
        }
    }
}
