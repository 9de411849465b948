import Secrets
import TerminalScreen
import Testing

@testable import KeychainTerminal

@Suite struct SecretLayoutTests {
    /// The rows as a terminal would show them.
    static func rows(_ secret: [UInt8], width: Int, height: Int = 10, top: Int = 0) throws -> [String] {
        let area = SecretArea(row: 0, column: 0, width: width, height: height, top: top)
        var output = try SecretBuffer()
        try secret.withSpan { try SecretLayout(width: width).draw($0, in: area, into: &output) }
        let text = output.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
        // What erases comes first, then each row behind its place.
        let parts = text.split(separator: "\u{1B}[").map(String.init).filter {
            !$0.hasPrefix("0m") && !$0.hasPrefix("2K")
        }
        return parts.dropFirst(height).map { $0.split(separator: "H", maxSplits: 1).dropFirst().joined() }
    }

    static func rowCount(_ secret: [UInt8], width: Int) -> Int {
        secret.withSpan { SecretLayout(width: width).rowCount($0) }
    }

    @Test func `text is folded at the width and at its own line ends`() throws {
        #expect(try Self.rows(Array("abcdefghijklmno\nxy\r\nz".utf8), width: 10) == ["abcdefghij", "klmno", "xy", "z"])
        #expect(Self.rowCount(Array("abcdefghijklmno\nxy\r\nz".utf8), width: 10) == 4)
        #expect(try Self.rows(Array("日本語日本語".utf8), width: 11) == ["日本語日本", "語"])
        #expect(Self.rowCount([], width: 10) == 1)
    }

    @Test func `only the rows in sight are written`() throws {
        let secret = Array((0..<30).map { "line \($0)" }.joined(separator: "\n").utf8)
        #expect(try Self.rows(secret, width: 20, height: 3, top: 7) == ["line 7", "line 8", "line 9"])
        #expect(Self.rowCount(secret, width: 20) == 30)
    }

    @Test func `what is no text is hexadecimal`() throws {
        for secret in [
            [0xFF, 0x00, 0x1B] as [UInt8], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
        ] {
            #expect(secret.withSpan { !SecretLayout.isText($0) })
            let digits = secret.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
            #expect(try Self.rows(secret, width: 20) == [digits])
        }
        #expect(Array("tab\tä€😀\n".utf8).withSpan { SecretLayout.isText($0) })
    }

    @Test func `nothing in a secret reaches the terminal as a command`() throws {
        // An escape makes it no text; marks that turn a line around are spelled out.
        #expect(try Self.rows(Array("\u{1B}[2J".utf8), width: 20) == ["1B5B324A"])
        #expect(try Self.rows(Array("a\u{202E}b".utf8), width: 20) == ["a‹U+202E›b"])
        #expect(try Self.rows(Array("a\u{E0041}b".utf8), width: 20) == ["a‹U+E0041›b"])
        #expect(try Self.rows(Array("a\tb".utf8), width: 20) == ["a   b"])
    }

    @Test func `a copy is Base64 in the terminal's sequence, and clearing puts a space and nothing there`() throws {
        for (text, code) in [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("ü~ÿ", "w7x+w78="),
        ] {
            let sequence = try TerminalClipboard.sequence(copying: try SecretBytes(text: text))
            let written = sequence.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
            #expect(written == "\u{1B}]52;c;\(code)\u{07}")
        }
        let clearing = try TerminalClipboard.clearing()
        let written = clearing.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
        #expect(written == "\u{1B}]52;c;IA==\u{07}\u{1B}]52;c;!\u{07}")
    }
}
