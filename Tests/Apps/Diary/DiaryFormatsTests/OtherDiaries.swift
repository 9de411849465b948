import DiaryClient
import DiaryFormats
import Foundation
import Testing

/// jrnl's two forms.
@Suite struct JrnlReading {
    private func open(_ text: String, zone: String = "Europe/Oslo") throws -> JrnlDiary {
        let folder = try Folder()
        return try JrnlDiary(try folder.write("journal", text), zone: zone, clock: .system)
    }

    @Test func `its JSON comes in with tags, star, and the local time`() throws {
        let diary = try open(
            #"""
            {"tags":{"@sea":1},"entries":[
            {"title":"At the @sea.","body":"Cold.","date":"2024-06-16","time":"09:00","tags":["@sea","#two"],
            "starred":true},
            {"title":"Winter","body":"","date":"2024-01-16","time":"09:00","tags":[],"starred":false,"mood":7}]}
            """#)
        let entries = diary.all
        #expect(diary.allRemarks == [] && entries.map(\.text) == ["At the @sea.\n\nCold.", "Winter"])
        // 09:00 in Oslo: 07:00 UTC in summer, 08:00 in winter.
        #expect(entries.map(\.head.date) == [1_718_521_200_000_000, 1_705_392_000_000_000])
        #expect(entries[0].head.tags == ["sea", "two"] && entries.map(\.head.isStarred) == [true, false])
        #expect(entries.allSatisfy { $0.head.timeZone == "Europe/Oslo" && $0.source.hasPrefix("jrnl:") })
        #expect(String(decoding: entries[1].foreign, as: UTF8.self) == #"{"format":"jrnl","entry":{"mood":7}}"#)
    }

    @Test func `its plain text comes in with what is below each title`() throws {
        let diary = try open(
            "[2024-06-16 09:00] Called in sick. *\nWrote with @Tom,\n\nand @anna-b.\n\n\n"
                + "[2024-06-17 06:05:30 PM] Two\n[no date] x\n",
            zone: "GMT")
        #expect(diary.all.map(\.text) == ["Called in sick.\n\nWrote with @Tom,\n\nand @anna-b.", "Two\n\n[no date] x"])
        #expect(diary.all.map(\.head.date) == [1_718_528_400_000_000, 1_718_647_530_000_000])
        #expect(diary.all[0].head.tags == ["tom", "anna-b"] && diary.all.map(\.head.isStarred) == [true, false])
    }

    @Test(arguments: [
        // An hour that there was twice, one that there was not, and an ordinary one.
        ("2024-10-27 02:30", 1_729_989_000_000_000), ("2024-03-31 02:30", 1_711_848_600_000_000),
        ("2024-06-16 12:00", 1_718_532_000_000_000),
    ])
    func `a time of the clock is one of the world`(_ time: String, _ date: Int64) throws {
        #expect(try open("[\(time)] x").all.map(\.head.date) == [date])
    }

    @Test func `a text that is no UTF-8 is refused, and not taken with other letters`() throws {
        let folder = try Folder()
        let path = try folder.write("journal", "")
        let bytes = Array("[2024-06-16 09:00] Heute\nGr".utf8) + [0xFC, 0xDF, 0x65, 0x0A]
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(throws: DiaryFormatError.notUTF8) { try JrnlDiary(path, zone: "GMT", clock: .system) }
    }

    @Test func `two entries of one minute and title are two, and the same again`() throws {
        let text = "[2024-06-16 09:00] Same\n[2024-06-16 09:00] Same\n"
        let sources = try open(text).all.map(\.source)
        #expect(Set(sources).count == 2)
        #expect(try open(text).all.map(\.source) == sources)
    }

    @Test func `what is amiss is said`() throws {
        let text = "A preamble\n[2024-06-16 09:00] One\n"
        #expect(try open(text).allRemarks == [.notAnEntry])
        let json = #"{"entries":[{"title":"x","date":"soon"},{"date":"2024-06-16"},7,{"title":"cut"#
        #expect(try open(json).allRemarks == [.brokenJournal, .notAnEntry, .missingText, .notAnEntry])
        for bad in ["", "Just text.", "{}", "[2024-13-01 09:00] x", "[2024-06-16 13:00 PM] x"] {
            #expect(throws: DiaryFormatError.notADiary) { try open(bad) }
        }
        #expect(throws: DiaryFormatError.notFound) { try JrnlDiary("/nowhere/x", zone: "GMT", clock: .system) }
    }
}

/// Folders of photos.
@Suite struct PhotoReading {
    private static func isJPEG(_ bytes: [UInt8]) -> String? { bytes.starts(with: [0xFF, 0xD8]) ? "image/jpeg" : nil }

    private func facts(_ wall: Int64, _ offset: Int? = nil) -> PhotoFacts {
        var facts = PhotoFacts()
        facts.wallClock = wall
        facts.offsetMinutes = offset
        return facts
    }

    @Test func `photos of a day are an entry, by the camera's clock`() throws {
        let folder = try Folder()
        for name in ["b.jpg", "deep/a.jpg", "c.jpg", "note.txt", ".hidden/d.jpg"] {
            try folder.write(name, name.hasSuffix("jpg") ? [0xFF, 0xD8, UInt8(name.utf8.count)] : [1])
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link.jpg", withDestinationPath: folder.path + "/b.jpg")
        let listing = try PhotoListing(folder.path, mediaType: Self.isJPEG)
        #expect(listing.paths == ["b.jpg", "c.jpg", "deep/a.jpg"] && listing.remarks == [])
        // 23:30 in Oslo's summer, 08:00 the same day by a camera that knows, and the day after.
        let taken = ["b.jpg": facts(1_718_580_600), "a.jpg": facts(1_718_524_800, -150), "c.jpg": facts(1_718_611_200)]
        let diary = PhotoDiary(listing, zone: "Europe/Oslo", clock: .system) { path in
            taken[String(path.split(separator: "/").last ?? "")]
        }
        let entries = diary.all
        #expect(entries.map(\.source) == ["photos:2024-06-16", "photos:2024-06-17"])
        #expect(entries[0].media.map(\.name) == ["a.jpg", "b.jpg"] && entries[0].head.timeZone == "GMT-0230")
        #expect(entries[0].head.date == (1_718_524_800 + 9000) * 1_000_000 && entries[0].head.place == nil)
        #expect(entries[1].head.date == (1_718_611_200 - 7200) * 1_000_000 && entries[1].text == "")
        #expect(try diary.bytes(of: entries[0].media[0]) == [0xFF, 0xD8, 10])
    }

    @Test func `without facts the file's time counts`() throws {
        let folder = try Folder()
        let path = try folder.write("a.jpg", [0xFF, 0xD8])
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_718_580_600)], ofItemAtPath: path)
        let diary = PhotoDiary(
            try PhotoListing(folder.path, mediaType: Self.isJPEG), zone: "Europe/Oslo", clock: .system
        ) { _ in nil }
        #expect(diary.all.map(\.source) == ["photos:2024-06-17"])
        #expect(diary.all[0].head.date == 1_718_580_600_000_000)
    }

    @Test func `a file outside the listing is not read, and a folder without photos is none`() throws {
        let folder = try Folder()
        try folder.write("a.jpg", [0xFF, 0xD8])
        let diary = PhotoDiary(try PhotoListing(folder.path, mediaType: Self.isJPEG), zone: "GMT", clock: .system) {
            _ in nil
        }
        let other = ImportedMedia(id: "../../etc/passwd", kind: .photo, name: "x", mediaType: "")
        #expect(throws: DiaryFormatError.notFound) { try diary.bytes(of: other) }
        #expect(throws: DiaryFormatError.notADiary) { try PhotoListing(folder.path) { _ in nil } }
        #expect(throws: DiaryFormatError.notFound) { try PhotoListing("/nowhere") { _ in nil } }
    }
}

/// Real exports, in a folder that `TRESOR_DIARY_SAMPLES` names; without it nothing is tried.
@Suite struct RealExports {
    static let folder = ProcessInfo.processInfo.environment["TRESOR_DIARY_SAMPLES"]

    @Test(.enabled(if: folder != nil, "TRESOR_DIARY_SAMPLES names no folder."))
    func `every real export comes in, and goes out and in again without loss`() throws {
        let root = try #require(Self.folder)
        for name in try FileManager.default.contentsOfDirectory(atPath: root).sorted() {
            let path = root + "/" + name
            if name.hasSuffix(".zip") {
                let diary = try DayOneDiary(path, zone: "Europe/Oslo")
                try report(name, diary)
                try checkRoundTrip(diary)
            } else if name.hasSuffix(".json") || name.hasSuffix(".txt") {
                try report(name, try JrnlDiary(path, zone: "Europe/Oslo", clock: .system))
            }
        }
    }

    private func report(_ name: String, _ diary: some ForeignDiary) throws {
        let entries = diary.all
        #expect(!entries.isEmpty)
        let media = entries.flatMap(\.media)
        let byteCount = try media.reduce(0) { $0 + (try diary.bytes(of: $1)).count }
        let counts = Dictionary(grouping: diary.allRemarks) { $0.rawValue }.mapValues(\.count)
        print("\(name): \(entries.count) entries, \(media.count) files of \(byteCount) bytes, remarks \(counts)")
    }

    private func checkRoundTrip(_ diary: DayOneDiary) throws {
        let folder = try Folder()
        let media: MediaBytes = { item, append in
            let parts = try diary.open(item)
            while let part = try parts() { try append(part) }
        }
        let writer = try DayOneWriter(folder.path + "/x.zip", media: media)
        for entry in diary.all { try writer.add(entry) }
        try writer.finish()
        let again = try DayOneDiary(folder.path + "/x.zip", zone: "GMT")
        for (first, second) in zip(diary.all, again.all) {
            // Where a file was said to have no size, what we know now stays.
            #expect(first.head == second.head && first.text == second.text && first.source == second.source)
            #expect(first.created == second.created && first.modified == second.modified)
            #expect(first.media.map(\.name) == second.media.map(\.name))
            #expect(first.foreign == second.foreign)
        }
        #expect(diary.all.count == again.all.count)
    }
}
