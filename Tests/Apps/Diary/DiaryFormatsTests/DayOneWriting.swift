import DiaryClient
import DiaryFormats
import Foundation
import Testing

/// What is exported comes in again as it was.
@Suite struct DayOneWriting {
    /// Bytes of files by their identity.
    static func media(_ files: [String: [UInt8]], part: Int = mediaPart) -> MediaBytes {
        { media, append in
            var rest = try #require(files[media.id])[...]
            while !rest.isEmpty {
                try append(Array(rest.prefix(part)))
                rest = rest.dropFirst(part)
            }
        }
    }

    static func native() -> ImportedEntry {
        var head = EntryHead(date: 1_721_679_596_123_456, timeZone: "Europe/Oslo")
        head.tags = ["sea", "two words", "#odd/\"tag\""]
        head.mood = .good
        head.isStarred = true
        head.place = DiaryPlace(latitude: 59.91, longitude: -10.75, name: "Café \"Sjø\"", locality: nil, region: "R")
        var entry = ImportedEntry(
            source: "0f3c00000000000000000000000000aa", head: head,
            text: "# A day\n\n![us](media:1) and ![](media:0), `![](media:0)`, ![](media:9)\n\n1\\. \\.\u{1F30B}\n",
            created: 1_721_679_600_000_001, modified: 1_721_679_700_999_999)
        entry.media = [
            ImportedMedia(
                id: String(repeating: "a1", count: 16), kind: .photo, name: "IMG 1.jpg", mediaType: "image/jpeg"),
            ImportedMedia(id: String(repeating: "b2", count: 16), kind: .audio, name: "memo", mediaType: "audio/mp4"),
            ImportedMedia(
                id: String(repeating: "c3", count: 16), kind: .pdf, name: "Ticket.pdf", mediaType: "application/pdf"),
        ]
        return entry
    }

