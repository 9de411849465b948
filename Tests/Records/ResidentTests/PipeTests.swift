import Foundation
import Glibc
import Linux
import Resident
import ResidentClient
import Secrets
import Testing
import Wire

/// What a client may do to a pipe, and for how long.
@Suite struct PipeTests {
    private struct Word: Codable, Sendable, Equatable { var text: String }

    /// The client's end.
    private final class Far {
        let socket: FileDescriptor
        init(_ raw: Int32) { socket = FileDescriptor(owning: raw) }

        func write(_ bytes: [UInt8]) throws {
            let isTaken = try bytes.withSpan { try socket.writeAll($0) }
            #expect(isTaken)
        }
    }

    private func pair() throws -> (pipe: MessagePipe, far: Far) {
        let (near, far) = try UnixSocket.makePair()
        let socket = FileDescriptor(owning: near)
        try socket.setNonblocking(true)
        return (pipe: try MessagePipe(socket), far: Far(far))
    }

    private func frame(_ text: String) throws -> [UInt8] {
        var buffer = try SecretBuffer(capacity: 256)
        try MessageFrame.appendHead(Word(text: text), id: 1, to: &buffer)
        return buffer.withBytes { $0.copyToArray() }
    }

    private func now(_ later: Duration = .zero) -> UInt64 {
        SystemClock.bootMilliseconds() + UInt64(later / .milliseconds(1))
    }

    @Test func `half a frame is waited for ten seconds, however its bytes come`() throws {
        let (pipe, far) = try pair()
        let bytes = try frame("heron")
        #expect(!pipe.isTimed && !pipe.isLate(now(.seconds(1000))), "who says nothing is not late")
        for byte in bytes.dropLast() {
            try far.write([byte])
            try pipe.receive()
        }
        #expect(pipe.isTimed && !pipe.isLate(now()) && pipe.isLate(now(MessagePipe.patience + .seconds(1))))
        try far.write([bytes[bytes.count - 1]])
        try pipe.receive()
        #expect(try pipe.hasFrame && pipe.takeFrame().message(as: Word.self) == Word(text: "heron"))
        #expect(!pipe.isTimed && !pipe.isLate(now(.seconds(1000))))
    }

    @Test func `the half behind a whole frame has ten seconds of its own`() throws {
        let (pipe, far) = try pair()
        let bytes = try frame("heron")
        try far.write(bytes + bytes.dropLast())
        for _ in 0..<4 { try pipe.receive() }
        #expect(!pipe.isTimed, "a whole frame waits for us, and not we for it")
        _ = try pipe.takeFrame()
        #expect(pipe.isTimed && pipe.isLate(now(MessagePipe.patience + .seconds(1))))
    }

    @Test func `an answer is waited for ten seconds until somebody takes some of it, a file for ever`() throws {
        let (pipe, far) = try pair()
        try pipe.send(Word(text: "x"), id: 1, body: .bytes([UInt8](repeating: 7, count: 4 << 20)))
        #expect(pipe.wantsToWrite && !pipe.isLate(now()) && pipe.isLate(now(MessagePipe.patience + .seconds(1))))
        _ = far
        let (other, unread) = try pair()
        let part = [UInt8](repeating: 7, count: 512 << 10)
        try other.send(Word(text: "x"), id: 1, body: .parts({ part }) { _ in Word(text: "no end") })
        #expect(other.wantsToWrite && !other.isLate(now(.seconds(1000))))
        _ = unread
    }

    @Test func `background work lets a client take its list, and waits for none that has stopped`() throws {
        let (pipe, far) = try pair()
        #expect(!pipe.isTaking(now()), "nothing is on its way")
        let part = [UInt8](repeating: 7, count: 512 << 10)
        try pipe.send(Word(text: "x"), id: 1, body: .parts({ part }) { _ in Word(text: "no end") })
        var taken: [UInt8] = []
        _ = try far.socket.read(into: &taken, room: 64 << 10)
        try pipe.flush()
        #expect(pipe.wantsToWrite && pipe.isTaking(now()))
        #expect(
            !pipe.isTaking(now(MessagePipe.haste + .milliseconds(10))), "a client that takes nothing holds nothing up")
        pipe.dropOutgoing()
        #expect(!pipe.isTaking(now()))
    }

    @Test func `an answer that is dropped keeps nothing, also where all of it waits to be taken`() throws {
        for count in [300 << 10, 4 << 20] {
            let (pipe, far) = try pair()
            try pipe.send(Word(text: "x"), id: 1, body: .bytes([UInt8](repeating: 7, count: count)))
            #expect(pipe.wantsToWrite)
            pipe.dropOutgoing()
            #expect(pipe.isClosed && !pipe.wantsToWrite)
            _ = far
        }
        let (idle, far) = try pair()
        try idle.send(Word(text: "x"), id: 1, body: .none)
        idle.dropOutgoing()
        #expect(!idle.isClosed, "it has taken all")
        _ = far
    }

    @Test func `a body that cannot be completed says why, and the next answer follows`() throws {
        struct Damaged: Error {}
        let (pipe, far) = try pair()
        try far.socket.setNonblocking(true)
        let client = try MessagePipe(FileDescriptor(owning: dup(far.socket.raw)))
        var parts: [[UInt8]] = [[1, 2, 3], [4]]
        let next = { () throws -> [UInt8]? in
            guard !parts.isEmpty else { throw Damaged() }
            return parts.removeFirst()
        }
        try pipe.send(Word(text: "file"), id: 5, body: .parts(next) { Word(text: "\(type(of: $0))") })
        #expect(pipe.wantsToWrite, "a part at a turn, so that others get theirs")
        while pipe.wantsToWrite { try pipe.flush() }
        try pipe.send(Word(text: "next"), id: 6, body: .none)
        try client.receive()
        var read: [(part: MessageFrame.Part, id: UInt32, hasMore: Bool)] = []
        var words: [String] = []
        while try client.hasFrame {
            let frame = try client.takeFrame()
            read.append((part: frame.part, id: frame.id, hasMore: frame.hasMore))
            if frame.part != .body { words.append(try frame.message(as: Word.self).text) }
        }
        #expect(read.map(\.part) == [.head, .body, .failure, .head] && read.map(\.id) == [5, 5, 5, 6])
        #expect(read.map(\.hasMore) == [true, true, false, false] && words == ["file", "Damaged", "next"])
        // Where not even the first part comes, nothing was sent.
        #expect(throws: Damaged.self) {
            try pipe.send(Word(text: "file"), id: 7, body: .parts({ throw Damaged() }) { _ in Word(text: "") })
        }
        #expect(!pipe.wantsToWrite)
    }

    @Test func `a head that claims a mebibyte takes no memory before that comes`() throws {
        let (pipe, far) = try pair()
        try far.write([0, 0x0f, 0xff, 0xff] + [UInt8](repeating: 1, count: 3000))
        for _ in 0..<4 { try pipe.receive() }
        #expect(pipe.isTimed && pipe.heldBytes <= 64 * 1024)
    }

    @Test func `what a small frame took of locked memory is little, and what a large one took goes`() throws {
        let (pipe, far) = try pair()
        for _ in 0..<50 {
            try far.write(try frame("heron"))
            try pipe.receive()
            _ = try pipe.takeFrame()
        }
        #expect(pipe.heldBytes == 0)
        let large = try frame(String(repeating: "x", count: 100_000))
        try far.write(large)
        while try !pipe.hasFrame { try pipe.receive() }
        #expect(pipe.heldBytes >= 100_000)
        _ = try pipe.takeFrame()
        #expect(pipe.heldBytes == 0)
    }
}
