import CLinux
import Glibc

/// Listening sockets that this process was started with: sd_listen_fds(3).
///
/// systemd opens them, starts a program when somebody connects, and keeps them when that ends. Nothing is believed of
/// what it says of them: ``take(named:at:)`` looks at the socket itself.
///
///     LISTEN_PID=4711 LISTEN_FDS=1 LISTEN_FDNAMES=keychain
package struct PassedSockets: Equatable, Sendable {
    /// What each is called, in the order of their descriptors, the first of which is 3 (`SD_LISTEN_FDS_START`).
    package let names: [String]

    private static var first: Int32 { 3 }
    private static var variables: [String] { ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] }

    /// Why what was passed is not taken.
    package enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
        /// A variable is missing, or is not what sd_listen_fds(3) says.
        case malformed(variable: String)
        /// There are others than the one that was expected, or more, or they have other names.
        case unexpected([String], wanted: String)
        /// The descriptor is a file, or something else.
        case noSocket
        /// It is no UNIX stream socket.
        case otherKind
        /// Nobody could connect.
        case notListening
        /// It is bound to another path than this, or that is not its name any more.
        case elsewhere(String)
        /// Somebody else has opened it.
        case ofAnotherUser
        /// A call of the kernel's failed.
        case failed(LinuxError)

        /// In words for whoever started the program.
        package var description: String {
            switch self {
            case .malformed(let variable): "\(variable) is not what sd_listen_fds(3) says"
            case .unexpected(let names, let wanted):
                "\(names.count) sockets were passed (\(names.joined(separator: ", "))), and one was expected: \(wanted)"
            case .noSocket: "the descriptor that was passed is no socket"
            case .otherKind: "the socket that was passed is no UNIX stream socket"
            case .notListening: "the socket that was passed does not listen"
            case .elsewhere(let path): "the socket that was passed is not the one at \(path)"
            case .ofAnotherUser: "the socket that was passed is another user's"
            case .failed(let error): "the socket that was passed could not be taken over: \(error)"
            }
        }
    }

    /// What the variables say; nil where nothing was passed to this process.
    ///
    /// - Parameters:
    ///   - environment: looks a variable up.
    ///   - process: the number of this process.
    package init?(environment: (String) -> String?, process: Int32) throws(Problem) {
        guard let owner = environment("LISTEN_PID") else { return nil }
        guard let number = Self.number(owner) else { throw .malformed(variable: "LISTEN_PID") }
        // Another process's, which has left them to what it started: those sockets are not here.
        guard number == Int(process) else { return nil }
        guard let count = environment("LISTEN_FDS").flatMap(Self.number) else {
            throw .malformed(variable: "LISTEN_FDS")
        }
        guard let text = environment("LISTEN_FDNAMES") else { throw .malformed(variable: "LISTEN_FDNAMES") }
        let names = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard names.count == count else { throw .malformed(variable: "LISTEN_FDNAMES") }
        self.names = names
    }

    /// A decimal number of at least 1, without a sign.
    private static func number(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(text), number > 0
        else { return nil }
        return number
    }

    /// What was passed to this process, once: the variables are taken away, whatever they say, so that no program
    /// which this one starts takes them for its own.
    package static func takeFromEnvironment() throws(Problem) -> PassedSockets? {
        defer { for name in variables { CurrentProcess.removeEnvironment(name) } }
        return try PassedSockets(environment: CurrentProcess.environment, process: CurrentProcess.id)
    }

    /// The only socket that was passed, which has to have this name, to be this user's, and to listen at this path.
    package func take(named name: String, at path: String) throws(Problem) -> PassedListener {
        guard names == [name] else { throw .unexpected(names, wanted: name) }
        return try PassedListener(descriptor: Self.first, at: path)
    }
}

/// A listening socket that somebody else has opened for this process, looked at and taken over.
///
/// Its name stays with whoever opened it: to remove that would leave clients without a way in.
package struct PassedListener: Sendable {
    private let raw: Int32

    /// - Parameter descriptor: open, and nobody else's.
    package init(descriptor: Int32, at path: String) throws(PassedSockets.Problem) {
        switch unsafe cl_take_listener(descriptor, path, UnixSocket.backlog) {
        case 0: raw = descriptor
        case Int32(CL_LISTENER_NO_SOCKET): throw .noSocket
        case Int32(CL_LISTENER_OTHER_KIND): throw .otherKind
        case Int32(CL_LISTENER_NOT_LISTENING): throw .notListening
        case Int32(CL_LISTENER_ELSEWHERE): throw .elsewhere(path)
        case Int32(CL_LISTENER_OF_ANOTHER): throw .ofAnotherUser
        case let code: throw .failed(LinuxError(call: "listen", code: -code))
        }
    }

    /// Closes the connections that wait: nobody will serve them, and left waiting they would have another program
    /// started that fails as this one did.
    package func dismissWaiting() {
        // The queue holds no more than this.
        for _ in 0...UnixSocket.backlog {
            let client = cl_accept(raw)
            guard client >= 0 else { return }
            close(client)
        }
    }

    /// The descriptor, whose owner this makes: to be asked for once.
    package func own() -> FileDescriptor { FileDescriptor(owning: raw) }
}