    static let files: [String: [UInt8]] = [
        String(repeating: "a1", count: 16): [0xFF, 0xD8, 0xFF],
        String(repeating: "b2", count: 16): (0..<1_300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) },
        String(repeating: "c3", count: 16): Array("%PDF-".utf8),
    ]

    private func roundTrip(_ entries: [ImportedEntry], _ media: @escaping MediaBytes) throws -> (DayOneDiary, Folder) {
        let folder = try Folder()
        let path = folder.path + "/out.zip"
        let writer = try DayOneWriter(path, media: media)
        for entry in entries { try writer.add(entry) }
        try writer.finish()
        return (try DayOneDiary(path, zone: "GMT"), folder)
    }

    /// Without what only tells where a file is.
    private func plain(_ entry: ImportedEntry) -> ImportedEntry {
        var entry = entry
        for index in entry.media.indices {
            entry.media[index].id = ""
            entry.media[index].byteCount = 0
        }
        return entry
    }

    @Test func `an entry of ours is the same after an export and an import`() throws {
        let entry = Self.native()
        let (diary, folder) = try roundTrip([entry], Self.media(Self.files, part: 1000))
        let read = try #require(diary.all.first)
        #expect(plain(read) == plain(entry) && diary.allRemarks == [])
        for (media, original) in zip(read.media, entry.media) {
            #expect(try diary.bytes(of: media) == Self.files[original.id])
        }
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/out.zip")[.posixPermissions] as? Int
        #expect(mode == 0o600 && folder.files() == ["out.zip"])
    }

    @Test func `what Day One said beyond our model is said again`() throws {
        let folder = try Folder()
        let text = DayOneReading.entry(
            #"""
            "modifiedDate":"2024-07-24T15:44:02Z","pinned":true,"weather":{"windBearing":280,"x":942.63575000000003},
            "location":{"latitude":51.523788,"longitude":-0.158611,"userLabel":"Home","region":{"radius":70.80}},
            "text":"![](dayone-moment://ID1) ![](dayone-moment://LOST)",
            "photos":[{"identifier":"LOST","md5":"no","type":"jpeg"},
            {"identifier":"ID1","md5":"1","type":"jpeg","orderInEntry":3,"lensMake":"Apple"}],
            "audios":[{"identifier":"A1","md5":"2","title":"Memo","orderInEntry":1,"format":"aac"}]
            """#)
        let zip = HandmadeZip(
            json: DayOneReading.journal(text), [("photos/1.jpeg", [1, 2]), ("audios/2.m4a", [3])])
        let diary = try DayOneDiary(try folder.write("in.zip", zip.bytes), zone: "GMT")
        let entry = try #require(diary.all.first)
        #expect(entry.media.map(\.kind) == [.audio, .photo] && diary.allRemarks == [.missingMedia])
        var files: [String: [UInt8]] = [:]
        for item in entry.media { files[item.id] = try diary.bytes(of: item) }
        let (again, _) = try roundTrip([entry], Self.media(files))
        let read = try #require(again.all.first)
        var expected = plain(entry)
        // The fingerprints in this test's archive were none.
        expected.foreign = []
        var got = plain(read)
        got.foreign = []
        #expect(got == expected && again.allRemarks == [.missingMedia])
        let kept = String(decoding: read.foreign, as: UTF8.self)
        for part in [
            #""weather":{"windBearing":280,"x":942.63575000000003}"#, #""userLabel":"Home","region":{"radius":70.80}"#,
            #""pinned":true"#, #""identifier":"LOST""#, #""identifier":"ID1""#, #""lensMake":"Apple""#,
        ] { #expect(kept.contains(part)) }
        let (third, _) = try roundTrip(
            [read], Self.media(Dictionary(uniqueKeysWithValues: zip2(read.media, files, entry))))
        #expect(third.all.first.map(plain) == plain(read))
    }

    private func zip2(_ media: [ImportedMedia], _ files: [String: [UInt8]], _ entry: ImportedEntry) -> [(
        String, [UInt8]
    )] {
        zip(media, entry.media).map { ($0.id, files[$1.id] ?? []) }
    }

    @Test func `sources of other diaries, and a file that two entries share, come back`() throws {
        var first = Self.native()
        first.source = "jrnl:0123456789abcdef0123456789abcdef"
        first.foreign = Array(#"{"format":"jrnl","entry":{"x":[1,2.50]}}"#.utf8)
        var second = Self.native()
        second.source = "photos:2024-07-22"
        let (diary, _) = try roundTrip([first, second], Self.media(Self.files))
        #expect(diary.all.map(plain) == [plain(first), plain(second)] && diary.allRemarks == [])
    }

    @Test(arguments: ["dayone:0123456789abcdef0123456789abcdef", "jrnl:0123456789abcdef0123456789abcdef"])
    func `an entry that came in without a file is the same one to others`(_ source: String) throws {
        var entry = Self.native()
        entry.source = source
        let (whole, _) = try roundTrip([entry], Self.media(Self.files))
        entry.source += ImportedEntry.incompleteMark
        let (incomplete, _) = try roundTrip([entry], Self.media(Self.files))
        #expect(incomplete.all.map(\.source) == [source] && incomplete.all.map(plain) == whole.all.map(plain))
    }

    @Test func `an export that fails leaves nothing, and none overwrites`() throws {
        struct Gone: Error {}
        let folder = try Folder()
        let path = folder.path + "/out.zip"
        do {
            let writer = try DayOneWriter(path) { media, append in
                try append([1])
                if media.kind == .audio { throw Gone() }
            }
            var entry = Self.native()
            entry.media.removeLast(2)
            try writer.add(entry)
            #expect(throws: Gone.self) { try writer.add(Self.native()) }
            #expect(folder.files() == ["out.zip"])
        }
        #expect(folder.files() == [])
        try folder.write("out.zip", "mine")
        #expect(throws: DiaryFormatError.alreadyThere) { try DayOneWriter(path, media: Self.media([:])) }
        #expect(try folder.read("out.zip") == "mine")
    }

    @Test func `an export without entries is a journal without entries`() throws {
        let (diary, _) = try roundTrip([], Self.media([:]))
        #expect(diary.entryCount == 0 && diary.remarks == [])
    }
}
