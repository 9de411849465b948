import ShippedCatalogues
import Testing

@testable import Localization

/// Sentences that came as English text, and are said in a language.
struct MarkedSentenceTests {
    private static func catalogue(_ more: [String: String] = [:]) throws -> MessageCatalogue {
        let texts = [
            "the device is locked": "das Gerät ist gesperrt", "'{1}' is not a note": "„{1}“ ist keine Notiz",
            "an item exists, of class {1}, and {2}": "{2}, und es gibt ein Objekt der Klasse {1}",
            "a set {{ is open": "eine Menge {{ ist offen", "{1} of {2}": "{1} von {2}",
            "one waiting note\0{1} waiting notes": "eine wartende Notiz\0{1} wartende Notizen",
        ]
        return try MessageCatalogue(CatalogueFile.make(texts.merging(more) { $1 }))
    }

    @Test func `a marked sentence is English where it is made, with what stands in it`() {
        #expect(marked("the device is locked") == "the device is locked")
        #expect(marked("'\("Milk {1}")' is not a note") == "'Milk {1}' is not a note")
        #expect(marked("a set { is open") == "a set { is open")
    }

    @Test func `a sentence that came as text is said in a language, and what stands in it stays`() throws {
        let german = try Self.catalogue()
        #expect(translated("the device is locked", in: german) == "das Gerät ist gesperrt")
        #expect(translated("a set { is open", in: german) == "eine Menge { ist offen")
        #expect(translated("'Milk' is not a note", in: german) == "„Milk“ ist keine Notiz")
        // Names with the sentence's own words, with signs of keys, with accents at their edges, and empty ones.
        for name in ["Milk' is not a note", "the device is locked", "{1} {{", "\u{301}", "", "'", "é\u{308}"] {
            #expect(translated("'\(name)' is not a note", in: german) == "„\(name)“ ist keine Notiz")
        }
        #expect(
            translated("an item exists, of class cku, and the device is locked", in: german)
                == "the device is locked, und es gibt ein Objekt der Klasse cku")
    }

    @Test func `a sentence behind a colon at the end of another is said in the language too`() throws {
        let german = try Self.catalogue([
            "nothing can be made of this photo: {1}": "aus diesem Foto wird nichts: {1}",
            "{1}: this cannot be read": "{1}: das ist nicht lesbar",
        ])
        func said(_ reason: String) -> String { translated("nothing can be made of this photo: \(reason)", in: german) }
        #expect(said("the device is locked") == "aus diesem Foto wird nichts: das Gerät ist gesperrt")
        #expect(said("'Milk' is not a note") == "aus diesem Foto wird nichts: „Milk“ ist keine Notiz")
        #expect(said("No such file (open)") == "aus diesem Foto wird nichts: No such file (open)")
        #expect(
            translated("the device is locked: this cannot be read", in: german)
                == "the device is locked: das ist nicht lesbar")
    }

    @Test func `of several sentences that are like it, the one with most of its words is meant`() throws {
        let german = try Self.catalogue([
            "{1} is not a note": "kurz {1}", "'{1}' is not a note of {2}": "lang {1}, {2}",
            "'{1}' is neither {2}": "weit {1}, {2}", "no note is '{1}' or '{2}'": "eins {1}, {2}",
            "no note is '{1}": "zwei {1}",
        ])
        #expect(translated("'Milk' is not a note", in: german) == "„Milk“ ist keine Notiz")
        #expect(translated("'Milk' is not a note of Ann", in: german) == "lang Milk, Ann")
        #expect(translated("Milk is not a note", in: german) == "kurz Milk")
        // As many words of one as of the other.
        #expect(translated("'Milk' is neither is not a note", in: german) == "kurz 'Milk' is neither")
        #expect(translated("no note is 'a' or 'b'", in: german) == "eins a, b")
        // A whole sentence goes before a pattern of it.
        let both = try Self.catalogue(["'Milk' is not a note": "ganz"])
        #expect(translated("'Milk' is not a note", in: both) == "ganz")
    }

    @Test func `a text that no key is like, or too little of one, stays as it came`() throws {
        let german = try Self.catalogue([
            "is not a note {1}{2}": "zusammen {1}, {2}", "the note {1} is away": "", "the note {1} is here": "da {2}",
        ])
        for text in [
            "", "the device is locked.", "The device is locked", "'Milk' is not a notebook", "3 of 7",
            "is not a note ab",
            "2 waiting notes", "one waiting note", "the note Milk is away", "the note Milk is here",
            "das Gerät ist gesperrt", "the note  is", "an item exists, of class ",
        ] {
            #expect(translated(text, in: german) == text)
            #expect(translated(text, in: nil) == text)
        }
    }
}
