import Codecs
import Testing

@Suite struct FileNameTests {
    @Test(arguments: [
        ("a/b\\c:d", "a-b-c-d", "a-b-c-d"), ("-50 % #1-", "-50 % #1-", "50 - -1"), (" .hidden. ", "hidden", "hidden"),
        ("con.md", "_con.md", "_con.md"), ("a\u{202E}b\u{7}c", "abc", "abc"), ("two\tlines", "twolines", "twolines"),
        ("a\u{200D}b", "a\u{200D}b", "a\u{200D}b"),
    ])
    func `a text becomes a name`(_ text: String, _ inFolder: String, _ inLinks: String) {
        #expect(FileName.make(text, byteCount: 40, for: .folder) == inFolder)
        #expect(FileName.make(text, byteCount: 40, for: .links) == inLinks)
    }

    @Test func `a text of nothing that may stand in a name is none`() {
        #expect(FileName.make(" ...\u{7} ", byteCount: 40, for: .folder) == nil)
        #expect(FileName.make("/-#", byteCount: 40, for: .links) == nil)
    }

    @Test func `a long text is cut between characters`() {
        let name = FileName.make(String(repeating: "ø", count: 60), byteCount: 40, for: .folder)
        #expect(name == String(repeating: "ø", count: 19))
    }

    @Test func `names that differ in case alone are the same, and one that is given back is free`() {
        var taken = TakenNames()
        let claim = { (name: String) in taken.claim { $0 > 1 ? "\(name)-\($0)" : name } }
        #expect(claim("Note") == "Note" && claim("note") == "note-2" && claim("NOTE") == "NOTE-3")
        taken.release("NOTE-3")
        taken.release("Note")
        #expect(taken.claim { $0 > 1 ? "note-\($0)" : "note" } == "note")
    }
}
