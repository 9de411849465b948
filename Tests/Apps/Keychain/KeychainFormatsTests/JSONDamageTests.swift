import KeychainFormats
import Secrets
import Testing
import Tresor

/// JSON that is not JSON: each error says on which line, and nothing of what stands there.
@Suite struct JSONDamageTests {
    typealias Problem = KeychainFormatError.Problem

    @Test(arguments: [
        ("{\"encrypted\": false,\n\"items\": [\n", Problem.endsEarly, 3),
        ("{\n\"items\": [,]}", .malformed, 2),
        ("{\n\"items\": []\n} x", .malformed, 3),
        ("{\n\"a\": 01}", .malformed, 2),
        ("{\n\"a\": 1.}", .malformed, 2),
        ("{\n\n\"a\": \"b\u{1}\"}", .malformed, 3),
        ("{\n\"a\": \"\\x\"}", .malformed, 2),
        ("{\n\"a\": \"\\ud800\"}", .halfCharacter, 2),
        ("{\n\"a\": \"\\udc00\\ud800\"}", .halfCharacter, 2),
        ("{\"a\": 1,\n\"\\u0061\": 2}", .repeatedName, 2),
        ("{\"a\":\n" + String(repeating: "[", count: 40), .tooDeep, 2),
        ("{\"a\": tru", .endsEarly, 1),
        ("{\"a\": \"secret", .endsEarly, 1),
    ])
    func `what is damaged is said with its line`(text: String, problem: Problem, line: Int) throws {
        let error = #expect(throws: KeychainFormatError.self) { _ = try ImportedVault.plan(text) }
        #expect(
            error?.problem == problem && error?.line == line && error?.isDamage == true, "\(String(describing: error))")
        #expect(error?.description.contains("line \(line)") == true && error?.description.contains("secret") == false)
    }

    @Test(
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]] as [[UInt8]])
    func `a text that is no UTF-8 is refused`(bytes: [UInt8]) throws {
        let file = Array("{\"a\":\n\"".utf8) + bytes + Array("\"}".utf8)
        let secret = try SecretBytes(copying: file.span.bytes)
        let error = #expect(throws: KeychainFormatError.self) { _ = try KeychainFormat.json.read(secret) }
        #expect(error?.problem == .notUTF8 && error?.line == 2)
    }

    /// What stands at the first cut is whole; at each other one something is missing.
    @Test func `a file that is cut off anywhere is refused`() throws {
        let bytes = Array(BitwardenTests.login.utf8)
        for count in 1..<bytes.count {
            let part = Array(bytes[..<count])
            let secret = try SecretBytes(copying: part.span.bytes)
            #expect(throws: KeychainFormatError.self, "\(count)") { _ = try KeychainFormat.json.read(secret) }
        }
    }

    @Test func `files are told apart by their first bytes, blanks and a mark of UTF-8 aside`() {
        let kinds: [(String, KeychainFormat?)] = [
            ("{", .json), ("\u{FEFF} \r\n\t{", .json), ("[", .json), ("<?xml", .xml), ("\u{FEFF}<KeePassFile>", .xml),
            ("url,username", nil), ("\"url\"", nil), ("", nil), ("  ", nil),
        ]
        for (text, format) in kinds {
            #expect(Array(text.utf8).withSpan { KeychainFormat($0) } == format, "\(text)")
        }
        #expect(([0x03, 0xD9, 0xA2, 0x9A, 0x67] as [UInt8]).withSpan { KeychainFormat($0) } == .database)
    }
}
