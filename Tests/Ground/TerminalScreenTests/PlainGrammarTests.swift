import TerminalScreen
import Testing

/// How lines are understood in every dialogue of plain lines.
@Suite struct PlainGrammarTests {
    private let grammar = PlainGrammar([PlainWord("trash"), PlainWord("pin", .choice)])

    @Test(arguments: [
        ("help", PlainWord.help, ""), ("  OPEN  3 ", .open, "3"), ("open Garden  plan", .open, "Garden  plan"),
        ("?", .help, ""), ("search soup", .find, "soup"), ("read 2", .open, "2"), ("q", .quit, ""),
        ("list Work/Plans", .list, "Work/Plans"), ("pin", PlainWord("pin", .choice), ""), ("+", .more, ""),
    ]) func `a word is known by each of its spellings, and has what follows it`(
        _ line: String, _ word: PlainWord, _ rest: String
    ) {
        #expect(grammar.parse(line) == .word(word, rest))
    }

    @Test(arguments: ["3", "Garden plan", "help me", "quit smoking", "folders", "opened"])
    func `whatever begins with no word, or has more behind it than the word takes, may be a name`(_ line: String) {
        #expect(grammar.parse(" \(line)\t") == .choice(line))
    }

    @Test func `an empty line says nothing`() {
        #expect(grammar.parse("") == .nothing && grammar.parse(" \t ") == .nothing)
    }

    @Test func `a mistyped word finds what was meant`() {
        #expect(grammar.similar(to: "opne 3") == ["open"] && grammar.similar(to: "trahs") == ["trash"])
        #expect(grammar.similar(to: "xylophone").isEmpty && grammar.similar(to: "").isEmpty)
    }

    @Test func `every dialogue has the same words`() {
        #expect(
            PlainWord.shared.map(\.name) == [
                "help", "list", "more", "open", "find", "back", "new", "edit", "delete", "undo", "copy", "lock",
                "unlock", "quit",
            ])
        let spellings = PlainWord.shared.flatMap { [$0.name] + $0.others }
        #expect(Set(spellings).count == spellings.count)
    }

    // MARK: Numbers and names

    private let names = ["Garden plan", "Garden shed", "garden", "7", "", "Minutes of May"]

    @Test func `a number counts before a name, and a name as well as it fits`() {
        #expect(PlainChoice("2", among: names) == .one(1, isSure: true))
        #expect(PlainChoice("garden", among: names) == .one(2, isSure: true))
        #expect(PlainChoice("GARDEN PLAN", among: names) == .one(0, isSure: true))
        #expect(PlainChoice("of may", among: names) == .one(5, isSure: false))
        // There are six: what is called by digits is found by them.
        #expect(PlainChoice("7", among: names) == .one(3, isSure: true))
    }

    @Test func `of several none is chosen`() {
        #expect(PlainChoice("arde", among: names) == .several([0, 1, 2]))
        #expect(PlainChoice("GARDEN", among: ["Garden", "garden"]) == .several([0, 1]))
    }

    @Test func `what is not there is said to be so, with what is nearly it`() {
        #expect(PlainChoice("0", among: names) == .noNumber && PlainChoice("99", among: names) == .noNumber)
        // A number that stands somewhere in a name is no name.
        #expect(PlainChoice("12", among: ["Plan of 2012"]) == .noNumber)
        #expect(PlainChoice("gardne plan", among: names) == .nothing(similar: ["Garden plan"]))
        #expect(PlainChoice("xylophone", among: names) == .nothing(similar: []))
        #expect(PlainChoice("", among: names) == .nothing(similar: []))
    }

    @Test func `what was typed is safe to be said, and one line`() {
        let words = PlainSaying.notUnderstood("\u{1B}[2J\u{202E}", similar: ["open\n"])
        #expect(!words.contains("\u{1B}") && !words.contains("\n"))
        #expect(PlainSaying.nothingNamed("gardne", similar: ["garden"]).hasSuffix("Similar: garden."))
    }
}
