import Foundation
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
