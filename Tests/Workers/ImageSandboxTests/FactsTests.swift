import Testing

@testable import ImageSandbox

/// What is told of when, where and how; by the real program, and the readers of its fields.
@Suite struct FactsTests {
    private func facts(_ image: [UInt8], _ job: ImageJob = .thumbnail) throws -> ImageFacts {
        guard case .pictures(let facts, _, _) = try ImageRun.run(job, of: image.span.bytes, program: Program.path)
        else { throw ImageError.badAnswer }
        // The same as where no pixel is decoded.
        #expect(try ImageRun.run(.facts, of: image.span.bytes, program: Program.path) == .facts(facts))
        return facts
    }

    @Test func `a photo says when, in which zone, where and by what it was taken`() throws {
        let webp = Files.webp(Files.webpPicture + Files.webpChunk("EXIF", ExifBlock.photo().tiff))
        let png = Files.png(with: Files.chunk("eXIf", ExifBlock.photo().tiff))
        for image in [Files.jpeg(.photo()), webp, png] {
            let facts = try facts(image)
            #expect(facts.wallClock == 1_783_209_598 && facts.offsetMinutes == -210)
            #expect(facts.place == ImagePlace(latitude: -33_859_833_333, longitude: 151_200_000_000))
            #expect(facts.camera == "Maker Model 5" && facts.orientation == 1)
            #expect(facts.width == 96 && facts.height == 64)
        }
    }

    @Test(arguments: 1...8) func `width and height are those of the upright picture`(_ orientation: Int) throws {
        let facts = try facts(Files.jpeg(.photo(orientation: UInt16(orientation))))
        #expect(facts.orientation == orientation)
        #expect(facts.width == (orientation > 4 ? 64 : 96) && facts.height == (orientation > 4 ? 96 : 64))
    }

    @Test func `a picture without metadata has no facts but its size`() throws {
        for image in [Pictures.jpeg, Pictures.heic, Pictures.avif, Pictures.tiff, Pictures.transparentPNG] {
            #expect(try facts(image) == ImageFacts(width: 96, height: 64))
        }
    }

    @Test func `the clock of the file is taken where the camera's was never set, with its own zone`() throws {
        var exif = ExifBlock.photo()
        exif.camera[ExifBlock.Tag.dateTimeOriginal] = .text("0000:00:00 00:00:00")
        exif.main[ExifBlock.Tag.dateTime] = .text("2024:02:29 00:00:00")
        #expect(try facts(Files.jpeg(exif)).wallClock == 1_709_164_800)
        #expect(try facts(Files.jpeg(exif)).offsetMinutes == nil)
        exif.camera[ExifBlock.Tag.offsetTime] = .text("+05:45")
        #expect(try facts(Files.jpeg(exif)).offsetMinutes == 345)
    }

