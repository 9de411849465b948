import Foundation
import Linux
import ResidentClient
import Secrets
import Testing

/// A program that is there and says nothing: its clients say so, and end.
@Suite(.serialized) struct PatienceTests {
    enum Word: Codable, Sendable, Equatable { case word }

    struct Problem: Error, Equatable { var kind: String }

    enum Words: ResidentMessages {
        typealias Request = Word
        typealias Reply = Word
        typealias Event = Word
        static func failure(of reply: Word) -> Problem? { nil }
        static func failure(_ kind: ConnectionFailure, _ message: String) -> Problem { Problem(kind: "\(kind)") }
        static func isLong(_ request: Word) -> Bool { false }
    }

    /// Listens, and accepts nobody.
    private final class Silent {
        let program: ResidentProgram
        private let listener: FileDescriptor

        init() throws {
            let folder = NSTemporaryDirectory() + "tresor-patience-" + Identifier.makeRandom().description.prefix(12)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            program = ResidentProgram(name: "silent", folder: folder, socket: folder + "/socket")
            listener = try UnixSocket.listen(program.socket)
        }

        deinit { try? FileManager.default.removeItem(atPath: program.folder) }
    }

    @Test func `who gets no answer is told so`() throws {
        let silent = try Silent()
        let connection = try ResidentConnection<Words>(silent.program, daemon: "/nowhere")
        connection.limitWaits(to: .seconds(1))
        let start = SystemClock.bootMilliseconds()
        #expect(throws: Problem(kind: "noAnswer")) { try connection.ask(.word) }
        #expect((900...5000).contains(Int(SystemClock.bootMilliseconds() - start)))
        withExtendedLifetime(silent) {}
    }

    @Test func `who is not even let in is told so, after ten seconds`() throws {
        let silent = try Silent()
        var waiting: [Int32] = []
        defer { for raw in waiting { _ = FileDescriptor(owning: raw) } }
        // One more than the kernel keeps.
        for _ in 0...Int(UnixSocket.backlog) { waiting.append(try UnixSocket.connect(silent.program.socket).release()) }
        let start = SystemClock.bootMilliseconds()
        #expect(throws: Problem(kind: "noAnswer")) {
            _ = try ResidentConnection<Words>(silent.program, daemon: "/nowhere")
        }
        #expect((9000...20_000).contains(Int(SystemClock.bootMilliseconds() - start)))
        withExtendedLifetime(silent) {}
    }
}
