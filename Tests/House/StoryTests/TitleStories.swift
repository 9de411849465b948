import Foundation
import Testing

/// Notes, entries and widgets by the titles that people know: never one of several, and no change by a part of one.
@Suite(.serialized) struct TitleStories {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    @Test func `a note is found by its title, and changed only by all of it`() throws {
        let garden = try device.newNote("# Garden plan\n\nBeans in May.\n")
        let shed = try device.newNote("# Garden shed\n\nA new roof.\n")
        for name in ["Garden plan", "garden PLAN", "n pla", garden, String(garden.prefix(8))] {
            let shown = try device.notes("show", name)
            #expect(shown.code == 0 && shown.text.contains("Beans in May."), "\(name): \(shown)")
        }
        for command in [["show"], ["pin"], ["delete"], ["attachments"], ["tag"]] {
            let arguments = ["notes"] + command + ["garden"] + (command == ["tag"] ? ["x"] : [])
            let several = try device.run(arguments)
            #expect(several.code == 4 && several.output.isEmpty, "\(command): \(several)")
            #expect(several.errors.contains("2 notes have this title; none was chosen"))
            #expect(several.errors.contains("Garden plan") && several.errors.contains(String(shed.prefix(8))))
        }
        // A part of a title is no ground for a change, with nobody there.
        for command in [["pin", "n pla"], ["delete", "n pla"], ["edit", "n pla"], ["tag", "n pla", "x"]] {
            let unsure = try device.run(["notes"] + command, input: Data("new\n".utf8))
            #expect(unsure.code == 3 && unsure.errors.contains("similar: Garden plan"), "\(command): \(unsure)")
        }
        #expect(try device.notes("edit", "GARDEN plan", input: "# Garden plan\n\nPeas.\n").code == 0)
        #expect(try device.notes("show", garden).text.contains("Peas."))
        let absent = try device.notes("show", "gardne plan")
        #expect(absent.code == 3 && absent.errors.contains("similar: Garden plan"), "\(absent)")
        #expect(try device.notes("show", "").code == 64)
        #expect(try device.notes("delete", "garden plan").code == 0)
        #expect(try device.notes("restore", "Garden plan").code == 0)
        #expect(try device.notes("show", garden).code == 0)
    }

    @Test func `a locked note's title counts as far as the list shows it`() throws {
        let id = try device.newNote("# Bank\n\nPIN\n")
        try device.succeed("notes", "passphrase", "set", input: Data("a b c d\na b c d\n".utf8))
        try device.succeed("notes", "lock", id)
        try device.succeed("notes", "lock-now")
        #expect(try device.notes("show", "bank").code == 5)
        try device.succeed("notes", "settings", "--locked-titles", "no")
        #expect(try device.notes("show", "bank").code == 3 && device.notes("show", id).code == 5)
    }

    @Test func `an entry is found by its first words`() throws {
        try device.openDiary("a blue door")
        _ = try device.newEntry("Mended the boat.\n")
        _ = try device.newEntry("Mended the roof.\n")
        let shown = try device.diary("show", "mended the BOAT.")
        #expect(shown.code == 0 && shown.text.hasPrefix("Mended the boat."), "\(shown)")
        let several = try device.diary("show", "mended")
        #expect(several.code == 4 && several.errors.contains("2 entries have this title"), "\(several)")
        #expect(try device.diary("delete", "the boat").code == 3)
        #expect(try device.diary("delete", "mended the boat.").code == 0)
        #expect(try device.diary("show", "the boat").code == 3)
        #expect(try device.diary("restore", "Mended the boat.").code == 0)
        #expect(try device.diary("show", "the boat").code == 0)
    }

    @Test func `a widget is rendered and reloaded by its name, and none of several`() throws {
        for name in ["keychain.health", "Keychain health", "keychain HEALTH", "chain heal", "chain.heal"] {
            for command in ["render", "reload"] {
                let done = try device.run("widget", command, name)
                #expect(done.code == 0, "\(command) \(name): \(done)")
                #expect((command == "render") != done.output.isEmpty, "\(name)")
            }
        }
        let several = try device.run("widget", "render", "day")
        #expect(several.code == 4 && several.output.isEmpty, "\(several)")
        #expect(several.errors.contains("On this day") && several.errors.contains("Writing days"), "\(several)")
        #expect(try device.run("widget", "reload", "day").code == 4)
        #expect(try device.run("widget", "render", "Keychian health").code == 3)
    }
}
