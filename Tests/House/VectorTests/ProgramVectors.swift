import Biometry
import Envelopes
import Foundation
import ImageSandbox
import PrintStream
import ResidentClient
import Secrets
import Testing
import WidgetDrawing
import Widgets

@testable import Notes

/// What programs of ours exchange, and what notes consist of, against files that other code wrote: read, and written
/// again as the same bytes; or refused.
@Suite struct ProgramVectors {
    private enum Refused: Error { case refused }

    /// Reads and writes again; every refusal is the same one, for nobody is told which it was.
    private func check(_ vector: Vector, _ body: () throws -> [UInt8]?, _ wanted: String = "bytes") {
        let outcome = vector.outcome {
            let again: [UInt8]?
            do { again = try body() } catch is Vector.Missing { throw Vector.Missing(name: "") } catch {
                throw Refused.refused
            }
            guard let again else { throw Refused.refused }
            #expect(try again == vector.bytes(wanted))
        }
        #expect(outcome == vector.refusal)
    }

    @Test(arguments: Vector.all("widget-frame")) func widgetFrame(_ vector: Vector) throws {
        check(vector) { try Frame(decoding: vector.bytes("bytes")).encode() }
    }

    @Test(arguments: Vector.all("widget-timeline")) func widgetTimeline(_ vector: Vector) throws {
        let outcome = vector.outcome {
            do {
                let parts = try TimelineArchive(open: vector.bytes("open"), secrets: vector.bytes("secrets")).encode()
                #expect(try parts.open == vector.bytes("open") && parts.secrets == vector.bytes("secrets"))
            } catch is WidgetCodingError { throw Refused.refused }
        }
        #expect(outcome == vector.refusal)
        guard vector.refusal == nil else { return }
        // Who has the open part alone reads it as well.
        _ = try TimelineArchive(open: vector.bytes("open"), secrets: nil)
    }

    @Test(arguments: Vector.all("draw-stream")) func drawStream(_ vector: Vector) throws {
        let bytes = try vector.bytes("bytes")
        let body = Array(bytes.dropFirst(DrawLength.byteCount))
        #expect(DrawLength.decode(bytes) == body.count)
        check(vector) {
            vector["message"] == "request" ? DrawRequest(body)?.encoded : DrawAnswer(body)?.encoded
        }
    }

    @Test(arguments: Vector.all("print-stream")) func printStream(_ vector: Vector) throws {
        check(vector) { try vector.bytes("bytes").withSpan { try PrintMessage($0).encoded } }
    }

    @Test(arguments: Vector.all("thumbnail-answer")) func thumbnailAnswer(_ vector: Vector) throws {
        check(vector) {
            vector["message"] == "request"
                ? try ImageRequest(vector.bytes("bytes")).encoded : try ImageAnswer(vector.bytes("bytes")).encoded
        }
    }

    @Test(arguments: Vector.all("notes-socket") + Vector.all("widgets-socket"))
    func residentSocket(_ vector: Vector) throws {
        let outcome = vector.outcome {
            do {
                try vector.bytes("frame").withSpan { frame in
                    let read = try MessageFrame.decode(frame.extracting(droppingFirst: 4))
                    let (part, id, hasMore, content) = (read.part, read.id, read.hasMore, read.bytes)
                    let secrets = read.secrets.count
                    #expect(try Int(part.rawValue) == vector.number("part") && Int(id) == vector.number("id"))
                    #expect(try hasMore == (vector.number("more") == 1) && content == vector.bytes("content"))
                    #expect(try Int(secrets) == vector.number("secrets"))
                }
            } catch is DecodingError { throw Refused.refused }
        }
        #expect(outcome == vector.refusal)
    }

    @Test(arguments: Vector.all("notes").filter { $0.fields["record"] != nil }) func notes(_ vector: Vector) throws {
        check(vector) {
            let bytes = try vector.bytes("bytes")
            switch vector["record"] {
            case "header": return try NoteHeader(from: bytes).encoded
            case "lock": return try NoteLock(from: bytes).encoded
            case "lock key": return try LockKey(.zero, from: bytes).encoded
            case "history": return try NoteHistory(from: bytes).encoded
            case "settings": return try AccountSettings(from: bytes).encoded
            case "part": return try PartContent(from: bytes).encoded
            default: return nil
            }
        }
    }

    @Test(arguments: Vector.all("fingerprint-enrolment")) func fingerprintEnrolment(_ vector: Vector) throws {
        var entries: [(path: String, content: [UInt8])] = []
        while let line = vector.fields["entry_\(entries.count + 1)"] {
            let parts = line.split(separator: " ")
            entries.append(
                (String(parts[0]), try #require(Hexadecimal.decode(parts[1] == "-" ? "" : String(parts[1])))))
        }
        var hashed: [UInt8] = []
        if vector["kind"] == "2" {
            _ = Enrolment(names: entries.map(\.path)) { hashed += $0 }
        } else {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fprint-\(UUID())")
            defer { try? FileManager.default.removeItem(at: folder) }
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("anna"), withIntermediateDirectories: true)
            for entry in entries {
                let file = folder.appendingPathComponent("anna/" + entry.path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(entry.content).write(to: file)
            }
            let anna = try #require(LoginName("anna"))
            let read = try Enrolment.read(filesOf: anna, in: folder.path) { hashed += $0 }
            #expect(read?.fingers == entries.count)
        }
        #expect(try hashed == vector.bytes("hashed"))
        #expect(try Digest.sha256(hashed) == vector.bytes("state"))
    }
}
