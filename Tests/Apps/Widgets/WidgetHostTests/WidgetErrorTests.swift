import Foundation
import Testing
import WidgetClient

/// What a refusal looks like on the socket.
struct WidgetErrorTests {
    @Test func `a refusal is sent in English, under the names that the specification has`() throws {
        let error = WidgetError(.unknownPage, "there is no such page")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let sent = String(decoding: try encoder.encode(error), as: UTF8.self)
        #expect(sent == #"{"code":"unknownPage","message":"there is no such page"}"#)
        #expect(try JSONDecoder().decode(WidgetError.self, from: Data(sent.utf8)) == error)
        #expect(error.message == error.english && "\(error)" == error.english)
    }
}
