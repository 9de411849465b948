import Resident
import ResidentClient
import Secrets
import Testing
import Wire

/// Requests whose bodies come frame by frame.
@Suite struct BodyTakingTests {
    private enum Refusal: Error, Equatable { case tooMuch, notNow }

    private final class Peer: BodyTaking {
        final class Request: IncomingRequest {
            let id: UInt32
            let words: [String]
            var failure: Refusal?
            var body: [UInt8] = []

            init(id: UInt32, _ request: [String], _ secrets: consuming MessageSecrets) {
                self.id = id
                words = request
            }

            func dropBody() { body = [] }
        }

        var request: Request?

        /// - Parameter most: bytes of a body.
        func take(_ frame: consuming MessageFrame, most: Int = 100) throws -> Request? {
            try assemble(frame) {
                if $0.words == ["not now"] { throw Refusal.notNow }
            } add: { bytes, request in
                guard request.body.count + bytes.count <= most else { throw Refusal.tooMuch }
                request.body += bytes
            } meaning: {
                $0 as? Refusal ?? .notNow
            }
        }
    }

    private static func head(_ words: [String], id: UInt32 = 7, hasBody: Bool) throws -> MessageFrame {
        var buffer = try SecretBuffer()
        try MessageFrame.appendHead(words, id: id, hasBody: hasBody, to: &buffer)
        return try MessageFrame.decode(buffer.bytes.extracting(StreamFrame.headerByteCount..<buffer.count))
    }

    private static func part(_ bytes: [UInt8], id: UInt32 = 7, isLast: Bool) throws -> MessageFrame {
        var buffer = try SecretBuffer()
        try bytes.withSpan { try MessageFrame.appendBody($0, id: id, isLast: isLast, to: &buffer) }
        return try MessageFrame.decode(buffer.bytes.extracting(StreamFrame.headerByteCount..<buffer.count))
    }

    @Test func `a request without a body is whole at once`() throws {
        let peer = Peer()
        #expect(try peer.take(Self.head(["now"], hasBody: false))?.words == ["now"])
        #expect(peer.request == nil)
    }

    @Test func `a body is whole with its last part`() throws {
        let peer = Peer()
        #expect(try peer.take(Self.head(["now"], hasBody: true)) == nil)
        #expect(try peer.take(Self.part([1, 2], isLast: false)) == nil)
        let whole = try peer.take(Self.part([3], isLast: true))
        #expect(whole?.body == [1, 2, 3] && whole?.failure == nil)
        #expect(peer.request == nil)
    }

    @Test func `what fails on the way is told at the end, and keeps nothing`() throws {
        let peer = Peer()
        _ = try peer.take(Self.head(["now"], hasBody: true))
        _ = try peer.take(Self.part([1, 2], isLast: false), most: 3)
        _ = try peer.take(Self.part([3, 4], isLast: false), most: 3)
        #expect(peer.request?.body == [])
        let whole = try peer.take(Self.part([5], isLast: true), most: 3)
        #expect(whole?.failure == .tooMuch && whole?.body == [])
        _ = try peer.take(Self.head(["not now"], hasBody: true))
        #expect(try peer.take(Self.part([1], isLast: true))?.failure == .notNow)
    }

    @Test func `a frame that has no place ends it`() throws {
        let peer = Peer()
        #expect(throws: DecodingError.invalid) { _ = try peer.take(Self.part([1], isLast: true)) }
        #expect(throws: DecodingError.invalid) { _ = try peer.take(Self.head(["now"], id: 0, hasBody: false)) }
        _ = try peer.take(Self.head(["now"], hasBody: true))
        #expect(throws: DecodingError.invalid) { _ = try peer.take(Self.head(["now"], id: 8, hasBody: false)) }
        #expect(throws: DecodingError.invalid) { _ = try peer.take(Self.part([1], id: 8, isLast: true)) }
    }
}
