import Secrets
import Testing

@testable import Notes

/// Texts of notes, in both layouts, against files that other code wrote.
@Suite struct NoteBodyVectors {
    private static let all = Vector.all("notes").filter { $0.fields["body"] != nil }

    @Test(arguments: all) func body(_ vector: Vector) throws {
        let bytes = try vector.bytes("body")
        let outcome = vector.outcome {
            let body = try NoteBody(from: bytes)
            #expect(try body.blocks.text == vector.bytes("markdown"))
            #expect(try Array(body.title.utf8) == vector.bytes("title"))
            #expect(try body.blocks.flatMap(\.id.bytes) == vector.bytes("blocks"))
            var tags = ByteWriter()
            for tag in body.tags { tags.field(tag) }
            #expect(try tags.bytes == vector.bytes("tags"))
            // The former layout is read and never written.
            #expect(bytes.first == 1 ? body.encoded.first == 2 : body.encoded == bytes)
            #expect(try NoteBody(from: body.encoded) == body)
        }
        #expect(outcome == vector.refusal)
    }

    @Test func `there are files of both layouts`() { #expect(Self.all.count >= 25) }
}
