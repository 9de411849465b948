import Foundation
import Linux
import Testing
import Wire

/// Lists and views of less than whole notes and entries: what they could not read is named, and they end with 8.
@Suite(.serialized) struct UnreadStories {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    /// Writes zeros over what a record of a type is sealed to, while the device is stopped: the one that was written as
    /// `number`.
    private func damage(_ database: String, type: Int, number: Int) throws {
        #expect(try device.down() == 0)
        let find = "SELECT id FROM record WHERE type = \(type) AND tombstone = 0 ORDER BY id LIMIT 1 OFFSET \(number)"
        try StoppedDatabase(path: database).rows(
            "UPDATE record SET sealed = zeroblob(length(sealed)) WHERE id = (\(find))")
        #expect(try device.start() == nil)
    }

    /// Flips a bit in each file of the notes', while the device is stopped.
    private func damageFiles() throws {
        #expect(try device.down() == 0)
        let folder = device.home.notesFolder + "/assets/"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            guard try FileSystem.status(folder + name)?.isRegular == true else { continue }
            var bytes = try Data(contentsOf: URL(fileURLWithPath: folder + name))
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: URL(fileURLWithPath: folder + name))
        }
        #expect(try device.start() == nil)
    }

    @Test(arguments: [false, true])
    func `an attachment that cannot be read is named in the list of attachments, and beside the map`(
        isAlone: Bool
    ) throws {
        let note = try device.newNote("# Trip\n\nwords\n")
        if !isAlone {
            #expect(try device.notes("place", note, "59.67, 10.63", "--name", "Quay").code == 0)
        }
        let added = try device.notes("place", note, "63.4305, 10.3951", "--name", "Harbour")
        let place = added.text.trimmingCharacters(in: .newlines)
        #expect(added.code == 0 && place.count == 32, "\(added.errors)")
        // Type 5: what is known of an attachment.
        try damage(device.home.notesDatabase, type: 5, number: isAlone ? 0 : 1)
        let list = try device.notes("attachments", note)
        #expect(list.code == 8 && list.text.contains("Quay") != isAlone, "\(list.text)")
        #expect(list.text.contains("\(place)  damaged") && !list.text.contains(" 0 bytes"), "\(list.text)")
        #expect(list.errors.contains("the attachment \(place)") && list.errors.contains("record"), "\(list.errors)")
        let json = try device.notes("attachments", note, "--json")
        #expect(json.code == 8 && json.text.contains("\"isDamaged\" : true") && json.errors.contains(place))
        let map = try device.notes("map", note, "--rows", "10")
        #expect(map.code == 8 && map.text.contains("Quay") != isAlone, "\(map.text)\(map.errors)")
        #expect(map.errors.contains("the attachment \(place)") && !map.errors.contains("no place"), "\(map.errors)")
        #expect(try device.notes("map", note, "--json").code == 8)
    }

    @Test func `a place whose file cannot be read is no missing place`() throws {
        let note = try device.newNote("# Trip\n\nwords\n")
        #expect(try device.notes("place", note, "63.4305, 10.3951", "--name", "Harbour").code == 0)
        try damageFiles()
        for command in ["attachments", "map"] {
            let outcome = try device.notes(command, note)
            #expect(outcome.code == 8, "\(command): \(outcome.text)\(outcome.errors)")
            #expect(outcome.errors.contains("Harbour.geojson") && outcome.errors.contains("file"), "\(outcome.errors)")
        }
    }

    @Test func `calendar, map, statistics and tags of a diary name the entry that they lack`() throws {
        try device.openDiary()
        _ = try device.newEntry("First entry", "--tag", "sea")
        let victim = try device.newEntry("Victim entry", "--tag", "sea")
        let views = [["calendar"], ["map", "--rows", "10"], ["statistics"], ["tags"]]
        for view in views { #expect(try device.run(["diary"] + view).code == 0, "\(view)") }
        // Type 1: the head.
        try damage(device.home.diaryDatabase, type: 1, number: 1)
        #expect(try device.diary("sign-in", input: "a blue door\n").code == 0)
        let list = try device.diary("list")
        #expect(list.code == 8 && list.errors.contains("the entry \(victim) is damaged: head"), "\(list.errors)")
        for view in views + [["statistics", "--json"], ["tags", "--json"]] {
            let outcome = try device.run(["diary"] + view)
            #expect(outcome.code == 8 && outcome.errors == list.errors, "\(view): \(outcome.errors)")
            #expect(!outcome.text.isEmpty, "\(view)")
        }
        #expect(try device.diary("tags").text == "1\tsea\n")
        #expect(try device.diary("statistics", "--json").text.contains("\"unread\" : 1"))
    }
}
