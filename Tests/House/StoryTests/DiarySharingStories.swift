import Foundation
import Glibc
import Testing

/// What of a photo leaves the diary.
@Suite(.serialized) struct DiarySharingStories {
    private static let secret = "Secret Camera"

    /// A PNG and a TIFF that name a camera, as three files: the second beside it cannot be read.
    private func makePhotos(_ device: LiveDevice) throws -> (png: String, tiff: String, broken: String) {
        let script = """
            import struct, sys, zlib
            name = b"Secret Camera\\0"
            # A directory of TIFF 6.0: entries, and the values that do not fit into them.
            def tiff(entries, data):
                start = 8 + 2 + 12 * (len(entries) + 1) + 4
                rows = sorted(entries + [(0x010F, 2, len(name), start + len(data))])
                head = b"II*\\0" + struct.pack("<IH", 8, len(rows))
                return head + b"".join(struct.pack("<HHII", *row) for row in rows) + bytes(4) + data + name
            def chunk(kind, data):
                return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            rows = b"".join(b"\\0" + bytes((x * y + x) % 256 for x in range(64 * 3)) for y in range(48))
            open(sys.argv[1] + "/a.png", "wb").write(b"\\x89PNG\\r\\n\\x1a\\n"
                + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 48, 8, 2, 0, 0, 0)) + chunk(b"eXIf", tiff([], b""))
                + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
            # One strip of 16 by 16 grey pixels, behind a directory of ten entries.
            pixels = bytes(range(256))
            entries = [(256, 3, 1, 16), (257, 3, 1, 16), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1),
                (273, 4, 1, 8 + 2 + 12 * 10 + 4), (277, 3, 1, 1), (278, 3, 1, 16), (279, 4, 1, 256)]
            open(sys.argv[1] + "/b.tiff", "wb").write(tiff(entries, pixels))
            open(sys.argv[1] + "/c.jpg", "wb").write(b"\\xff\\xd8\\xff\\xe0 " + name)
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, device.folder]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return (png: device.folder + "/a.png", tiff: device.folder + "/b.tiff", broken: device.folder + "/c.jpg")
    }

    private func holdsSecret(_ bytes: Data) -> Bool { bytes.range(of: Data(Self.secret.utf8)) != nil }

    private func files(in folder: String) throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                FileManager.default.contents(atPath: folder + "/" + name).map { (name, $0) }
            })
    }

    @Test func `a file that is taken out leaves the others in their places in the text`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let photos = try makePhotos(device)
        let text = "![house](media:0), ![lake](media:1) and ![lake again](media:1)"
        let id = try device.newEntry(text, "--photo", photos.png, "--photo", photos.tiff)
        let lake = try device.diary("extract", id, "1", "--size", "original").output
        #expect(try device.diary("edit", id, "--remove-media", "0", "--keep-text").code == 0)
        let shown = try device.diary("show", id).text
        #expect(shown.contains("house, ![lake](media:0) and ![lake again](media:0)"), "\(shown)")
        #expect(try device.diary("extract", id, "0", "--size", "original").output == lake)
    }

    @Test func `a photo goes out without its metadata unless all of it is asked for`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let photos = try makePhotos(device)
        let id = try device.newEntry("Two.", "--photo", photos.png, "--photo", photos.tiff)
        for (number, path) in [photos.png, photos.tiff].enumerated() {
            let file = try Data(contentsOf: URL(fileURLWithPath: path))
            try #require(holdsSecret(file))
            let original = try device.diary("extract", id, "\(number)", "--size", "original").output
            #expect(original == file)
            let shared = try device.diary("extract", id, "\(number)").output
            #expect(!shared.isEmpty && !holdsSecret(shared))
            #expect(number == 0 ? shared.starts(with: [0x89, 0x50]) : shared.starts(with: [0xFF, 0xD8, 0xFF]))
            #expect(
                try device.diary("extract", id, "\(number)", "--size", "preview").output.starts(with: [0xFF, 0xD8]))
        }
        for format in ["markdown", "html", "day-one"] {
            let (bare, whole) = (device.folder + "/bare-\(format)", device.folder + "/whole-\(format)")
            #expect(try device.diary("export", "--format", format, bare).code == 0)
            #expect(try device.diary("export", "--format", format, "--keep-metadata", whole).code == 0)
            guard format != "day-one" else {
                let zip = try Data(contentsOf: URL(fileURLWithPath: bare))
                #expect(!holdsSecret(zip))
                #expect(try holdsSecret(Data(contentsOf: URL(fileURLWithPath: whole))))
                continue
            }
            let names = try files(in: bare).keys.map { ($0 as NSString).pathExtension }.filter { $0 != "" }
            #expect(names.contains("png") && names.contains("jpg") && !names.contains("tiff"), "\(names)")
            #expect(try !files(in: bare).values.contains(where: holdsSecret))
            #expect(try files(in: whole).values.filter(holdsSecret).count == 2)
        }
    }

    @Test func `an entry begins with a template, which is sealed and goes when it is deleted`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let text = "# {{weekday}}, {{date}} at {{time}}\n\nGrateful for {{what}}: "
        #expect(try device.diary("template", "set", "Evening", "--tag", "thanks", input: text).code == 0)
        #expect(try device.diary("template", "set", "Morning", input: "Plans:\n").code == 0)
        #expect(try device.diary("template", "list").text == "Evening #thanks\nMorning\n")
        #expect(try device.diary("template", "show", "Evening").text == text + "\n")
        let made = try device.diary(
            "add", "--template", "Evening", "--date", "2026-11-22 21:30", "--tag", "late", input: "tea")
        #expect(made.code == 0, "\(made.errors)")
        let id = made.text.trimmingCharacters(in: .whitespacesAndNewlines)
        let written = "# Sunday, 22 November 2026 at 21:30\n\nGrateful for {{what}}: tea"
        #expect(try device.diary("show", id).text.hasPrefix(written))
        #expect(try device.diary("tags").text == "1\tlate\n1\tthanks\n")
        #expect(try device.diary("template", "set", "Evening", input: "Other").code == 0)
        #expect(try device.diary("template", "list").text == "Evening\nMorning\n")
        #expect(try device.diary("template", "set", "Two\nlines", input: "x").code == 64)
        #expect(try device.diary("template", "delete", "Evening").code == 0)
        #expect(try device.diary("template", "delete", "Evening").code == 3)
        #expect(try device.diary("add", "--template", "Evening", input: "x").code == 3)
        try device.diary("lock")
        #expect(
            try device.diary("template", "list").code == 5 && device.diary("sign-in", input: "a blue door\n").code == 0)
        #expect(try device.diary("show", id).text.hasPrefix(written))
    }

    @Test(.enabled(if: access("/usr/bin/pdftotext", X_OK) == 0, "poppler-utils is not installed"))
    func `a book of the diary is a PDF with its words and photos, and without their metadata`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let photos = try makePhotos(device)
        _ = try device.newEntry(
            "# Harbour\n\nBoats and **rain** in Bergen. ![](media:0)", "--photo", photos.png, "--date",
            "2024-02-29 14:05")
        _ = try device.diary("add", "--photo", photos.broken, "--date", "2025-01-02 08:00", input: "Second day.")
        let out = device.folder + "/diary.pdf"
        let export = try device.diary("export", "--format", "pdf", "--paper", "letter", out)
        #expect(export.code == 8 && export.errors.contains("named in words: c.jpg"), "\(export.errors)")
        let text = try pages(of: out)
        for words in ["29 February 2024", "Harbour", "Boats and rain in Bergen.", "Second day.", "c.jpg"] {
            #expect(text.contains(words), "\(words)")
        }
        let (first, second) = (text.firstRange(of: "Harbour"), text.firstRange(of: "Second day."))
        #expect(try #require(first).lowerBound < #require(second).lowerBound)
        let file = try Data(contentsOf: URL(fileURLWithPath: out))
        #expect(!holdsSecret(file) && file.range(of: Data("/DCTDecode".utf8)) != nil)
        #expect(try device.diary("export", "--format", "pdf", out).code == 4, "nothing is overwritten")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: device.folder).filter { $0.contains(".part") } == [])
        try device.diary("lock")
        #expect(try device.diary("export", "--format", "pdf", out + "2").code == 5)
        #expect(!FileManager.default.fileExists(atPath: out + "2"))
    }

    private func pages(of path: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/pdftotext")
        process.arguments = [path, "-"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `an own export with photos of a folder adds nothing to the diary that it came from`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let (photos, folder) = (try makePhotos(device), device.folder + "/photos")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (path, name) in [(photos.png, "/a.png"), (photos.tiff, "/b.tiff")] {
            try FileManager.default.moveItem(atPath: path, toPath: folder + name)
        }
        #expect(try device.diary("import", "photos", folder).text.contains("1 added with 2 files"))
        let out = device.folder + "/out.zip"
        #expect(try device.diary("export", "--format", "day-one", out).code == 0)
        for _ in 1...2 {
            let again = try device.diary("import", "day-one", out)
            #expect(again.text.contains("0 added with 0 files, 1 there already"), "\(again.text)")
        }
    }

    @Test(.enabled(if: CallInjection.isPossible, "needs root, and strace that the kernel permits"))
    func `an entry whose photo cannot be read now waits for the next import`() throws {
        let source = try LiveDevice()
        try source.openDiary()
        let photos = try makePhotos(source)
        #expect(try source.diary("add", "--photo", photos.png, input: "A day.\n").code == 0)
        let archive = source.folder + "/out.zip"
        let folder = source.folder + "/out"
        #expect(try source.diary("export", "--format", "day-one", archive).code == 0)
        let unzip = try Process.run(
            URL(fileURLWithPath: "/usr/bin/python3"), arguments: ["-m", "zipfile", "-e", archive, folder])
        unzip.waitUntilExit()
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        let photo = try #require(names.first { $0.hasSuffix(".png") })

        let device = try LiveDevice()
        try device.openDiary()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
        process.arguments = [
            "-f", "-o", "/dev/null", "-P", "\(folder)/\(photo)", "-e", "trace=pread64", "-e",
            "inject=pread64:error=EIO",
            device.programs + "/tresor", "diary", "import", "day-one", folder,
        ]
        process.environment = ["TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin"]
        let said = Pipe()
        process.standardOutput = said
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 74 && text.contains("1 left out"), "\(text)")
        #expect(try device.diary("list").text.contains("A day") == false)
        let again = try device.diary("import", "day-one", folder)
        #expect(again.code == 0 && again.text.contains("1 added with 1 file"), "\(again)")
    }

    /// Day One's archive of an entry with two files, the first of them whole or with one byte changed.
    private func makeArchive(_ device: LiveDevice, isWhole: Bool) throws -> String {
        let path = device.folder + (isWhole ? "/whole.zip" : "/damaged.zip")
        let script = """
            import json, sys, zipfile
            photos = [{"identifier": "P%d" % n, "md5": str(n) * 32, "type": "png", "filename": "%d.png" % n}
                for n in (1, 2)]
            entry = {"uuid": "C" * 32, "creationDate": "2020-02-29T12:00:00Z", "timeZone": "GMT", "photos": photos,
                "text": "Two: ![first](dayone-moment://P1) and ![second](dayone-moment://P2)"}
            with zipfile.ZipFile(sys.argv[1], "w") as archive:
                archive.writestr("Journal.json", json.dumps({"metadata": {"version": "1.0"}, "entries": [entry]}))
                for n in (1, 2):
                    archive.writestr("photos/%s.png" % (str(n) * 32), "bytes of photo %d" % n)
            if sys.argv[2] == "damaged":
                bytes = open(sys.argv[1], "rb").read()
                assert bytes.count(b"photo 1") == 1
                open(sys.argv[1], "wb").write(bytes.replace(b"photo 1", b"phooo 1"))
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", script, path, isWhole ? "whole" : "damaged"]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return path
    }

