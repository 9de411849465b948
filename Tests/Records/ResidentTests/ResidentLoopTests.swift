import EventLoop
import Foundation
import Linux
import Resident
import ResidentClient
import Secrets
import Testing
import Wire

/// The loop that notes, diary and widgets stand on: places, turns, last words.
@Suite struct ResidentLoopTests {
    private struct Word: Codable, Sendable, Equatable { var text: String }

    private final class Peer: HandingIn {
        let pipe: MessagePipe
        var keepsItsPlace = false
        var mayHoldWords = false
        var hasHandedIn = false
        var heard: [String] = []

        init(_ pipe: MessagePipe) { self.pipe = pipe }
    }

    /// The far end of a socket.
    private final class Far {
        private let socket: FileDescriptor
        init(_ socket: consuming FileDescriptor) { self.socket = socket }

        func say(_ text: String) throws {
            var buffer = try SecretBuffer(capacity: 256)
            try MessageFrame.appendHead(Word(text: text), id: 1, to: &buffer)
            let isTaken = try buffer.withBytes { try socket.writeAll($0) }
            #expect(isTaken)
        }

        func write(_ text: String) throws {
            let isTaken = try socket.writeAll(text)
            #expect(isTaken)
        }
    }

    /// A program with room for six, four of one process, of which two may be windows.
    private final class Program {
        let loop: ResidentLoop<Peer>
        /// Over which the daemon speaks.
        let daemon: Far
        private let ends: (notices: Int32, signals: Int32, other: Int32)
        private let program: ResidentProgram

        init() throws {
            let folder = NSTemporaryDirectory() + "tresor-loop-" + Identifier.makeRandom().description.prefix(12)
            program = ResidentProgram(name: "loop", folder: folder, socket: folder + "/socket")
            let (notices, daemon) = try UnixSocket.makePair()
            let (signals, other) = try UnixSocket.makePair()
            self.daemon = Far(FileDescriptor(owning: daemon))
            ends = (notices: notices, signals: signals, other: other)
            loop = try ResidentLoop(
                ResidentHost(program), ConnectionShares(most: 6, mostOfOne: 4, mostWindows: 4, mostWindowsOfOne: 2),
                signals: signals, notices: notices)
        }

        deinit {
            for end in [ends.notices, ends.signals, ends.other] { close(end) }
            try? FileManager.default.removeItem(atPath: program.folder)
        }

        func connect() throws -> Far { try Far(UnixSocket.connect(program.socket)) }

        func serve() {
            loop.serve { peer, arrival in
                do {
                    guard try arrival.move() else { return true }
                    while try !peer.pipe.isClosed && peer.pipe.hasFrame {
                        peer.heard.append(try peer.pipe.takeFrame().message(as: Word.self).text)
                        if peer.heard.last == "done" { peer.hasHandedIn = true }
                    }
                } catch { Issue.record(error) }
                return true
            }
        }

        func turn(mayAsk: (Peer) -> Bool = { _ in true }) throws {
            _ = try loop.wait(atMost: .zero, mayAsk: mayAsk)
            let comes = loop.comes
            serve()
            loop.removeClosed()
            if comes { loop.admit() }
            loop.removeClosed()
        }

        /// Lets in who has connected.
        func letIn() throws -> Peer {
            try turn()
            return try #require(loop.peers.last)
        }

        /// - Returns: a client's end, and what the program has of it.
        func enter() throws -> (far: Far, peer: Peer) {
            let far = try connect()
            return (far: far, peer: try letIn())
        }
    }

    @Test func `a client is let in, heard, and forgotten when it has hung up`() throws {
        let program = try Program()
        var far: Far? = try program.connect()
        let peer = try program.letIn()
        let started = try PeerProcess.startTime(of: getpid())
        #expect(peer.process == ProcessName(id: getpid(), startTime: started))
        try far?.say("heron")
        try far?.say("crane")
        try program.turn()
        #expect(peer.heard == ["heron", "crane"])
        far = nil
        try program.turn()
        #expect(program.loop.peers.isEmpty)
    }

    @Test func `connections that have hung up push nobody away, whatever came with them`() throws {
        let program = try Program()
        let live = try (0..<4).map { _ in try program.enter() }
        for number in 0..<20 {
            let dead = try program.connect()
            if number % 2 == 0 { try dead.say("heron") }
        }
        for _ in 0..<100 { try program.turn() }
        for (far, _) in live { try far.say("here") }
        try program.turn()
        #expect(live.allSatisfy { $0.peer.heard == ["here"] && !$0.peer.isClosed })
        #expect(program.loop.peers.count == 4)
    }

