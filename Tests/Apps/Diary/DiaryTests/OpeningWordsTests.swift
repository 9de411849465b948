import Testing

@testable import Diary

@Suite struct OpeningWordsTests {
    @Test(arguments: [
        ("# Harbour\n\nBoats and **rain**.", "Harbour Boats and rain."),
        ("Zug & Meer / Berge – C++ < 3 * 4 = 12", "Zug & Meer / Berge – C++ < 3 * 4 = 12"),
        ("see [a page](https://x.org) ![c](media:0) ~~gone~~", "see a page gone"),
        ("![](media:0)\n\nThe photo.", "The photo."),
        ("> a *quote*\n- one\n- [x] two\n1. three\n12) four", "a quote one two three four"),
        ("snake_case and 2*3*4 and _faint_ `code`", "snake_case and 2*3*4 and faint code"),
        ("\\# no heading \\*", "# no heading *"), ("---\n***\n", ""), ("", ""), ("[half](", "[half]("),
        ("- \n-x\n#tag #", "-x #tag #"), ("1984", "1984"), ("**[bold](x) link**", "bold link"),
    ])
    func `marks go and words stay`(_ text: String, _ words: String) {
        #expect(OpeningWords.of(text, length: 120) == words)
    }

    @Test func `a letter with a million accents is no more than its share`() {
        let accents = "a" + String(repeating: "\u{301}", count: 1_000_000)
        #expect(OpeningWords.of(accents + " b", length: 120).utf8.count <= 960)
        #expect(OpeningWords.cut(accents, length: 120).utf8.count <= 960)
        #expect(OpeningWords.cut("é🗝", length: 2) == "é🗝")
    }

    @Test func `it is cut, and long texts cost no more than short ones`() {
        #expect(OpeningWords.of(String(repeating: "word ", count: 1000), length: 12) == "word word wo")
        #expect(OpeningWords.of(String(repeating: "[", count: 1_000_000), length: 120).isEmpty)
        #expect(OpeningWords.of(String(repeating: "[a](", count: 100_000), length: 120).count == 120)
    }
}
