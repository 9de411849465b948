import Secrets
import Testing

@testable import TerminalScreen

/// What a terminal answers is no key and no character of a secret, in whatever pieces it comes.
@Suite struct TerminalAnswersTests {
    private static let kitty = "\u{1B}_Gi=31;OK\u{1B}\\"
    private static let answers: [(text: String, form: PictureForm?)] = [
        (kitty + "\u{1B}[6;20;10t\u{1B}[?62;4;22c", .kitty), ("\u{1B}[6;20;10t\u{1B}[?62;4;22c", .sixel),
        ("\u{1B}_Gi=31;ENOSYS:no\u{1B}\\\u{1B}[?1;2c", .blocks(.indexed)), ("\u{1B}[?64;1;2;46c", .blocks(.indexed)),
    ]
    private static let looks = looks(["TERM": "xterm-256color"])

    private static func looks(_ variables: [String: String]) -> TerminalLooks { TerminalLooks { variables[$0] } }

    /// What is typed when this has come, with a moment of silence behind some of its bytes.
    private func typed(_ text: String, _ answers: inout TerminalAnswers, pauses: Set<Int> = []) -> [UInt8] {
        var typed: [UInt8] = []
        for (index, byte) in text.utf8.enumerated() {
            typed += answers.pass(byte)
            if pauses.contains(index) { typed += answers.giveUp() }
        }
        return typed
    }

    @Test func `answers tell the form, and nothing of them is typed`() {
        for answer in Self.answers {
            var taken = TerminalAnswers()
            #expect(typed(answer.text, &taken).isEmpty && !taken.isOutstanding && !taken.isHolding)
            #expect(taken.form(Self.looks) == answer.form, "\(answer)")
        }
    }

    @Test func `what is typed between answers is typed, and what looks like none goes on`() {
        var taken = TerminalAnswers()
        let text = "a\u{1B}[A\u{1B}[6~\u{1B}OBß" + Self.kitty + "b\u{1B}\u{1B}[1;5C\u{1B}[?2cq\u{1B}[?9c"
        let wanted = "a\u{1B}[A\u{1B}[6~\u{1B}OBßb\u{1B}\u{1B}[1;5Cq\u{1B}[?9c"
        #expect(typed(text, &taken) == Array(wanted.utf8), "after the last answer all is typed")
    }

    /// Wherever the line pauses, and for so long that an Escape was taken for the key that it may be.
    @Test func `an answer that comes slowly becomes no key and no part of a secret`() throws {
        for answer in Self.answers {
            let bytes = Array(answer.text.utf8)
            for pause in bytes.indices {
                var (taken, keys, found) = (TerminalAnswers(), KeyDecoder(), [Key]())
                var secret = try SecretEntry()
                for (index, byte) in bytes.enumerated() {
                    for typed in taken.pass(byte) + (index == pause ? taken.giveUp() : []) {
                        if let key = keys.decode(typed) { found.append(key) }
                        _ = try secret.type(typed)
                    }
                    guard index == pause else { continue }
                    if let key = keys.decide() { found.append(key) }
                    // A session cancels the secret then.
                    if secret.isUndecided { secret = try SecretEntry() }
                }
                let place = "\(answer.text.debugDescription) at \(pause)"
                #expect(found.allSatisfy { $0 == .escape } && secret.characterCount == 0, "\(place)")
            }
        }
    }

    @Test func `a control string in a secret is none of its characters`() throws {
        let typed = try SecretEntryTests.type(Array(("a" + Self.kitty + "b\u{1B}]0;title\u{07}c").utf8))
        #expect(typed.text == "abc")
    }

    @Test func `a lone Escape is a key when nothing follows`() {
        var taken = TerminalAnswers()
        #expect(taken.pass(0x1B).isEmpty && taken.isHolding)
        #expect(taken.giveUp() == [0x1B] && !taken.isHolding)
        #expect(taken.pass(UInt8(ascii: "q")) == [UInt8(ascii: "q")])
    }

