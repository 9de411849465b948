import Linux
import Localization
import Wire

/// How a resident program ends, besides by the codes that all our programs share.
package enum ResidentExit {
    /// Signs were found that the machine or the program is in somebody else's hands, and the owner chose that it does
    /// not start then.
    package static let refused: Int32 = 78
}

/// Starts a resident program where it does not run.
struct ResidentStarter<Messages: ResidentMessages> {
    let program: ResidentProgram
    /// The daemon's socket: whether the device is there at all is the daemon's to say.
    let daemon: String

    func connect() throws -> FileDescriptor {
        if let socket = try connectToRunning() { return socket }
        guard (try? UnixSocket.connect(daemon, within: Self.patience)) != nil else {
            throw unavailable(marked("tresord does not run; start it with 'tresor up'"))
        }
        let file = try CurrentProcess.executableDirectory() + "/" + program.name
        guard try FileSystem.status(file) != nil else {
            throw unavailable(marked("\(file) is missing; build it with 'make run'"))
        }
        try FileSystem.makeDirectories(program.folder)
        let log = try FileDescriptor.open(program.log, FileFlags.append)
        let child = try ChildProcess(detached: file, arguments: [], output: log)
        for _ in 0..<1000 {
            if let socket = try connectToRunning() { return socket }
            if let end = child.end(), end != .success {
                if end == .exited(code: ResidentExit.refused) {
                    throw unavailable(
                        marked(
                            """
                            \(program.name) does not start: this machine, or the program, may be in somebody else's \
                            hands; 'tresor doctor' says why, and 'tresor settings integrity' what is to happen then
                            """))
                }
                throw unavailable(marked("\(program.name) did not start; its log says why: \(program.log)"))
            }
            SystemClock.sleep(milliseconds: 10)
        }
        throw unavailable(marked("\(program.name) did not start within 10 seconds; its log: \(program.log)"))
    }

    /// Within which somebody who listens takes a connection.
    private static var patience: Duration { .seconds(10) }

    /// - Returns: nil where nobody listens.
    /// - Throws: the failure `noAnswer` where somebody does, and takes no connection.
    private func connectToRunning() throws -> FileDescriptor? {
        do { return try UnixSocket.connect(program.socket, within: Self.patience) } catch  where error.isTimeout {
            throw Messages.failure(
                .noAnswer,
                marked(
                    """
                    \(program.name) has taken no connection for \(Self.patience.components.seconds) seconds: it is \
                    busy, or was stopped
                    """))
        } catch { return nil }
    }

    private func unavailable(_ message: String) -> Messages.Failure { Messages.failure(.unavailable, message) }
}
