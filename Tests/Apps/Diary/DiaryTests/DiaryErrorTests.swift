import DiaryClient
import Foundation
import Testing

/// What a refusal looks like on the socket.
struct DiaryErrorTests {
    @Test func `a refusal is sent in English, under the names that the specification has`() throws {
        let error = DiaryError(.wrongPassword, "the password is wrong", retryAfter: 60)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let sent = String(decoding: try encoder.encode(error), as: UTF8.self)
        #expect(sent == #"{"code":"wrongPassword","message":"the password is wrong","retryAfter":60}"#)
        #expect(try JSONDecoder().decode(DiaryError.self, from: Data(sent.utf8)) == error)
        #expect(error.message == error.english && "\(error)" == error.english)
    }
}
