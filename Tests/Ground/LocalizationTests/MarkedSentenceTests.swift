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

    @Test func `a name behind a colon stays as it came, whatever word it is`() throws {
        let german = try Self.catalogue([
            "there is no size '{1}'; there are: {2}": "keine Größe „{1}“; es gibt: {2}", "small": "klein",
            "{1} is small enough": "{1} ist klein genug",
        ])
        #expect(translated("small", in: german) == "klein")
        #expect(translated("there is no size 'x'; there are: small", in: german) == "keine Größe „x“; es gibt: small")
        // A sentence of several words is one all the same.
        #expect(
            translated("there is no size 'x'; there are: it is small enough", in: german)
                == "keine Größe „x“; es gibt: it ist klein genug")
    }

    @Test func `a name with the words between two gaps changes places with nothing`() throws {
        let german = try Self.catalogue([
            "'{1}' is of kind {2} by its content": "Art {2} ist der Inhalt von „{1}“",
            "'{1}' lies in the folder '{2}' of notes": "„{1}“ liegt in „{2}“",
        ])
        #expect(translated("'a' is of kind b by its content", in: german) == "Art b ist der Inhalt von „a“")
        // Whose words are whose nobody can tell: in another order it would say something else.
        let hostile = "'a' is of kind b' is of kind c by its content"
        #expect(translated(hostile, in: german) == hostile)
        #expect(
            translated("'a' lies in the folder 'b' lies in the folder 'c' of notes", in: german)
                == "„a“ liegt in „b' lies in the folder 'c“")
    }

    @Test func `a text longer than a sentence stays English, and so do sentences behind many colons`() throws {
        let german = try Self.catalogue(["whether it was stored is not known: {1}": "gespeichert? {1}"])
        let begin = "whether it was stored is not known: "
        func nested(_ count: Int) -> String { String(repeating: begin, count: count) + "the device is locked" }
        #expect(translated(nested(3), in: german) == "gespeichert? gespeichert? gespeichert? das Gerät ist gesperrt")
        #expect(
            translated(nested(5), in: german)
                == String(repeating: "gespeichert? ", count: 4) + nested(1))
        // As long as a sentence may be, and a byte longer.
        for (count, isLong) in [(4096, false), (4097, true)] {
            let text = begin + String(repeating: "x", count: count - begin.utf8.count)
            #expect((translated(text, in: german) == text) == isLong)
        }
    }

    @Test func `a key that a sentence ends in is found, and one that it only begins as is not`() throws {
        let german = try Self.catalogue(["the passphrase is wrong{1}": "falsch{1}"])
        #expect(translated("the passphrase is wrong", in: german) == "falsch")
        #expect(translated("the passphrase is wrong, too", in: german) == "falsch, too")
        for text in ["the passphrase is wron", "the passphrase", "t"] {
            #expect(translated(text, in: german) == text)
        }
    }
}
