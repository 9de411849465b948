/// What the clients of one resident program say to it, and hear.
///
/// Requests and replies travel as the JSON heads of frames; see specs/notes-socket.md.
package protocol ResidentMessages: Sendable {
    associatedtype Request: Codable & Sendable
    associatedtype Reply: Codable & Sendable
    associatedtype Event: Codable & Sendable
    associatedtype Failure: Error

    /// The failure that a reply is; nil for any other.
    static func failure(of reply: Reply) -> Failure?

    /// A failure of the connection itself.
    static func failure(_ kind: ConnectionFailure, _ message: String) -> Failure

    /// Whether what is asked may take minutes, such as sealing large files anew.
    static func isLong(_ request: Request) -> Bool
}

/// What a connection can fail by, besides what is answered.
package enum ConnectionFailure: Sendable {
    case unavailable, tooLarge
    /// The program is there, and says nothing.
    case noAnswer
    /// The program ended the connection before it answered: at a lock, as it has to, or by a fault.
    case ended
}

/// A resident program of ours, and where it keeps what is its own.
package struct ResidentProgram: Sendable, Equatable {
    /// Of its file, which lies beside those of its clients.
    package let name: String
    /// All that is its own: database, lock, log.
    package let folder: String
    /// The path of its socket.
    package let socket: String

    /// - Parameters:
    ///   - name: of its file.
    ///   - folder: of what is its own.
    ///   - socket: a path of at most 107 bytes.
    package init(name: String, folder: String, socket: String) {
        self.name = name
        self.folder = folder
        self.socket = socket
    }

    /// Held as long as it runs, so that there is one.
    package var lock: String { folder + "/" + name + ".lock" }
    /// What it has to say, without a word of a user's.
    package var log: String { folder + "/" + name + ".log" }
}
