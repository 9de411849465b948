import Linux
import Wire

/// Starts a resident program where it does not run.
struct ResidentStarter<Messages: ResidentMessages> {
    let program: ResidentProgram
    /// The daemon's socket: whether the device is there at all is the daemon's to say.
    let daemon: String

    func connect() throws -> FileDescriptor {
        if let socket = try? UnixSocket.connect(program.socket) { return socket }
        guard (try? UnixSocket.connect(daemon)) != nil else {
            throw unavailable("tresord does not run; start it with 'tresor up'")
        }
        let file = try CurrentProcess.executableDirectory() + "/" + program.name
        guard try FileSystem.status(file) != nil else {
            throw unavailable("\(file) is missing; build it with 'make run'")
        }
        try FileSystem.makeDirectories(program.folder)
        let log = try FileDescriptor.open(program.log, FileFlags.append)
        let child = try ChildProcess(detached: file, arguments: [], output: log)
        for _ in 0..<1000 {
            if let socket = try? UnixSocket.connect(program.socket) { return socket }
            if let end = child.end(), end != .exited(code: 0) {
                throw unavailable("\(program.name) did not start; its log says why: \(program.log)")
            }
            SystemClock.sleep(milliseconds: 10)
        }
        throw unavailable("\(program.name) did not start within 10 seconds; its log: \(program.log)")
    }

    private func unavailable(_ message: String) -> Messages.Failure { Messages.failure(.unavailable, message) }
}
