import DiaryClient
import DiaryFormats
import Testing

/// What Day One's exports hold, and what goes wrong in them.
@Suite struct DayOneReading {
    static let identity = "48F1894CD8AC40D582C6EE781D5F47E9"
    static let picture = "042662752ae42d018c022691e7dcb8d5"
    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]

    static func journal(_ entries: String...) -> String {
        #"{"metadata":{"version":"1.0"},"entries":["# + entries.joined(separator: ",") + "]}"
    }

    /// An entry with what every entry has, and `members`.
    static func entry(_ members: String, uuid: String = identity) -> String {
        #"{"uuid":"\#(uuid)","creationDate":"2024-07-22T20:19:56Z","timeZone":"Europe/Berlin","# + members + "}"
    }

    private func open(_ zip: HandmadeZip, in folder: Folder, name: String = "x.zip") throws -> DayOneDiary {
        try DayOneDiary(try folder.write(name, zip.bytes), zone: "Europe/Oslo")
    }

    private func read(_ entry: String, _ files: [(String, [UInt8])] = []) throws -> (ImportedEntry, [ImportRemark.Kind])
    {
        let folder = try Folder()
        let diary = try open(HandmadeZip(json: Self.journal(entry), files), in: folder)
        return (try #require(diary.all.first), diary.allRemarks)
    }

    @Test func `an entry comes in with its date, place, tags, star and picture`() throws {
        let (entry, remarks) = try read(
            Self.entry(
                #"""
                "modifiedDate":"2024-07-24T15:44:02Z","starred":true,"tags":["sea","two words"],
                "location":{"latitude":51.5,"longitude":-0.125,"placeName":"Café","localityName":"London",
                "administrativeArea":"England","country":"UK","region":{"radius":70.80}},
                "weather":{"temperatureCelsius":11},
                "text":"A day\n![us](dayone-moment://ID1)\n",
                "photos":[{"identifier":"ID1","md5":"\#(Self.picture)","type":"jpg","fileSize":0,"width":0,"height":0}]
                """#), [("photos/\(Self.picture).jpg", Self.jpeg)])
        #expect(remarks == [] && entry.source == "dayone:" + Self.identity)
        #expect(entry.head.date == 1_721_679_596_000_000 && entry.modified == 1_721_835_842_000_000)
        #expect(entry.created == entry.head.date && entry.head.timeZone == "Europe/Berlin")
        #expect(entry.head.tags == ["sea", "two words"] && entry.head.isStarred)
        #expect(
            entry.head.place
                == DiaryPlace(
                    latitude: 51.5, longitude: -0.125, name: "Café", locality: "London", region: "England",
                    country: "UK"))
        #expect(entry.text == "A day\n![us](media:0)\n")
        #expect(entry.media.map(\.name) == [Self.picture + ".jpg"] && entry.media[0].mediaType == "image/jpeg")
        let kept = String(decoding: entry.foreign, as: UTF8.self)
        #expect(kept.contains(#""weather":{"temperatureCelsius":11}"#) && kept.contains(#""radius":70.80"#))
    }

    @Test(arguments: [
        ("dayone-moment://ID1", "media:0"), ("dayone-moment:/photo/ID1", "media:0"),
        ("dayone-moment:/photo/id1", "media:0"), ("dayone-moment:/audio/A", "media:2"),
        ("dayone-moment:/video/V", "media:1"), ("dayone-moment:/pdfAttachment/P", "media:3"),
        ("https://x.example/a.png", "https://x.example/a.png"),
    ])
    func `each way to show a file becomes ours`(_ target: String, _ result: String) throws {
        let (entry, remarks) = try read(
            Self.entry(
                #"""
                "text":"![](\#(target))","photos":[{"identifier":"ID1","md5":"1","type":"jpeg"}],
                "audios":[{"identifier":"A","md5":"2","format":".m4a"}],"videos":[{"identifier":"V","md5":"3"}],
                "pdfAttachments":[{"identifier":"P","md5":"4","pdfName":"Tickets.pdf"}]
                """#),
            [("photos/1.jpeg", [1]), ("audios/2.m4a", [2]), ("videos/3.mp4", [3]), ("pdfs/4.pdf", [4])])
        #expect(entry.text == "![](\(result))" && remarks == [])
        #expect(entry.media.map(\.kind) == [.photo, .video, .audio, .pdf] && entry.media[3].name == "Tickets.pdf")
    }

    @Test(arguments: [
        (#"a\\.b\\! \\(c\\) \\- \\+"#, "a.b! (c) - +"), (#"1\\. no list"#, #"1\. no list"#),
        (#"\\- no list"#, #"\- no list"#), (##"\\# no heading"##, ##"\# no heading"##), (#"\\![x](y)"#, #"\![x](y)"#),
        (#"\\*a\\* \\_b\\_ \\[c\\]"#, #"\*a\* \_b\_ \[c\]"#), ("`a\\\\.b`", "`a\\.b`"),
        ("```\\na\\\\.b\\n```\\na\\\\.b", "```\na\\.b\n```\na.b"), (#"\\\\."#, #"\\."#), ("end\\\\", "end\\"),
    ])
    func `escapes that nothing needs are undone`(_ text: String, _ result: String) throws {
        #expect(try read(Self.entry(#""text":"\#(text)""#)).0.text == result)
    }

    @Test(arguments: [
        ("", ImportRemark.Kind.missingText), (#""text":"","tags":[1]"#, .invalidTag),
        (#""text":"x","location":{"latitude":91,"longitude":0}"#, .invalidPlace),
        (#""text":"x","location":{"placeName":"Nowhere"}"#, .invalidPlace),
        (#""text":"![](dayone-moment://GONE)""#, .brokenReference),
        (#""text":"x","photos":[{"identifier":"A","md5":"none","type":"jpeg"}]"#, .missingMedia),
        (#""text":"x","photos":[{"identifier":"A"}]"#, .missingMedia), (#""text":"x","photos":["A"]"#, .missingMedia),
        (#""text":"x","photos":[{"identifier":"A","md5":"empty","type":"jpeg"}]"#, .emptyMedia),
        (#""richText":"{\"contents\":[{\"text\":\"x\"}]}""#, .lostFormatting),
    ])
    func `what is amiss is said, and the entry comes in`(_ members: String, _ kind: ImportRemark.Kind) throws {
        let members = members.isEmpty ? #""pinned":true"# : members
        let (entry, remarks) = try read(Self.entry(members), [("photos/empty.jpeg", [])])
        #expect(remarks == [kind] && entry.media == [] && entry.source == "dayone:" + Self.identity)
    }

    @Test(arguments: [
        (#"{"creationDate":"2024-07-22T20:19:56.250Z","text":"x","uuid":"U"}"#, 1_721_679_596_250_000, 1),
        (#"{"creationDate":"2024-07-22T22:19:56+02:00","text":"x","uuid":"U"}"#, 1_721_679_596_000_000, 1),
        (
            #"{"creationDate":"yesterday","modifiedDate":"2024-07-22T20:19:56Z","text":"x","uuid":"U"}"#,
            1_721_679_596_000_000, 2
        ),
        (#"{"text":"x","uuid":"U"}"#, 0, 2),
    ])
    func `dates come in many forms`(_ entry: String, _ date: Int64, _ remarkCount: Int) throws {
        let (entry, remarks) = try read(entry)
        #expect(entry.head.date == date && entry.head.timeZone == "Europe/Oslo" && remarks.count == remarkCount)
        #expect(remarks.contains(.missingTimeZone) && remarks.contains(.missingDate) == (remarkCount == 2))
    }

    @Test func `a photo without fingerprint or type is found by what there is`() throws {
        let (entry, remarks) = try read(
            Self.entry(#""text":"","photos":[{"identifier":"AB","type":"png"},{"md5":"cd"}]"#),
            [("photos/AB.png", [1]), ("photos/cd.heic", [2])])
        #expect(entry.media.map(\.mediaType) == ["image/png", "image/heic"] && remarks == [])
    }

    @Test func `a text that is only a picture, and a very long line, are texts`() throws {
        let line = String(repeating: "long ", count: 200)
        let (first, _) = try read(
            Self.entry(##""text":"![](dayone-moment://I)","photos":[{"identifier":"I","md5":"1","type":"jpeg"}]"##),
            [("photos/1.jpeg", [1])])
        #expect(first.text == "![](media:0)")
        #expect(try read(Self.entry(##""text":"# \##(line)""##)).0.text == "# " + line)
    }

    @Test func `several journals of any name come in, each entry once`() throws {
        let folder = try Folder()
        let other = "1E0392D628804965A31CF0125B69DF8F"
        let zip = HandmadeZip([
            ("Tagebuch.json", Array(Self.journal(Self.entry(#""text":"a""#)).utf8)),
            (
                "Reise nach Oslo.json",
                Array(
                    Self.journal(
                        Self.entry(#""text":"b""#, uuid: other), Self.entry(#""text":"again""#)
                    ).utf8)
            ),
            ("settings.json", Array("{}".utf8)), ("__MACOSX/._Tagebuch.json", [0, 5, 22, 7]),
        ])
        let diary = try open(zip, in: folder)
        #expect(diary.all.map(\.text) == ["a", "b"] && diary.all.map(\.journal) == ["Tagebuch", "Reise nach Oslo"])
        #expect(diary.allRemarks == [.notAJournal, .doubleEntry])
    }

    @Test func `an entry without identity is the same at every import`() throws {
        let first = try read(#"{"creationDate":"2024-07-22T20:19:56Z","timeZone":"GMT","text":"x"}"#)
        let second = try read(#"{"text":"x","timeZone":"GMT","creationDate":"2024-07-22T20:19:56Z","starred":true}"#)
        #expect(first.0.source == second.0.source && first.1 == [.missingIdentity])
    }

    @Test func `an unpacked export is read as well, by its folder or its journal`() throws {
        let folder = try Folder()
        let json = try folder.write(
            "Diary.json",
            Self.journal(Self.entry(#""text":"","photos":[{"identifier":"A","md5":"1","type":"jpeg"}]"#)))
        try folder.write("photos/1.jpeg", Self.jpeg)
        for path in [json, folder.path] {
            let diary = try DayOneDiary(path, zone: "GMT")
            #expect(try diary.all.first.map { try diary.bytes(of: $0.media[0]) } == Self.jpeg)
        }
    }

    @Test func `a journal that is cut short gives what it holds`() throws {
        let folder = try Folder()
        let json = Self.journal(Self.entry(#""text":"a""#), Self.entry(#""text":"b""#, uuid: "2"))
        let diary = try open(HandmadeZip(json: String(json.dropLast(20))), in: folder)
        #expect(diary.all.map(\.text) == ["a"] && diary.allRemarks == [.brokenJournal])
    }

    @Test func `what is no entry among the entries is left out`() throws {
        let folder = try Folder()
        let diary = try open(HandmadeZip(json: Self.journal("7", Self.entry(#""text":"a""#))), in: folder)
        #expect(diary.all.map(\.text) == ["a"] && diary.allRemarks.contains(.notAnEntry))
    }

    @Test(arguments: [#""text":"C:\path""#, #""text":"x","weather":{"conditionsDescription":"\u12G4"}"#])
    func `a string that is none costs its entry, and no other`(_ members: String) throws {
        let folder = try Folder()
        let json = Self.journal(
            Self.entry(#""text":"a""#), Self.entry(members, uuid: "2"), Self.entry(#""text":"b""#, uuid: "3"))
        let diary = try open(HandmadeZip(json: json), in: folder)
        #expect(diary.all.map(\.text) == ["a", "b"] && diary.allRemarks == [.notAnEntry])
    }
}
