import Secrets
import Testing

@testable import TerminalScreen

@Suite struct SecretEntryTests {
    /// What is held after these bytes, and how the last one was taken.
    static func type(_ bytes: [UInt8]) throws -> (text: String, outcome: SecretEntry.Outcome) {
        var entry = try SecretEntry()
        var outcome = SecretEntry.Outcome.typing
        for byte in bytes { outcome = try entry.type(byte) }
        let secret = entry.finish()
        let text = try secret.withBytes { bytes in
            var reader = ByteReader(bytes)
            return String(decoding: try reader.bytes(bytes.byteCount), as: UTF8.self)
        }
        return (text, outcome)
    }

    @Test func `what is typed is held until Enter`() throws {
        #expect(try Self.type(Array("correct höрse\r".utf8)) == ("correct höрse", .entered))
    }

    @Test func `Backspace takes a whole character, Ctrl+U everything`() throws {
        #expect(try Self.type(Array("aé日\u{7F}\u{7F}".utf8)).text == "a")
        #expect(try Self.type(Array("\u{7F}a\u{7F}\u{7F}b".utf8)).text == "b")
        #expect(try Self.type(Array("wrong\u{15}right".utf8)).text == "right")
    }

    @Test func `Ctrl+C cancels`() throws { #expect(try Self.type([0x61, 0x03]).outcome == .cancelled) }

    @Test func `arrows and the marks of a paste are not part of it`() throws {
        #expect(try Self.type(Array("a\u{1B}[C\u{1B}OA\u{1B}[200~pasted\u{1B}[201~b".utf8)).text == "apastedb")
    }

    @Test func `function keys of the console of Linux are not part of it`() throws {
        #expect(try Self.type(Array("a\u{1B}[[Ab\u{1B}[Bc".utf8)).text == "abc")
    }

    @Test func `it has an end`() throws {
        #expect(try Self.type(Array(repeating: 0x61, count: 5000)).text.utf8.count == SecretEntry.limit)
    }
}
