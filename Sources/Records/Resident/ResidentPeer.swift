package import EventLoop
import Linux

/// A client of a resident program.
package protocol ResidentPeer: LoopPeer {
    /// One that has just come.
    init(_ pipe: MessagePipe)
    /// Its socket, and what waits there.
    var pipe: MessagePipe { get }
    /// Whether a person may be behind it though nothing comes: it is not asked to make room.
    var keepsItsPlace: Bool { get }
}

extension ResidentPeer {
    package var descriptor: Int32 { pipe.socket.raw }
    package var process: ProcessName { pipe.process }
    package var isOurs: Bool { false }
    package var isClosed: Bool { pipe.isClosed }
    /// A frame that came ahead of an answer is no longer to be read; one that is none ends the connection.
    package var hasWork: Bool { (try? pipe.hasFrame) != false }
}
