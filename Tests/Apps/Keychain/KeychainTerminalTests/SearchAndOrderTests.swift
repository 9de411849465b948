import ProcessorTime
import Protection
import TerminalScreen
import Testing
import Tresor
import Wire

@testable import KeychainTerminal

/// What a search finds, and in which order things stand.
@Suite struct SearchAndOrderTests {
    private static func listing(_ labels: String...) -> Listing {
        var listing = Listing()
        for label in labels { listing.add(.password, [.label: .string(label)]) }
        return listing
    }

    private static func labels(_ stage: Stage) -> [String] {
        stage.screen.records.rows.compactMap { row in
            if case .record(let record) = row { record.label } else { nil }
        }
    }

    @Test(arguments: [
        ("strasse", "Hauptstraße"), ("STRASSE", "Hauptstraße"), ("straße", "HAUPTSTRASSE"), ("cafe", "Café"),
        ("CAFÉ", "cafe\u{301}"), ("ångström", "Angstrom"), ("銀行", "三井住友銀行口座"), ("ぎんこう", "みずほぎんこう"),
        ("은행", "국민은행계좌"), ("οδοσ", "ΟΔΟΣ"), ("😀", "my 😀 key"), ("bank card", "Card of the bank"),
    ])
    func `a search folds capitals, accents and ß, and finds words inside a run`(typed: String, label: String) {
        var stage = Stage(Self.listing(label, "something else"))
        stage.press(.text("/"))
        stage.type(typed)
        #expect(Self.labels(stage) == [label])
    }

    @Test(arguments: [("きん", "ぎん"), ("ハス", "バス"), ("bank", "ban k"), ("ßß", "sss"), ("銀業", "銀行業")])
    func `what is another word is not found`(typed: String, label: String) {
        var stage = Stage(Self.listing(label))
        stage.press(.text("/"))
        stage.type(typed)
        #expect(Self.labels(stage).isEmpty)
    }

    @Test func `a comment is searched, and every word has to be there`() {
        var stage = Stage()
        stage.press(.text("/"))
        stage.type("tea shop")
        #expect(Self.labels(stage) == ["shop.example"])
        stage.type(" coffee")
        #expect(Self.labels(stage).isEmpty)
    }

    @Test func `s sorts by change, by kind, as added, and by name again`() {
        var listing = Listing()
        for (label, kind, days) in [("b", ItemKind.key, 1), ("Á", .password, 3), ("c", .password, 2)] {
            listing.add(
                kind,
                [.label: .string(label), .modificationDate: .date((Stage.noon + Int64(days) * 86_400) * 1_000_000)])
        }
        var stage = Stage(listing, order: .name)
        var seen = [Self.labels(stage)]
        for _ in 0..<4 {
            stage.press(.text("s"))
            seen.append(Self.labels(stage))
        }
        #expect(seen == [["Á", "b", "c"], ["Á", "c", "b"], ["Á", "c", "b"], ["b", "Á", "c"], ["Á", "b", "c"]])
        #expect(stage.text.contains("Sorted by name."))
        stage.press(.text("s"))
        #expect(stage.text.contains("Changed") && stage.text.contains("25 Nov 2026"))
    }

    @Test func `what is selected stays so in another order`() {
        var stage = Stage(Self.listing("b", "a"), order: .name)
        stage.press(.text("j"), .text("s"), .text("s"), .text("s"))
        #expect(stage.text.contains(">b"))
    }

    @Test func `more than two hundred hits are all there`() {
        var listing = Listing()
        for number in 0..<700 { listing.add(.password, [.label: .string("item \(number)")]) }
        var stage = Stage(listing)
        stage.press(.text("/"))
        stage.type("item")
        stage.press(.enter, .end)
        #expect(stage.screen.records.rowCount == 700 && stage.text.contains(">item 699"))
        stage.press(.home)
        #expect(stage.text.contains(">item 0"))
    }

    @Test func `dates are written as people write them, before and after the years that can be`() {
        #expect(ReadableDate.long(wall: 1_700_000_000) == "14 November 2023, 22:13")
        #expect(ReadableDate.short(wall: -1) == "31 Dec 1969")
        #expect(ReadableDate.short(wall: .max) == "31 Dec 9999" && ReadableDate.short(wall: .min) == "1 Jan 1")
    }

    @Test func `a key that moves costs the same with ten thousand items as with one hundred`() {
        func time(_ count: Int) -> Duration {
            var listing = Listing()
            for number in 0..<count { listing.add(.password, [.label: .string("item \(number)")]) }
            var stage = Stage(listing)
            return ProcessorTime.of {
                for _ in 0..<50 {
                    stage.press(.text("j"))
                    _ = stage.screen.frame()
                }
            }
        }
        let (few, many) = (time(100), time(10_000))
        #expect(many < few * 4 + .milliseconds(20), "\(few), and \(many)")
    }
}
