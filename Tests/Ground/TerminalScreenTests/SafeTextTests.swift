import TerminalScreen
import Testing

@Suite struct SafeTextTests {
    @Test func `plain text and every script stay as they are`() {
        for text in [
            "", "Plain ASCII ~", "Grüße", "日本語のメモ", "مرحبا", "שלום", "e\u{301}", "👍🏽", "👨‍👩‍👧‍👦", "🇳🇴", "❤️", "1️⃣", "\u{A0}",
        ] {
            #expect(SafeText.line(text) == text)
            #expect(SafeText.text(text) == text)
        }
    }

    @Test(
        arguments: [
            0x00, 0x07, 0x08, 0x1B, 0x7F, 0x80, 0x9B, 0x9D, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A,
            0x202B,
            0x202C, 0x202D, 0x202E, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0xFEFF, 0x00AD, 0x034F, 0x115F, 0x3164,
            0xE000,
            0xFFF9, 0xE0041, 0x10FFFD, 0x0378,
        ] as [UInt32])
    func `what a terminal obeys and what nobody sees is spelled out`(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        let hex = String(value, radix: 16, uppercase: true)
        let name = "‹U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex + "›"
        #expect(SafeText.line("a\(scalar)b") == "a\(name)b")
        #expect(SafeText.text("a\(scalar)b") == "a\(name)b")
    }

    @Test func `a line has no line feeds and no tabs, a text keeps them`() {
        #expect(SafeText.line("a\tb\nc\rd") == "a b‹U+000A›c‹U+000D›d")
        #expect(SafeText.text("a\tb\nc\r\nd\re") == "a\tb\nc\nd‹U+000D›e")
    }

    @Test func `a joiner stands between emoji and between letters that it shapes, and nowhere else`() {
        #expect(SafeText.line("می‌خواهم") == "می‌خواهم")
        #expect(SafeText.line("क्‍ष") == "क्‍ष")
        #expect(SafeText.line("pay\u{200D}pal") == "pay‹U+200D›pal")
        #expect(SafeText.line("a\u{200C}b") == "a‹U+200C›b")
        #expect(SafeText.line("👍\u{200D}") == "👍‹U+200D›")
    }

    @Test func `marks do not pile up`() {
        let pile = "a" + String(repeating: "\u{301}", count: 500)
        #expect(SafeText.line(pile).unicodeScalars.count == 1 + SafeText.mostMarks + 1)
    }

    @Test func `every scalar comes out as something a terminal does not obey`() {
        for value in (0 as UInt32)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for shown in SafeText.line(String(scalar)).unicodeScalars {
                let isControl = shown.value < 0x20 || (0x7F...0x9F).contains(shown.value)
                let isDirection = (0x202A...0x202E).contains(shown.value) || (0x2066...0x2069).contains(shown.value)
                if isControl || isDirection { Issue.record("U+\(String(value, radix: 16)) came through") }
            }
        }
    }
}
