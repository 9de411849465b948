import EventLoop
import Foundation
import Linux
import NotesClient
import Resident
import ResidentClient
import Secrets
import Testing
import WidgetClient

@testable import WidgetHost

/// A sibling that tells of changes, played by the test: it is never waited for, and never started.
@Suite struct SourceWatchTests {
    private final class Sibling {
        let program: ResidentProgram
        private var listener: FileDescriptor?

        init() throws {
            let folder = NSTemporaryDirectory() + "tresor-source-" + Identifier.makeRandom().description.prefix(12)
            program = ResidentProgram(name: "source", folder: folder, socket: folder + "/socket")
            try FileSystem.makeDirectories(folder)
        }

        deinit { try? FileManager.default.removeItem(atPath: program.folder) }

        func begin() throws { listener = try UnixSocket.listen(program.socket) }

        /// The client that has connected.
        func accept() throws -> MessagePipe {
            var accepted: Int32?
            switch listener {
            case .some(let listener): accepted = try UnixSocket.accept(listener)
            case .none: break
            }
            return try MessagePipe(FileDescriptor(owning: try #require(accepted)))
        }
    }

    @Test func `it connects to who serves, and tries once a second`() throws {
        let sibling = try Sibling()
        let watch = SourceWatch<NotesMessages>(sibling.program, .follow)
        #expect(!watch.connect(now: 10_000) && !watch.isConnected && watch.descriptor == -1)
        try sibling.begin()
        #expect(!watch.connect(now: 10_999), "it was tried a moment ago")
        #expect(watch.connect(now: 11_000) && watch.isConnected && watch.descriptor >= 0)
        let far = try sibling.accept()
        try far.receive()
        let request = try far.takeFrame().message(as: NotesRequest.self)
        if case .follow = request {} else { Issue.record("it asks for \(request)") }
    }

    @Test func `what it is told comes in its order, and then the end`() throws {
        let sibling = try Sibling()
        try sibling.begin()
        let watch = SourceWatch<NotesMessages>(sibling.program, .follow)
        #expect(watch.connect(now: 10_000))
        var far: MessagePipe? = try sibling.accept()
        try far?.send(event: NotesEvent.noteChanged(id: "a"))
        try far?.send(event: NotesEvent.noteChanged(id: "b"))
        far = nil
        var heard: [String] = []
        for _ in 0..<3 where watch.isConnected {
            for news in watch.takeNews() {
                switch news {
                case .event(let event): heard.append("\(event)")
                case .reply(let reply): heard.append("\(reply)")
                case .ended: heard.append("ended")
                }
            }
        }
        #expect(heard.count == 3 && heard[0].contains("\"a\"") && heard[1].contains("\"b\"") && heard[2] == "ended")
        #expect(watch.descriptor == -1 && watch.takeNews().isEmpty)
        #expect(watch.connect(now: 11_000), "it comes back")
    }
}

/// What a client of widgets may have of the program.
@Suite struct WidgetPeerTests {
    private func makePeer() throws -> (peer: WidgetPeer, far: Int32) {
        let (near, far) = try UnixSocket.makePair()
        return (peer: WidgetPeer(try MessagePipe(FileDescriptor(owning: near))), far: far)
    }

    @Test func `a bar that shows something keeps its place, and a command does not`() throws {
        let (peer, far) = try makePeer()
        defer { close(far) }
        #expect(!peer.keepsItsPlace && !peer.isOurs)
        peer.watched = [WidgetOrder(kind: "notes.recent", family: "small", placement: "desktop")]
        #expect(peer.keepsItsPlace)
    }
}
