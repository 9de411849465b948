import SoughtNames
import Testing

@Suite struct SoughtNameTests {
    @Test(arguments: [
        ("github", ["github"], NameTier.exact), ("GitHub", ["x", "github"], .caseless),
        ("github", ["github.com", "GITHUB"], .caseless), ("github.com", ["www.github.com"], .host),
        ("www.GitHub.com", ["github.com"], .host), ("github", ["github.com"], .host),
        ("github", ["gist.github.com"], .host), ("bbc", ["www.bbc.co.uk"], .host), ("co", ["bbc.co.uk"], .contained),
        ("gist", ["gist.github.com"], .contained), ("hub", ["GitHub"], .contained), ("10", ["10.0.0.1"], .contained),
        ("ärger", ["ÄRGER"], .caseless), ("git", ["git.example"], .host),
    ]) func `the best fit of all that something is called counts`(_ name: String, _ names: [String], _ tier: NameTier) {
        #expect(SoughtName(name).tier(of: names) == tier)
    }

    @Test func `what does not fit, or is nothing at all, fits nothing`() {
        #expect(SoughtName("gitlab").tier(of: ["github.com", "git"]) == nil)
        #expect(SoughtName("").tier(of: ["github.com"]) == nil)
        #expect(SoughtName("github").tier(of: []) == nil)
    }

    @Test func `of several only those that fit best are found, and all of them`() {
        let best = SoughtName("mail").best(of: ["mailbox", "mail.example", "MAIL", "Mail", "other"]) { [$0] }
        #expect(best.tier == .caseless && best.values == ["MAIL", "Mail"])
        let none = SoughtName("mail").best(of: ["other"]) { [$0] }
        #expect(none.tier == nil && none.values.isEmpty)
    }

    @Test func `a change relies on what is called exactly so, capitals aside`() {
        #expect(NameTier.allCases.filter(\.isSure) == [.exact, .caseless])
    }

    @Test(arguments: [
        ("shop.example.com", "example"), ("example.co.uk", "example"), ("WWW.Example.com.", "example"),
        ("bücher.example", "bücher"), ("co.uk", "co"), ("a.b", nil), ("v1.2", nil), ("example", nil), ("", nil),
        ("a..example", nil), ("-a.example", nil), ("anna@mail.example", nil), ("two words.example", nil),
        ("192.168.1.1", nil), ("1.2.3.400", nil),
    ]) func `a site is called by the label that its owner registered`(_ text: String, _ label: String?) {
        #expect(HostName(text)?.siteLabel == label)
    }

    @Test func `an address of four numbers is a host, and no other number`() {
        #expect(HostName("192.168.1.1") != nil && HostName("192.168.1") == nil && HostName("300.1.1.1") == nil)
        #expect(HostName("www.example.com")?.withoutWWW == "example.com")
    }

    @Test(arguments: [
        ("git", "git", 0), ("gti", "git", 1), ("gt", "git", 1), ("giit", "git", 1), ("gat", "git", 1), ("", "git", 3),
        ("get", "list", 3), ("kitten", "sitting", 3),
    ]) func `slips between two words are counted`(_ one: String, _ other: String, _ count: Int) {
        #expect(SimilarWords.distance(one, other) == count && SimilarWords.distance(other, one) == count)
    }

    @Test func `up to three words are near, the nearest first`() {
        let words = ["github.com", "Gitlab", "githubs", "git", "bank", "gith"]
        #expect(SoughtName("githib").similar(among: words) == ["github.com", "Gitlab", "gith"])
        #expect(SimilarWords.nearest(to: "lsi", among: ["ls", "rm", "list"]) == ["ls", "list"])
        #expect(SimilarWords.nearest(to: "x", among: ["y", "z"]).isEmpty)
    }

    @Test func `an id is printed as long as it takes to tell it from all others, and no shorter than eight digits`() {
        #expect(ShortIDs([]).short("0123456789abcdef") == "01234567")
        #expect(ShortIDs(["0123456789", "a123456789", "0123456789"]).length == 8)
        let (one, other) = ("0123456789ab", "0123456789cd")
        for ids in [[one, "a", other], [other, one], ["01", one, "012345678", other]] {
            let short = ShortIDs(ids)
            #expect(short.short(one) == "0123456789a" && short.short(other) == "0123456789c")
        }
        #expect(ShortIDs([one, one + "ef"]).short(one + "ef") == "0123456789abe")
    }

    @Test func `an id is told from those that are not printed: a few are looked up, of many all are asked for`() {
        let hidden = "0123456789cd"
        var asked: [String] = []
        let few = ShortIDs(of: ["0123456789ab"]) { beginning in
            asked.append(beginning)
            return hidden.hasPrefix(beginning)
        } all: {
            []
        }
        #expect(few.length == 11 && asked == ["01234567", "012345678", "0123456789", "0123456789a"])
        let many = (0..<201).map { String($0 + 1_000_000_000) }
        #expect(ShortIDs(of: many, isAmbiguous: { _ in true }, all: { many + [many[7] + "5"] }).length == 11)
    }
}
