import Testing
import Thoroughness

@testable import TerminalScreen

@Suite struct KeyDecoderTests {
    static func keys(_ input: String) -> [Key] { keys(Array(input.utf8)) }

    static func keys(_ bytes: [UInt8]) -> [Key] {
        var decoder = KeyDecoder()
        return bytes.compactMap { decoder.decode($0) }
    }

    @Test func `letters, accents and emoji arrive one scalar at a time`() {
        #expect(Self.keys("aé日👍") == [.text("a"), .text("é"), .text("日"), .text("👍")])
    }

    @Test func `control keys have names`() {
        #expect(
            Self.keys([0x0D, 0x0A, 0x09, 0x7F, 0x08, 0x17, 0x0C, 0x13]) == [
                .enter, .enter, .tab, .backspace, .backspace, .deleteWord, .control("l"), .control("s"),
            ])
    }

    @Test func `reports of the focus are told once, and are no keys`() {
        var decoder = KeyDecoder()
        var told: [Bool] = []
        for byte in "\u{1B}[O\u{1B}[I\u{1B}[1I\u{1B}OI".utf8 {
            #expect(decoder.decode(byte) == nil)
            if let focus = decoder.takeFocusChange() { told.append(focus) }
        }
        #expect(told == [false, true])
        #expect(decoder.takeFocusChange() == nil)
    }

    @Test(arguments: [
        ("\u{1B}[A", Key.up), ("\u{1B}OB", .down), ("\u{1B}[1;5C", .wordRight), ("\u{1B}[1;3D", .wordLeft),
        ("\u{1B}b", .wordLeft), ("\u{1B}f", .wordRight), ("\u{1B}[H", .home), ("\u{1B}[4~", .end),
        ("\u{1B}[1;5H", .documentStart), ("\u{1B}[3~", .delete), ("\u{1B}[5~", .pageUp), ("\u{1B}[Z", .backTab),
        ("\u{1B}\u{7F}", .deleteWord), ("\u{1B}OP", .help), ("\u{1B}[11~", .help), ("\u{1B}[P", .help),
        ("\u{1B}[[A", .help),
    ])
    func `sequences of xterm are keys`(sequence: String, key: Key) { #expect(Self.keys(sequence) == [key]) }

    @Test func `the key that locks is one also where Esc was pressed a moment before`() {
        #expect(Self.keys("\u{1B}\u{0C}") == [.control("l")])
        #expect(Self.keys("\u{1B}\u{1B}\u{0C}") == [.escape, .control("l")])
    }

    @Test func `what is not known is dropped in full`() {
        #expect(
            Self.keys("\u{1B}[38;5;1mx\u{1B}]0;title\u{07}y\u{1B}P+q\u{1B}\\z\u{1B}[?62;c!") == [
                .text("x"), .text("y"), .text("z"), .text("!"),
            ])
        #expect(Self.keys([0xFF, 0xC0, 0xE2, 0x28, 0xC2, 0x9B, 0x61]) == [.text("("), .text("a")])
    }

    @Test func `a paste is one key, with escape sequences in it as text`() {
        #expect(Self.keys("\u{1B}[200~a\nb\u{1B}[31m\u{1B}[201~c") == [.paste("a\nb\u{1B}[31m"), .text("c")])
        #expect(Self.keys("\u{1B}[200~\u{1B}\u{1B}[201~") == [.paste("\u{1B}")])
    }

    @Test func `an escape byte alone is the Escape key once nothing follows`() {
        var decoder = KeyDecoder()
        #expect(decoder.decode(0x1B) == nil)
        #expect(decoder.isUndecided)
        #expect(decoder.decide() == .escape)
        #expect(!decoder.isUndecided)
    }

    @Test func `no bytes make it stumble`() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<Thoroughness.count(300, soak: 2000) {
            var decoder = KeyDecoder()
            for _ in 0..<60 {
                let byte = UInt8.random(in: 0...255, using: &random)
                _ = decoder.decode(byte < 80 ? 0x1B : byte)
            }
        }
    }

    @Test func `letters in one piece say what they said one by one`() {
        let keys: [Key] = [.text("a"), .text("b"), .enter, .text("c"), .backspace, .paste("d"), .text("e")]
        #expect(Key.joined(keys) == [.paste("ab"), .enter, .paste("c"), .backspace, .paste("d"), .paste("e")])
        #expect(Key.joined([]) == [])
    }

    @Test func `a paste that is cut short gives what has come of it, and swallows the rest`() {
        var keys = KeyDecoder()
        for byte in "\u{1B}[200~half a".utf8 { #expect(keys.decode(byte) == nil) }
        #expect(keys.isInPaste && keys.cutPaste() == .paste("half a") && keys.isInPaste)
        var rest: [Key] = []
        for byte in " thought\u{1B}[201~x".utf8 { if let key = keys.decode(byte) { rest.append(key) } }
        #expect(rest == [.paste(" thought"), .text("x")])
        #expect(keys.cutPaste() == nil)
    }

    @Test func `a paste that is cut within a character, or within its end, loses neither`() {
        var keys = KeyDecoder()
        var pieces: [Key] = []
        for byte in "\u{1B}[200~a漢👩é\u{1B}[201~x".utf8 {
            if let key = keys.decode(byte) { pieces.append(key) }
            if let key = keys.cutPaste() { pieces.append(key) }
        }
        #expect(pieces == [.paste("a"), .paste("漢"), .paste("👩"), .paste("é"), .paste(""), .text("x")])
    }

    @Test func `a paste of any size comes in whole`() {
        let lines = String(repeating: "a line of é\n", count: KeyDecoder.longestPaste / 13 + 100_000)
        var keys = KeyDecoder()
        var pasted = ""
        for byte in "\u{1B}[200~\(lines)\u{1B}[201~".utf8 {
            if case .paste(let text) = keys.decode(byte) { pasted += text }
        }
        #expect(pasted.utf8.count > KeyDecoder.longestPaste && pasted == lines)
    }
}

/// SplitMix64, so that a failure can be had again.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
