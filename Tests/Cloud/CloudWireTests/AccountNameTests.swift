import Checkout
import CloudWire
import Foundation
import Secrets
import Testing

@Suite struct AccountNameTests {
    private static let good = ["a", "7", "anna", "a.b_c-d", "0-", "z._-", String(repeating: "x", count: 64)]
    private static let bad = [
        "", ".a", "_a", "-a", "Anna", "annA", "a b", " a", "a ", "a\n", "a/diary", "a@b", "ä", "a\u{301}", "а", "ａ",
        "a\0", "a\u{200D}b", "{", "a`", "a:", String(repeating: "x", count: 65),
    ]

    @Test func `letters, digits, dots, underscores and hyphens are a name, one of the first two in front`() {
        for text in Self.good { #expect(AccountName(text)?.description == text, "\(text)") }
        for text in Self.bad { #expect(AccountName(text) == nil, "\(text)") }
    }

    @Test func `the bytes of a name are read, and written as they were`() throws {
        for text in Self.good {
            let bytes = Array(text.utf8)
            let name = try bytes.withSpan { (span) throws in try AccountName(from: span) }
            #expect(name.encoded == bytes && name == AccountName(text))
        }
        for text in Self.bad {
            #expect(throws: text.utf8.count > 64 ? DecodingError.tooLong : .invalid, "\(text)") {
                try Array(text.utf8).withSpan { (span) throws in _ = try AccountName(from: span) }
            }
        }
        #expect(throws: DecodingError.invalid) {
            try [0x61, 0xff].withSpan { (span) throws in _ = try AccountName(from: span) }
        }
    }

    /// A client, the server and whoever reads the description of the routes take the same names.
    @Test func `a name is what the pattern of the routes says`() throws {
        let file = Checkout.root.appendingPathComponent("docs/cloud/openapi.yaml")
        let routes = try String(contentsOf: file, encoding: .utf8)
        let schema = try #require(routes.components(separatedBy: "\n    Name:\n").dropFirst().first)
        let line = try #require(schema.components(separatedBy: "\n").first { $0.contains("pattern: ") })
        let pattern = try Regex(String(line.components(separatedBy: "pattern: ")[1]))
        func isMatched(_ text: String) -> Bool { text.wholeMatch(of: pattern) != nil }
        for text in Self.good { #expect(isMatched(text)) }
        for text in Self.bad { #expect(!isMatched(text), "\(text)") }
        // Each character at each of the two kinds of places.
        for byte in UInt8(0)..<128 {
            let letter = String(UnicodeScalar(byte))
            #expect((AccountName(letter) != nil) == isMatched(letter), "\(byte)")
            #expect((AccountName("a" + letter) != nil) == isMatched("a" + letter), "\(byte) behind")
        }
    }
}