    @Test func `a terminal is asked before it is believed, one that stands between less, and a dumb one nothing`() {
        #expect(TerminalAnswers.question(Self.looks).hasPrefix("\u{1B}_G"))
        #expect(TerminalAnswers.question(Self.looks).hasSuffix("\u{1B}[c"), "what all answer comes last")
        let tmux = Self.looks(["TERM": "tmux-256color", "TMUX": "/tmp/tmux", "COLORTERM": "truecolor"])
        #expect(!TerminalAnswers.question(tmux).contains("\u{1B}_G"))
        #expect(TerminalAnswers().form(tmux) == .blocks(.direct))
        // Whatever the name promises.
        #expect(TerminalAnswers().form(Self.looks(["TERM": "xterm-kitty"])) == .blocks(.indexed))
        let dumb = Self.looks(["TERM": "dumb", "COLORTERM": "truecolor"])
        #expect(TerminalAnswers.question(dumb).isEmpty && TerminalAnswers().form(dumb) == nil && dumb.isDumb)
        #expect(Self.looks([:]).isDumb)
    }

    @Test func `without colours there are no coloured characters, and pictures where the terminal has them`() {
        let looks = Self.looks(["TERM": "xterm-256color", "NO_COLOR": "1"])
        #expect(looks.isColorless && TerminalAnswers().form(looks) == nil)
        var taken = TerminalAnswers()
        _ = typed("\u{1B}[?62;4c", &taken)
        #expect(taken.form(looks) == .sixel)
        #expect(!Self.looks(["TERM": "xterm", "NO_COLOR": ""]).isColorless, "no-color.org: when not empty")
        #expect(TerminalAnswers().form(Self.looks(["TERM": "vt100"])) == nil)
    }

    @Test func `a cell of a size that no font has is not believed`() {
        var taken = TerminalAnswers()
        _ = typed("\u{1B}[6;99999;0t", &taken)
        #expect(taken.cell == nil)
        _ = typed("\u{1B}[6;22;11t", &taken)
        #expect(taken.cell == CellSize(pixels: 11, by: 22))
    }

    // MARK: Mouse and dots

    @Test func `a click and the wheel are keys, releases and other buttons are none`() {
        func keys(_ text: String) -> [Key] {
            var decoder = KeyDecoder()
            return text.utf8.compactMap { decoder.decode($0) }
        }
        #expect(keys("\u{1B}[<0;5;3M\u{1B}[<0;5;3m") == [.click(row: 2, column: 4)])
        #expect(keys("\u{1B}[<64;1;1M\u{1B}[<65;300;100M") == [.wheel(-1), .wheel(1)])
        #expect(keys("\u{1B}[<2;1;1M\u{1B}[<0;0;0M\u{1B}[<0;1M\u{1B}[<0;5;3~x") == [.text("x")])
    }

    @Test func `a secret that is typed stands as dots behind its field, and no further than the row`() {
        let frame = Frame(lines: [StyledLine("Key:", width: 10), StyledLine("foot", width: 10)], cursor: (0, 5))
        let shown = frame.withDots(3, columns: 10)
        #expect(shown.text == "Key: •••\nfoot\n" && shown.cursor?.column == 8)
        #expect(frame.withDots(50, columns: 10).text == "Key: ••••\nfoot\n")
        #expect(frame.withDots(0, columns: 10) == frame)
        let none = Frame(lines: frame.lines, cursor: nil)
        #expect(none.withDots(3, columns: 10) == none)
    }

    @Test func `dots are counted by characters, and go with them`() throws {
        var entry = try SecretEntry()
        for byte in Array("höрse".utf8) { _ = try entry.type(byte) }
        #expect(entry.characterCount == 5)
        _ = try entry.type(0x7F)
        #expect(entry.characterCount == 4)
        _ = try entry.type(0x15)
        #expect(entry.characterCount == 0)
    }
}
