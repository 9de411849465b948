import Testing

@testable import DiaryTerminal

/// What may reach a terminal as a picture.
@Suite struct PictureTests {
    private let place = PicturePlace(file: "file", row: 4, column: 1, width: 4, height: 2)

    private func text(_ output: String, _ format: PictureFormat) -> String? {
        TerminalPicture(format).text(Array(output.utf8), at: place)
    }

    @Test func `characters and their colours are put row under row into the box`() {
        let drawn = text("\u{1B}[38;5;1m▄▄▄▄\u{1B}[0m\n\u{1B}[0m▀▀\n", .symbols)
        #expect(drawn == "\u{1B}[5;2H\u{1B}[38;5;1m▄▄▄▄\u{1B}[0m\u{1B}[6;2H\u{1B}[0m▀▀\u{1B}[0m")
    }

    @Test(arguments: [
        "\u{1B}[2J▄", "\u{1B}]52;c;eA==\u{07}", "\u{1B}[?25l▄", "▄\u{07}", "\u{9B}31m▄", "▄▄▄▄▄", "▄\n▄\n▄\n",
        "▄\u{202E}",
        "\u{1B}", "\u{1B}[38;5",
    ])
    func `characters with anything else, or beyond the box, are refused`(output: String) {
        #expect(text(output, .symbols) == nil)
    }

    @Test func `pictures are control strings of their kind, and nothing between them`() {
        let kitty = "\u{1B}_Ga=T,f=32,s=2,v=1,c=4,r=2,m=1\u{1B}\\\u{1B}_Gm=0;AAAA\u{1B}\\"
        #expect(text(kitty + "\n", .kitty) == "\u{1B}[5;2H" + kitty)
        let sixel = "\u{1B}P0;1;0q\"1;1;4;2#0!4~-\u{1B}\\"
        #expect(text(sixel + "\n", .sixels) == "\u{1B}[5;2H" + sixel)
        for output in [
            kitty + "x", "\u{1B}]0;title\u{1B}\\", "\u{1B}_Xa=T\u{1B}\\", "\u{1B}_Ga=T", "\u{1B}_Ga=\u{07}\u{1B}\\", "",
            sixel,
        ] {
            #expect(text(output, .kitty) == nil)
        }
        #expect(text(kitty, .sixels) == nil)
    }

    @Test func `the terminal is told by its environment, and a multiplexer gets characters`() {
        func best(_ variables: [String: String]) -> PictureFormat { PictureFormat.best { variables[$0] } }
        #expect(best(["TERM": "xterm-kitty"]) == .kitty)
        #expect(best(["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"]) == .kitty)
        #expect(best(["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"]) == .kitty)
        #expect(best(["TERM": "foot-extra"]) == .sixels)
        #expect(best(["TERM": "xterm-256color"]) == .symbols)
        #expect(best(["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"]) == .symbols)
        #expect(best(["TERM": "xterm-kitty", "TMUX": "/tmp/tmux"]) == .symbols)
    }

    @Test func `kitty's pictures are deleted, not only written over`() {
        #expect(ChafaDrawing(path: "/", format: .kitty).erasure == "\u{1B}_Ga=d,d=A\u{1B}\\")
        #expect(ChafaDrawing(path: "/nowhere", format: .symbols).draw([1, 2, 3], at: place) == nil)
    }
}