    @Test func `a damaged photo is named and not taken, and an archive in which it is whole brings it`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let damaged = try makeArchive(device, isWhole: false)
        let whole = try makeArchive(device, isWhole: true)
        let first = try device.diary("import", "day-one", damaged)
        #expect(first.code == 8 && first.text.contains("1 added with 1 file,"), "\(first)")
        #expect(first.errors.contains("damaged, not taken: 1.png"), "\(first.errors)")
        let list = try JSONSerialization.jsonObject(with: device.diary("list", "--json").output)
        let id = try #require((list as? [[String: Any]])?.first?["id"] as? String)
        #expect(try device.diary("show", id).text.contains("Two: first and ![second](media:0)"))
        #expect(try device.diary("extract", id, "0", "--size", "original").text == "bytes of photo 2")
        let again = try device.diary("import", "day-one", damaged)
        #expect(again.code == 8 && again.text.contains("0 added with 0 files, 1 there already"), "\(again)")
        let better = try device.diary("import", "day-one", whole)
        #expect(better.code == 0 && better.text.contains("with 1 file, 1 with photos added"), "\(better)")
        #expect(try device.diary("extract", id, "1", "--size", "original").text == "bytes of photo 1")
        let last = try device.diary("import", "day-one", whole)
        #expect(last.code == 0 && last.text.contains("0 added with 0 files, 1 there already"), "\(last)")
    }

    @Test func `an entry of one endless letter does not shut the timeline`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let id = try device.newEntry("a" + String(repeating: "\u{301}", count: 1_000_000))
        _ = try device.newEntry("An ordinary day.")
        #expect(try device.diary("list").text.contains("An ordinary day."))
        #expect(try device.diary("show", id).code == 0)
    }

    @Test func `an edit adds a sound and takes place and mood out`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let sound = device.folder + "/tone.ogg"
        try Data("OggS and the rest".utf8).write(to: URL(fileURLWithPath: sound))
        let id = try device.newEntry("Walk.", "--place", "59.9,10.7", "--mood", "good")
        #expect(try device.diary("edit", id, "--keep-text", "--audio", sound, "--no-place", "--no-mood").code == 0)
        let shown = try device.diary("show", id, "--json").text
        #expect(shown.contains("tone.ogg") && !shown.contains("latitude") && !shown.contains("\"good\""))
        #expect(try device.diary("extract", id, "0").text == "OggS and the rest")
        #expect(try device.diary("edit", id, "--place", "1,1", "--no-place", "--keep-text").code == 64)
    }

    @Test func `an import that is to keep the screen open says whether it does, and comes in either way`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let journal = device.folder + "/journal.txt"
        try Data("[2024-07-22 09:00] A day.\n".utf8).write(to: URL(fileURLWithPath: journal))
        let done = try device.diary("import", "jrnl", "--keep-awake", journal)
        #expect(done.code == 0 && done.text.contains("1 added"))
        #expect(done.errors.contains("the screen"))
    }

    @Test func `a photo whose metadata cannot be taken out is left empty in an export, and named`() throws {
        let device = try LiveDevice()
        try device.openDiary()
        let photos = try makePhotos(device)
        let made = try device.diary("add", "--photo", photos.broken, "--photo", photos.png, input: "Broken.")
        #expect(made.code == 0)
        let out = device.folder + "/out"
        let export = try device.diary("export", "--format", "markdown", out)
        #expect(export.code == 8 && export.errors.contains("left empty: c.jpg"))
        #expect(export.errors.contains("--keep-metadata"))
        let written = try files(in: out)
        #expect(written.first { $0.key.hasSuffix("c.jpg") }?.value.isEmpty == true)
        #expect(written.contains { $0.key.hasSuffix("a.png") && !$0.value.isEmpty })
        #expect(written.contains { $0.key.hasSuffix(".md") })
        #expect(try device.diary("export", "--format", "markdown", "--keep-metadata", out + "2").code == 0)
        #expect(try files(in: out + "2").first { $0.key.hasSuffix("c.jpg") }?.value.isEmpty == false)
    }
}
