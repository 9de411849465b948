import DiaryClient
import Secrets
import Testing

@testable import Diary

/// The diary's records and its recovery key, against files that other code wrote.
@Suite struct DiaryVectors {
    @Test(arguments: Vector.all("diary")) func diary(_ vector: Vector) throws {
        let outcome = vector.outcome {
            switch vector.path.split(separator: "/").last?.split(separator: "_").first {
            case "header": try Self.header(vector)
            case "body":
                let body = try EntryBody(from: vector.bytes("body"))
                #expect(try Array(body.text.utf8) == vector.bytes("text"))
                #expect(try Array(body.foreign.utf8) == vector.bytes("foreign"))
                #expect(try body.encoded == vector.bytes("body"))
            case "settings":
                let settings = try StoredSettings(from: vector.bytes("settings"))
                #expect(try Int(settings.lockMinutes) == vector.number("minutes"))
                #expect(settings.locksOnResign == (vector["locks_on_resign"] == "1"))
                #expect(settings.isExcludedFromBackup == (vector["excluded"] == "1"))
                #expect(try settings.encoded == vector.bytes("settings"))
            case "template":
                let template = try StoredTemplate(from: vector.bytes("template"))
                #expect(try Array(template.head.name.utf8) == vector.bytes("name"))
                #expect(try Self.fields(template.head.tags) == vector.bytes("tags"))
                #expect(try Array(template.text.utf8) == vector.bytes("text"))
                #expect(try template.encoded == vector.bytes("template"))
            case "timeline":
                let timeline = try TimelineSnapshot(from: vector.bytes("timeline"))
                #expect(try Int(timeline.sequence) == vector.number("sequence"))
                #expect(try timeline.entries.flatMap(\.bytes) == vector.bytes("entries"))
                #expect(try timeline.encoded == vector.bytes("timeline"))
            default: try Self.recoveryKey(vector)
            }
        }
        #expect(outcome == vector.refusal)
    }

    private static func header(_ vector: Vector) throws {
        let header = try EntryHeader(from: vector.bytes("header"))
        let head = header.head
        #expect(try Int(head.date) == vector.number("date"))
        #expect(try Array(head.timeZone.utf8) == vector.bytes("zone"))
        #expect(try Int(header.created) == vector.number("created"))
        #expect(try Int(header.modified) == vector.number("modified"))
        #expect(try Int(header.deleted ?? 0) == vector.number("deleted"))
        #expect(try Int(header.revision) == vector.number("revision"))
        #expect(try Int(header.words) == vector.number("words"))
        #expect(try (head.mood.flatMap(Mood.allCases.firstIndex) ?? -1) + 1 == vector.number("mood"))
        #expect(head.isStarred == (vector["starred"] == "1") && header.isDraft == (vector["draft"] == "1"))
        #expect(try fields(head.tags) == vector.bytes("tags"))
        #expect(try header.media.count == vector.number("files"))
        #expect(try Array(header.opening.utf8) == vector.bytes("opening"))
        #expect(try Array(header.source.utf8) == vector.bytes("source"))
        #expect(try header.encoded == vector.bytes("header"))
    }

    private static func recoveryKey(_ vector: Vector) throws {
        struct NoKey: Error, CustomStringConvertible { let description = "nil" }
        if vector.fields["shown"] != nil {
            let text = try RecoveryKey.text(vector.secret("key"))
            #expect(try text.copied == vector.bytes("shown"))
        }
        let typed = try vector.secret(vector.fields["typed"] == nil ? "shown" : "typed")
        guard let key = try RecoveryKey.parse(typed) else { throw NoKey() }
        #expect(try key.copied == vector.bytes("key"))
    }

    private static func fields(_ texts: [String]) -> [UInt8] {
        var writer = ByteWriter()
        for text in texts { writer.field(text) }
        return writer.bytes
    }
}