    @Test func `who has hung up since the last wait makes room, a window too, and who is there does not`() throws {
        let program = try Program()
        var live = try (0..<4).map { _ in try program.enter() }
        for index in 0..<2 { live[index].peer.keepsItsPlace = true }
        let gone = live.remove(at: 1).peer
        let next = try program.connect()
        try next.say("heron")
        // Nobody was served in between.
        program.loop.admit()
        #expect(gone.isClosed && live.allSatisfy { !$0.peer.isClosed })
        program.loop.removeClosed()
        try program.turn()
        #expect(program.loop.peers.last?.heard == ["heron"])
    }

    @Test func `a window keeps its place, and who is silent longest gives`() throws {
        let program = try Program()
        let live = try (0..<4).map { _ in try program.enter() }
        for index in 0..<2 { live[index].peer.keepsItsPlace = true }
        #expect(program.loop.hasRoomForWindow(of: live[0].peer), "it is one already")
        #expect(!program.loop.hasRoomForWindow(of: live[2].peer), "its process has its share")
        usleep(5000)
        try live[2].far.say("heron")
        try program.turn()
        let last = try program.enter()
        #expect(live.map { $0.peer.isClosed } == [false, false, false, true] && !last.peer.isClosed)
    }

    @Test func `of whom nothing is read the words wait, and the end is heard`() throws {
        let program = try Program()
        var far: Far? = try program.connect()
        let peer = try program.letIn()
        try far?.say("heron")
        try program.turn { $0 !== peer }
        #expect(peer.heard.isEmpty)
        try program.turn()
        #expect(peer.heard == ["heron"])
        far = nil
        for _ in 0..<3 { try program.turn { $0 !== peer } }
        #expect(program.loop.peers.isEmpty)
    }

    @Test func `the daemon's word and the end of its connection are heard`() throws {
        let program = try Program()
        #expect(try !program.loop.wait(atMost: .zero) && !program.loop.isNoticed)
        try program.daemon.write("evict")
        #expect(try program.loop.wait(atMost: .zero) && program.loop.isNoticed)
    }

    // MARK: Last words

    @Test func `editors are asked, and all of them are waited for`() throws {
        let program = try Program()
        let (editor, other, reader) = (try program.enter(), try program.enter(), try program.enter())
        for peer in [editor.peer, other.peer] { peer.mayHoldWords = true }
        // The daemon's word goes on waiting, and keeps nobody busy.
        try program.daemon.write("evict")
        var (asked, rounds) = ([ObjectIdentifier](), 0)
        HandIn.collect(from: program.loop, accepts: false) { peer in
            asked.append(ObjectIdentifier(peer))
            // Whoever is asked first answers last.
            try (peer === editor.peer ? other.far : editor.far).say("done")
        } serve: {
            rounds += 1
            program.serve()
        }
        #expect(Set(asked) == [ObjectIdentifier(editor.peer), ObjectIdentifier(other.peer)])
        #expect(editor.peer.hasHandedIn && other.peer.hasHandedIn && reader.peer.heard.isEmpty)
        #expect(rounds <= 2, "nothing else has woken it")
        #expect(try program.loop.wait(atMost: .zero) && program.loop.isNoticed, "now it is heard")
    }

    @Test func `whoever says nothing is waited for until the limit, and one that is gone wakes nobody`() throws {
        let program = try Program()
        var far: Far? = try program.connect()
        let gone = try program.letIn()
        let silent = try program.enter()
        for peer in [gone, silent.peer] { peer.mayHoldWords = true }
        try far?.say("heron")
        far = nil
        var rounds = 0
        let begin = ContinuousClock.now
        HandIn.collect(from: program.loop, accepts: false) { _ in
        } serve: {
            rounds += 1
            program.serve()
        }
        #expect(ContinuousClock.now >= begin + HandIn.limit)
        #expect(gone.isClosed && gone.heard == ["heron"] && !silent.peer.hasHandedIn)
        #expect(rounds <= 5, "a closed client does not keep the processor busy")
        withExtendedLifetime(silent) {}
    }

    @Test func `where all editors are gone nobody is waited for`() throws {
        let program = try Program()
        var far: Far? = try program.connect()
        let peer = try program.letIn()
        peer.mayHoldWords = true
        try far?.say("heron")
        far = nil
        let begin = ContinuousClock.now
        HandIn.collect(from: program.loop, accepts: false) { _ in
        } serve: {
            program.serve()
        }
        #expect(peer.isClosed && ContinuousClock.now < begin + HandIn.limit)
    }

    @Test(arguments: [false, true])
    func `nobody new is let in while keys go, but where an editor may come back`(accepts: Bool) throws {
        let program = try Program()
        let editor = try program.enter()
        editor.peer.mayHoldWords = true
        let comer = try program.connect()
        var hasCome = false
        HandIn.collect(from: program.loop, accepts: accepts) { _ in
            try editor.far.say("wait")
        } serve: {
            hasCome = hasCome || program.loop.comes
            program.serve()
            if hasCome || !accepts { try? editor.far.say("done") }
        }
        #expect(hasCome == accepts && editor.peer.hasHandedIn)
        withExtendedLifetime(comer) {}
    }
}