    @Test func `a preview and a thumbnail come in one answer`() throws {
        let image = try Files.jpeg(
            DecodedImage.makeJPEG(width: 5000, height: 2500),
            with: Files.segment(0xE1, Files.exifPrefix + ExifBlock.photo(orientation: 8).tiff))
        guard
            case .pictures(let facts, let thumbnail, .some(let preview)) = try ImageRun.run(
                .preview, of: image.span.bytes, program: Program.path)
        else { return #expect(Bool(false), "no pictures") }
        let (small, large) = try (DecodedImage(thumbnail), DecodedImage(preview))
        #expect(facts.width == 2500 && facts.height == 5000)
        #expect(small.width == 256 && small.height == 512 && large.width == 1024 && large.height == 2048)
        #expect(!preview.holds("Maker") && !thumbnail.holds("Maker"))
    }

    @Test func `a preview is never larger than its image`() throws {
        let image = Pictures.transparentWebP
        guard
            case .pictures(_, _, .some(let preview)) = try ImageRun.run(
                .preview, of: image.span.bytes, program: Program.path)
        else { return #expect(Bool(false), "no pictures") }
        #expect(try DecodedImage(preview).width == 96)
    }

    @Test(
        arguments: [
            ("1970:01:01 00:00:00", 0), ("2008-10-22 16:28:39", 1_224_692_919), ("2000/03/01T00:00:00.25", 951_868_800),
            ("0001:01:01 00:00:00", -62_135_596_800), ("9999:12:31 23:59:59", 253_402_300_799),
        ] as [(String, Int64)])
    func `clocks are read`(_ text: String, _ seconds: Int64) { #expect(CameraClock.seconds(text) == seconds) }

    @Test(arguments: [
        "", "2008:10:22", "    :  :     :  :  ", "0000:00:00 00:00:00", "2023:02:29 00:00:00", "1900:02:29 00:00:00",
        "2024:13:01 00:00:00", "2024:01:01 24:00:00", "2024:01:01 00:60:00", "2024:01:01 00:00:60",
        "2024:01:01 00:00:00Z", "+024:01:01 00:00:00", "2024:01-01 00:00:00", "２024:01:01 00:00:00",
    ])
    func `what no clock shows is none`(_ text: String) { #expect(CameraClock.seconds(text) == nil) }

    @Test func `zones are read, and nothing that looks like one`() {
        #expect(CameraClock.offsetMinutes("+14:00") == 840 && CameraClock.offsetMinutes("-00:30") == -30)
        #expect(CameraClock.offsetMinutes("Z") == 0)
        for text in ["", "+1:00", "+24:00", "+01:60", "01:00", "+01:00 ", " +0:00"] {
            #expect(CameraClock.offsetMinutes(text) == nil, "\(text)")
        }
    }

    @Test func `places off the globe, without a side or divided by zero are none`() {
        func place(_ north: String, _ side: String) -> ImagePlace? {
            ImagePlace(
                latitude: "\(north) (x)", "\(side) (\(side), ASCII, 2 components, 2 bytes)", longitude: "1/1 (x)",
                "W (W, ASCII, 2 components, 2 bytes)")
        }
        #expect(place("1/2", "S") == ImagePlace(latitude: -500_000_000, longitude: -1_000_000_000))
        for (north, side) in [("91/1", "N"), ("1/0", "N"), ("-1/1", "N"), ("1/1", ""), ("", "N"), ("1/1", "E")] {
            #expect(place(north, side) == nil, "\(north) \(side)")
        }
        #expect(place("1/1 2/1 3/1 4/1", "N") == nil && place("4294967295/1", "N") == nil)
    }

    @Test func `a text of libvips is read only where it stands twice`() {
        #expect(MetadataText.text("a (a, ASCII, 2 components, 2 bytes)") == "a")
        #expect(MetadataText.text("x (1), y (x (1), y, ASCII, 9 components, 9 bytes)") == "x (1), y")
        #expect(MetadataText.text(" (, ASCII, 1 components, 1 bytes)") == "")
        for field in ["", ")", "a", "a (b, ASCII, 2 components, 2 bytes)", "a (a, ASCII, 2 bytes)", ",,,)"] {
            #expect(MetadataText.text(field) == nil, "\(field)")
        }
    }

    @Test func `a camera is named on one line, once`() {
        #expect(CameraName.joined(make: "Canon ", model: "Canon EOS 40D") == "Canon EOS 40D")
        #expect(CameraName.joined(make: "NIKON CORPORATION", model: "NIKON D70") == "NIKON D70")
        #expect(CameraName.joined(make: "Apple", model: "iPhone 13") == "Apple iPhone 13")
        #expect(CameraName.joined(make: "Maker", model: nil) == "Maker")
        #expect(CameraName.joined(make: " \u{202E}\n", model: "\u{0}") == nil)
        #expect(CameraName.joined(make: nil, model: String(repeating: "é", count: 100))?.utf8.count == 128)
    }
}
