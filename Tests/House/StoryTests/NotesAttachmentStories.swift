import Foundation
import Testing

/// What may stand in a locked note, by the real programs: a file is what its bytes are.
@Suite(.serialized) struct NotesAttachmentStories {
    private let device: LiveDevice

    init() throws {
        device = try LiveDevice()
        try device.notes("passphrase", "set", input: "open sesame\nopen sesame\n")
    }

    private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = device.folder + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func lockedNote() throws -> String {
        let id = try device.newNote("a note\n")
        #expect(try device.notes("lock", id, input: "open sesame\n").code == 0)
        return id
    }

    private static let pdf = Array("%PDF-1.7\n%%EOF\n".utf8)
    private static let gif = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x3b]

    @Test func `a PDF comes into no locked note, whatever it is called`() throws {
        let locked = try lockedNote()
        let lie = try file("photo.png", Self.pdf)
        let refused = try device.notes("attach", locked, lie)
        #expect(refused.code == 7 && refused.errors.contains("'photo.png' is of kind pdf"), "\(refused.errors)")
        let insisted = try device.notes("attach", locked, lie, "--as", "image")
        #expect(insisted.code == 7 && insisted.errors.contains("'photo.png' is of kind pdf"))
        #expect(try device.notes("attachments", locked).text.isEmpty)
        let open = try device.newNote("another\n")
        #expect(try device.notes("attach", open, lie).code == 0)
        #expect(try device.notes("attachments", open).text.contains("  pdf  "))
        let lock = try device.notes("lock", open, input: "open sesame\n")
        #expect(lock.code == 7 && lock.errors.contains("'photo.png'"))
        for name in ["table.csv", "page.html", "drawing.svg", "place.geojson"] {
            let path = try file(name, Array("a,b\n".utf8))
            let attached = try device.notes("attach", locked, path)
            #expect(attached.code == 7 && attached.errors.contains("'\(name)' is of kind file"), "\(attached.errors)")
        }
        // A picture is one by whatever name.
        #expect(try device.notes("attach", locked, file("scan.pdf", Self.gif)).code == 0)
        #expect(try device.notes("attachments", locked).text.contains("  image  "))
        for kind in ["table", "sketch", "map"] {
            #expect(try device.notes("attach", locked, lie, "--as", kind).code == 64, "\(kind)")
        }
    }

    @Test func `an error that names a file gives a terminal nothing to obey`() throws {
        let locked = try lockedNote()
        let refused = try device.notes("attach", locked, file("a\u{1b}[2J\u{202e}\nb.png", Self.pdf))
        #expect(refused.code == 7 && refused.errors.contains("is of kind pdf"), "\(refused.errors)")
        #expect(!refused.errors.contains("\u{1b}") && !refused.errors.contains("\u{202e}"), "\(refused.errors)")
        #expect(refused.errors.contains("'a‹U+001B›[2J‹U+202E›‹U+000A›b.png'"), "\(refused.errors)")
    }

    @Test(arguments: ["C.UTF-8", "de_DE.UTF-8"])
    func `an error about the command line gives a terminal nothing to obey either`(_ language: String) throws {
        // As a shell makes them of the names of files: 'tresor notes import *'.
        for words in [["get", "wifi", "--a\u{1b}[2J\u{202e}b"], ["notes", "list", "a\u{1b}]0;b\u{7}\u{9b}2J"]] {
            let refused = try device.run(words, environment: ["LC_ALL": language])
            #expect(refused.code == 64 && refused.errors.contains("‹U+001B›"), "\(refused.errors)")
            for sign in ["\u{1b}", "\u{202e}", "\u{7}", "\u{9b}"] { #expect(!refused.errors.contains(sign)) }
            #expect(refused.errors.split(separator: "\n").count > 1, "the lines of usage stay lines")
        }
    }

    @Test(arguments: ["C.UTF-8", "de_DE.UTF-8"])
    func `what a note does not have is answered with what shows that it has, in each language`(
        _ language: String
    ) throws {
        func hint(_ words: String..., input: String = "") throws -> String {
            let refused = try device.run(
                ["notes"] + words, input: Data(input.utf8), environment: ["LC_ALL": language])
            #expect(refused.code == 3 || refused.code == 7, "\(words): \(refused)")
            return String(refused.errors.split(separator: "\n").last ?? "")
        }
        let note = try device.newNote("a note\n")
        #expect(try device.notes("attach", note, file("list.txt", Array("a\n".utf8))).code == 0)
        // Nothing in these words says that it is an attachment's.
        #expect(try hint("extract", note, "list.txt", "--thumbnail").contains("'tresor notes attachments ID'"))
        #expect(try hint("extract", note, "gone.txt").contains("'tresor notes attachments ID'"))
        #expect(try hint("detach", note, "gone.txt", "--yes").contains("'tresor notes attachments ID'"))
        #expect(try hint("show", note, "--at", "99").contains("'tresor notes versions ID'"))
        #expect(try hint("versions", note, "--revert", "99").contains("'tresor notes versions ID'"))
        #expect(
            try hint("passphrase", "reset", input: "1234\nnew\nnew\n").contains("'tresor passcode set'"))
    }

    @Test func `a locked note has a place that a map shows, and a page that says where it is from`() throws {
        let note = try lockedNote()
        let added = try device.notes("place", note, "63.4305, 10.3951", "--name", "Harbour \"North\"")
        #expect(added.code == 0, "\(added.errors)")
        for wrong in ["91, 0", "north", "1,2,3", ""] {
            #expect(try device.notes("place", note, wrong).code == 64, "\(wrong)")
        }
        let map = try device.notes("map", note, "--rows", "10").text.split(separator: "\n")
        #expect(map.count == 11 && map.dropLast().contains { $0.contains("●") })
        #expect(map.last == "63.4305, 10.3951 Harbour \"North\"")
        let page = try file("page.html", Array("<!DOCTYPE html><p>text".utf8))
        #expect(try device.notes("attach", note, page).code == 7, "nobody knows where it is from")
        let saved = try device.notes("attach", note, page, "--address", "https://example.org/a?b=1")
        #expect(saved.code == 0, "\(saved.errors)")
        let bytes = try device.notes("extract", note, "page.html").text
        #expect(bytes == "<!-- saved from url=(0025)https://example.org/a?b=1 -->\n<!DOCTYPE html><p>text")
        let listed = try device.notes("attachments", note).text
        #expect(
            listed.contains("website") && listed.contains("https://example.org/a?b=1") && listed.contains("Harbour"))
        // What says it already is left as it is.
        let marked = try file("marked.html", Array(bytes.utf8))
        #expect(try device.notes("attach", note, marked, "--address", "https://example.org/other").code == 0)
        #expect(try device.notes("extract", note, "marked.html").text == bytes)
        #expect(try device.notes("attach", note, page, "--address", "javascript:alert(1)").code == 64)
        #expect(try device.notes("lock-now").code == 0)
        for command in [["map", note], ["attachments", note], ["place", note, "1, 2"]] {
            #expect(try device.run(["notes"] + command).code == 5, "its session is over: \(command)")
        }
        #expect(try device.state().range(of: Data("Harbour".utf8)) == nil)
    }
}
