import Foundation
import Testing

/// What is typed is what comes out: through the real programs, on each way in and out.
@Suite(.serialized) struct TypedTextStory {
    private static let texts = [
        "# T1\r\n\r\nCRLF\r\n\r\n[wifi]: secret\r\n", "# T2\n\n| a |\n|---|\n| 1 | extra |\n\nno end",
        "# T3\n\n7. seven\n3. three\n  * odd\n\n[Anna]: 0171-1234567\n\n\n",
        "Setext T4\n====\n\n\ttab  \n***\n\n~~~\nopen\n",
        "\u{FEFF}# T5 Cafe\u{301}\n\nText[^1] &amp; \\* http://a.b/c_d\n\n[^1]: A note.\n",
        "# T6\nnul \u{0}\rand\r\nmixed\n",
    ]

    @Test func `made, edited, drawn from versions, exported and imported`() throws {
        let device = try LiveDevice()
        var ids: [String] = []
        for text in Self.texts {
            let id = try device.newNote(text)
            ids.append(id)
            #expect(try device.notes("show", id).output == Data(text.utf8))
            #expect(try device.notes("edit", id, input: text + "!\r\n").code == 0)
            #expect(try device.notes("show", id).output == Data((text + "!\r\n").utf8))
            #expect(try device.notes("show", id, "--at", "1").output == Data(text.utf8))
            #expect(try device.notes("versions", id, "--revert", "1").code == 0)
            #expect(try device.notes("show", id).output == Data(text.utf8))
        }
        try device.stopNotes()
        for (id, text) in zip(ids, Self.texts) { #expect(try device.notes("show", id).output == Data(text.utf8)) }
        let folder = device.folder + "-typed"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try device.notes("export", folder).code == 0)
        let other = try LiveDevice()
        #expect(try other.notes("import", "markdown", folder).code == 0)
        for (number, text) in Self.texts.enumerated() {
            let found = try other.run(["notes", "search", "T\(number + 1)", "--json"])
            let notes = try #require(try JSONSerialization.jsonObject(with: found.output) as? [[String: Any]])
            let id = try #require(notes.first?["id"] as? String, "\(found.text)")
            #expect(try other.notes("show", id).output == Data(text.utf8))
        }
    }

    @Test func `another program edits it, and what that wrote is the text`() throws {
        let device = try LiveDevice()
        let editor = device.folder + "/append.sh"
        try "#!/bin/sh\nprintf '\\tend' >> \"$1\"\n".write(toFile: editor, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: editor)
        for text in Self.texts {
            let id = try device.newNote(text)
            let edit = try device.run(["notes", "edit", id, "--editor"], environment: ["EDITOR": editor])
            #expect(edit.code == 0, "\(edit.errors)")
            #expect(try device.notes("show", id).output == Data((text + "\tend").utf8))
        }
    }

    @Test func `what is attached or taken out while another program edits is not undone by it`() throws {
        let device = try LiveDevice()
        let id = try device.newNote("# Trip\n\nfirst\n")
        for name in ["old", "new"] {
            try name.write(toFile: device.folder + "/\(name).txt", atomically: true, encoding: .utf8)
        }
        #expect(try device.notes("attach", id, device.folder + "/old.txt").code == 0)
        #expect(try device.notes("show", id).text.contains("![old"))
        let editor = device.folder + "/editor.sh"
        let tresor = "TRESOR_HOME=\(device.folder) \(device.programs)/tresor notes"
        try """
        #!/bin/sh
        \(tresor) attach \(id) \(device.folder)/new.txt && \(tresor) detach \(id) old.txt || exit 3
        echo >> "$1" && echo second >> "$1"
        """.write(toFile: editor, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: editor)
        let edit = try device.run(["notes", "edit", id, "--editor"], environment: ["EDITOR": editor])
        #expect(edit.code == 0, "\(edit.errors)")
        let text = try device.notes("show", id).text
        #expect(text.contains("second") && text.contains("![new") && !text.contains("![old"), "\(text)")
    }

    @Test func `what another program leaves that cannot be taken is kept and told, and what it leaves alone is wiped`()
        throws
    {
        let device = try LiveDevice()
        let id = try device.newNote("kept\n")
        let places = device.folder + "/places"
        try FileManager.default.createDirectory(atPath: places, withIntermediateDirectories: true)
        let editor = device.folder + "/editor.sh"
        func edit(_ script: String) throws -> LiveDevice.Outcome {
            try "#!/bin/sh\necho \"$1\" > \(places)/last\n\(script)\n".write(
                toFile: editor, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: editor)
            return try device.run(["notes", "edit", id, "--editor"], environment: ["EDITOR": editor])
        }
        func place() throws -> String {
            try String(contentsOfFile: places + "/last", encoding: .utf8).trimmingCharacters(in: .newlines)
        }
        let large = try edit("truncate -s 65M \"$1\"")
        #expect(try large.code != 0 && large.errors.contains("it is kept") && large.errors.contains(place()))
        #expect(try FileManager.default.fileExists(atPath: place()))
        try FileManager.default.removeItem(at: URL(fileURLWithPath: try place()).deletingLastPathComponent())
        for script in ["rm \"$1\"", "exit 3", "true"] {
            let outcome = try edit(script)
            #expect((outcome.code == 0) == (script != "rm \"$1\""), "\(script): \(outcome.errors)")
            let folder = URL(fileURLWithPath: try place()).deletingLastPathComponent().path
            #expect(!FileManager.default.fileExists(atPath: folder), "\(script)")
        }
        let missing = try device.run(["notes", "edit", id, "--editor"], environment: ["EDITOR": "/dev/null"])
        #expect(missing.code != 0)
        #expect(try device.notes("show", id).text == "kept\n")
    }

    @Test func `a text that is no UTF-8 is refused, and nothing changes`() throws {
        let device = try LiveDevice()
        let id = try device.newNote("kept\n")
        for arguments in [["notes", "new"], ["notes", "edit", id]] {
            let refused = try device.run(arguments, input: Data([0x4D, 0xFC, 0x6C, 0x6C, 0x0A]))
            #expect(refused.code == 64 && refused.errors.contains("UTF-8"), "\(refused.code) \(refused.errors)")
        }
        #expect(try device.notes("show", id).text == "kept\n")
        #expect(try device.notes("list", "--json").text.contains(id))
    }
}
