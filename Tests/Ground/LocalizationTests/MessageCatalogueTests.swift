import ShippedCatalogues
import Testing

@testable import Localization

/// Catalogues as msgfmt(1) writes them, whole and spoiled.
struct MessageCatalogueTests {
    private static let german = [
        "unlocked": "entsperrt", "{1} of {2} items": "von {2} Dingen {1}", "not here": "fehlt {1}",
        "{{ stands alone": "{{ steht allein",
        "one item\0{1} items": "ein Ding\0{1} Dinge", "a": "ä", "zz": "",
    ]

    private static func catalogue(
        _ entries: [String: String] = german, header: String = CatalogueFile.header
    ) throws -> MessageCatalogue { try MessageCatalogue(CatalogueFile.make(entries, header: header)) }

    @Test func `a sentence is said in the language of its catalogue, whatever the order in it`() throws {
        let german = try Self.catalogue()
        #expect(localized("unlocked", in: german) == "entsperrt")
        #expect(localized("\(3) of \("ten") items", in: german) == "von ten Dingen 3")
        #expect(localized("{ stands alone", in: german) == "{ steht allein")
        #expect(localized("a", in: german) == "ä")
    }

    @Test func `what nobody has translated is English, and so is a translation that slips`() throws {
        let german = try Self.catalogue()
        #expect(localized("locked since \("noon")", in: german) == "locked since noon")
        #expect(localized("zz", in: german) == "zz")
        #expect(localized("not here", in: german) == "not here")
        #expect(localized("{1} in braces \(7)", in: nil) == "{1} in braces 7")
        // What stands in between is never taken for a gap.
        #expect(localized("\("{2}") of \("{1}") items", in: german) == "von {1} Dingen {2}")
    }

    @Test func `a number takes the form that the language has for it`() throws {
        let german = try Self.catalogue()
        func items(_ number: Int, _ catalogue: MessageCatalogue?) -> String {
            localized(number, one: "one item", many: "\(number) items", in: catalogue)
        }
        #expect((0...2).map { items($0, german) } == ["0 Dinge", "ein Ding", "2 Dinge"])
        #expect((0...2).map { items($0, nil) } == ["0 items", "one item", "2 items"])
        let french = try Self.catalogue(
            ["one item\0{1} items": "{1} objet\0{1} objets"],
            header: "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n > 1);\n")
        #expect((0...2).map { items($0, french) } == ["0 objet", "1 objet", "2 objets"])
    }

    @Test func `a file of either byte order is read, and one of another kind refused by its fault`() throws {
        let texts = ["a": "b"]
        for isBigEndian in [false, true] {
            let read = try MessageCatalogue(CatalogueFile.make(texts, isBigEndian: isBigEndian))
            #expect(read.text(for: "a") == "b" && read.text(for: "") == nil && read.text(for: "c") == nil)
        }
        func fault(_ bytes: [UInt8]) -> MessageCatalogueError? {
            do throws(MessageCatalogueError) { _ = try MessageCatalogue(bytes) } catch { return error }
            return nil
        }
        let whole = CatalogueFile.make(texts)
        #expect(fault([]) == .notACatalogue && fault(Array("msgid".utf8)) == .notACatalogue)
        #expect(fault(CatalogueFile.make(texts, revision: 2 << 16)) == .unknownRevision)
        #expect(fault(CatalogueFile.make(texts, header: nil)) == .noHeader)
        #expect(fault(CatalogueFile.make(texts, header: "Content-Type: text/plain; charset=latin1\n")) == .notUTF8)
        let slavic = CatalogueFile.header.replacing("nplurals=2", with: "nplurals=3")
        #expect(fault(CatalogueFile.make(texts, header: slavic)) == .unknownPlural)
        for length in 0..<whole.count { #expect(fault(Array(whole[..<length])) != nil, "cut at \(length)") }
        var swapped = whole
        swapped.replaceSubrange(28..<44, with: whole[36..<44] + whole[28..<36])
        #expect(fault(swapped) == .unsorted)
        for place in 8..<60 {
            var hostile = whole
            hostile[place] = 0xFF
            _ = fault(hostile)
        }
    }

    @Test func `the environment says the language as it does for gettext`() {
        func wanted(_ variables: [String: String]) -> [String] { Languages.wanted { variables[$0] } }
        #expect(wanted([:]) == [] && wanted(["LANG": "C.UTF-8"]) == [] && wanted(["LANG": "en_GB.UTF-8"]) == [])
        #expect(wanted(["LANG": "de_AT.UTF-8@euro"]) == ["de_AT", "de"])
        #expect(wanted(["LANG": "de_DE", "LC_MESSAGES": "fr_FR"]) == ["fr_FR", "fr"])
        #expect(wanted(["LANG": "de_DE", "LC_MESSAGES": "fr_FR", "LC_ALL": "nb_NO"]) == ["nb_NO", "nb"])
        #expect(wanted(["LANG": "de_DE", "LC_ALL": ""]) == ["de_DE", "de"])
        #expect(wanted(["LANG": "de_DE", "LANGUAGE": "nn:fr"]) == ["nn", "nb", "fr"])
        #expect(wanted(["LANG": "C", "LANGUAGE": "fr"]) == [] && wanted(["LANGUAGE": "fr"]) == [])
        #expect(wanted(["LANG": "de_DE", "LANGUAGE": "sv:en:fr"]) == ["sv"])
        for path in ["../../tmp/x", "/tmp/x", "de/../..", "de\0", "aaaaaaaaaaaaa", "."] {
            #expect(wanted(["LANG": path]) == [], "\(path)")
        }
    }

    @Test func `another language is spoken where it is asked for, and heard nowhere else`() throws {
        let german = try ShippedCatalogue.read("de")
        Localization.speaking(german) {
            #expect(localized("The device is locked.") == "Das Gerät ist gesperrt.")
            Localization.speaking(nil) { #expect(localized("The device is locked.") == "The device is locked.") }
            #expect(localized("The device is locked.") == "Das Gerät ist gesperrt.")
        }
        #expect(localized("The device is locked.") == "The device is locked.")
    }

    @Test func `a part of the programs with a context has translations of its own, and no others`() throws {
        let catalogue = try MessageCatalogue(
            CatalogueFile.make([
                "unlocked": "entsperrt", "diary\u{4}unlocked": "offen", "one item\0{1} items": "ein Ding\0{1} Dinge",
                "diary\u{4}one item\0{1} items": "ein Eintrag\0{1} Einträge", "locked": "gesperrt",
            ]))
        let (unlocked, locked): (Message, Message) = ("unlocked", "locked")
        #expect(unlocked.text(in: catalogue) == "entsperrt")
        #expect(unlocked.text(in: catalogue, context: "diary") == "offen")
        #expect(locked.text(in: catalogue, context: "diary") == "locked" && locked.text(in: nil) == "locked")
        let two = 2
        let items = Message.text(two, one: "one item", many: "\(two) items", in: catalogue, context: "diary")
        #expect(items == "2 Einträge")
    }
}
