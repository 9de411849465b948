import Foundation
import NotesClient
import Testing

/// What a refusal looks like on the socket.
struct NotesErrorTests {
    @Test func `a refusal is sent in English, under the names that the specification has`() throws {
        let error = NotesError(.noteLocked, "the note is locked", hint: "a river")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let sent = String(decoding: try encoder.encode(error), as: UTF8.self)
        #expect(sent == #"{"code":"noteLocked","hint":"a river","message":"the note is locked"}"#)
        #expect(try JSONDecoder().decode(NotesError.self, from: Data(sent.utf8)) == error)
        #expect(error.message == error.english && "\(error)" == error.english)
    }
}
