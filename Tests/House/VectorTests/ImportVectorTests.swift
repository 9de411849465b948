import Secrets
import Testing

@testable import Envelopes

/// By what imported notes are known, against files that other code wrote.
@Suite struct ImportVectors {
    @Test(arguments: Vector.all("notes-import")) func notesImport(_ vector: Vector) throws {
        let outcome = vector.outcome {
            let key = try ImportKey(vector.bytes("key"))
            let mark: [UInt8]
            if vector.fields["digest"] != nil {
                let name = String(decoding: try vector.bytes("file_name"), as: UTF8.self)
                mark = key.mark(ofFile: name, digest: try vector.bytes("digest"))
            } else if vector.fields["state"] != nil {
                mark = key.mark(ofState: try vector.bytes("state"))
            } else {
                let name = String(decoding: try vector.bytes("name"), as: UTF8.self)
                let source = try vector.fields["source"] == nil ? nil : vector.identifier("source")
                mark = key.mark(ofNote: name, in: source)
            }
            #expect(try mark == vector.bytes("mark"))
        }
        #expect(outcome == vector.refusal)
    }
}
