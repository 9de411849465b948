import Testing

@testable import ImageSandbox

/// What is left of a file without its metadata; the pure code, and the same behind the sandbox.
@Suite struct StripTests {
    private static let secret = "Somebody's camera"
    private static var exif: ExifBlock {
        var exif = ExifBlock.photo(orientation: 6)
        exif.main[ExifBlock.Tag.make] = .text(secret)
        return exif
    }

    private static let jpeg =
        Files.jpeg(
            with: Files.segment(0xE0, Array("JFIF".utf8) + [0, 1, 2, 0, 0, 1, 0, 1, 1, 1, 9, 9, 9]),
            Files.segment(0xE1, Files.exifPrefix + exif.tiff),
            Files.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/".utf8)),
            Files.segment(0xED, Array("Photoshop 3.0 \(secret)".utf8)), Files.segment(0xFE, Array(secret.utf8)),
            Files.segment(0xE2, Array("MPF".utf8) + [0]), Files.segment(0xE2, Array("ICC_PROFILE".utf8) + [0, 1, 1, 7]))
        + Array("a film of \(secret)".utf8)

    private static let png =
        Files.png(
            with: Files.chunk("eXIf", exif.tiff), Files.chunk("tEXt", Array("Author\0\(secret)".utf8)),
            Files.chunk("tIME", [7, 234, 1, 1, 1, 1, 1]), Files.chunk("prVt", Array(secret.utf8)))
        + Array(secret.utf8)

    private static let webp: [UInt8] = {
        var chunks = Files.webpPicture
        chunks[8] |= 0x0C
        return Files.webp(
            chunks + Files.webpChunk("EXIF", exif.tiff) + Files.webpChunk("XMP ", Array(secret.utf8))
                + Files.webpChunk("OWN ", Array(secret.utf8)))
    }()

    @Test(arguments: [jpeg, png, webp]) func `nothing but the picture and its orientation is left`(_ image: [UInt8])
        throws
    {
        try #require(image.holds(Self.secret))
        let stripped = try MetadataStripper.strip(image)
        for text in [Self.secret, "2026", "Photoshop", "xap", "MPF", "tEXt", "tIME", "XMP "] {
            #expect(!stripped.holds(text), "\(text)")
        }
        let facts = try facts(stripped)
        #expect(facts.orientation == 6 && facts.width == 64 && facts.height == 96)
        #expect(facts.wallClock == nil && facts.place == nil && facts.camera == nil)
        #expect(try MetadataStripper.strip(stripped) == stripped)
    }

    @Test(arguments: [jpeg, png, webp]) func `the picture is the same, bit for bit`(_ image: [UInt8]) throws {
        let stripped = try MetadataStripper.strip(image)
        #expect(try thumbnail(stripped) == thumbnail(image))
    }

    @Test func `a colour profile stays, and a thumbnail in JFIF goes`() throws {
        let stripped = try MetadataStripper.strip(Self.jpeg)
        #expect(stripped.holds("ICC_PROFILE"))
        #expect(
            stripped.dropFirst(2).starts(
                with: [0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0, 1, 2, 0, 0, 1, 0, 1, 0, 0]))
    }

    @Test func `an upright picture has no Exif left at all`() throws {
        #expect(try MetadataStripper.strip(Files.jpeg(.photo())) == Pictures.jpeg)
        let png = Files.png(with: Files.chunk("eXIf", ExifBlock.photo().tiff))
        #expect(!(try MetadataStripper.strip(png)).holds("eXIf"))
    }

    @Test func `one that has nothing to lose stays as it is`() throws {
        for image in [Pictures.jpeg, Pictures.transparentPNG] {
            #expect(try MetadataStripper.strip(image) == image)
        }
    }

    @Test func `the sandboxed program does the same`() throws {
        for image in [Self.jpeg, Self.png, Self.webp] {
            let answer = try ImageRun.run(.strip, of: image.span.bytes, program: Program.path)
            #expect(try answer == .file(MetadataStripper.strip(image)))
        }
    }

    @Test(arguments: [Pictures.heic, Pictures.avif, Pictures.tiff])
    func `what would have to be encoded anew is refused, and becomes a JPEG on request`(_ image: [UInt8]) throws {
        #expect(throws: ImageRefusal.notStrippable) { try MetadataStripper.strip(image) }
        let refusal = try ImageRun.run(.strip, of: image.span.bytes, program: Program.path)
        #expect(refusal == .refused(.notStrippable))
        guard case .file(let jpeg) = try ImageRun.run(.convert, of: image.span.bytes, program: Program.path) else {
            return #expect(Bool(false), "no file")
        }
        let decoded = try DecodedImage(jpeg)
        #expect(decoded.width == 96 && decoded.height == 64 && decoded.isNear([0, 0, 255], x: 85, y: 32))
    }

    @Test func `a picture is converted in its full size, upright and without metadata`() throws {
        let image = try Files.jpeg(
            DecodedImage.makeJPEG(width: 3000, height: 1500),
            with: Files.segment(0xE1, Files.exifPrefix + Self.exif.tiff))
        guard case .file(let jpeg) = try ImageRun.run(.convert, of: image.span.bytes, program: Program.path) else {
            return #expect(Bool(false), "no file")
        }
        let decoded = try DecodedImage(jpeg)
        #expect(decoded.width == 1500 && decoded.height == 3000 && !jpeg.holds(Self.secret) && !jpeg.holds("Exif"))
    }

    /// Comments, a text, another program's block, and a film behind the end.
    private static var gif: [UInt8] {
        let picture = Pictures.transparentGIF
        let colours = picture[10] & 0x80 == 0 ? 0 : 3 << (Int(picture[10] & 7) + 1)
        func block(_ label: UInt8, _ parts: [UInt8]...) -> [UInt8] {
            [0x21, label] + parts.flatMap { [UInt8($0.count)] + $0 } + [0]
        }
        return picture.prefix(13 + colours) + block(0xFE, Array(secret.utf8), Array(secret.utf8))
            + block(0xFF, Array("NETSCAPE2.0".utf8), [1, 0, 0])
            + block(0xFF, Array("XMP DataXMP".utf8), Array(secret.utf8)) + block(0x01, Array(repeating: 7, count: 12))
            + picture.dropFirst(13 + colours) + Array(secret.utf8)
    }

    @Test func `a GIF keeps its pictures and how often they run`() throws {
        let image = Self.gif
        let stripped = try MetadataStripper.strip(image)
        #expect(!stripped.holds(Self.secret) && !stripped.holds("XMP") && stripped.holds("NETSCAPE2.0"))
        #expect(image.count - stripped.count > 100)
        #expect(try thumbnail(stripped) == thumbnail(image))
        #expect(try MetadataStripper.strip(stripped) == stripped)
        for count in 0..<stripped.count {
            #expect(throws: ImageRefusal.self) { try MetadataStripper.strip(Array(stripped.prefix(count))) }
        }
        let answer = try ImageRun.run(.strip, of: image.span.bytes, program: Program.path)
        #expect(answer == .file(stripped))
    }

    @Test(arguments: [jpeg, png, webp]) func `a file cut anywhere is refused or cut no further`(_ image: [UInt8]) {
        for count in 0..<image.count {
            let cut = Array(image.prefix(count))
            do {
                let stripped = try MetadataStripper.strip(cut)
                #expect(try MetadataStripper.strip(stripped) == stripped)
            } catch { #expect([.damaged, .notAnImage].contains(error)) }
        }
    }

    @Test func `lengths that lie are refused`() {
        let segment: [UInt8] = [0xFF, 0xE1, 0, 1]
        #expect(throws: ImageRefusal.damaged) { try MetadataStripper.strip(Files.jpeg(with: segment)) }
        #expect(throws: ImageRefusal.damaged) {
            try MetadataStripper.strip(Files.jpeg(with: [0xFF, 0xE1, 0xFF, 0xFF]))
        }
        let chunk = [0xFF, 0xFF, 0xFF, 0xFF] + Array("tEXt".utf8)
        #expect(throws: ImageRefusal.damaged) { try MetadataStripper.strip(Files.png(with: chunk)) }
        let webp = Files.webp(Files.webpPicture + Array("XMP ".utf8) + [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: ImageRefusal.damaged) { try MetadataStripper.strip(webp) }
        let unknown = Files.png(with: Files.chunk("ABCD", []))
        #expect(throws: ImageRefusal.damaged) { try MetadataStripper.strip(unknown) }
    }

    private func pictures(_ image: [UInt8]) throws -> (ImageFacts, [UInt8]) {
        guard
            case .pictures(let facts, let thumbnail, nil) = try ImageRun.run(
                .thumbnail, of: image.span.bytes, program: Program.path)
        else { throw ImageError.badAnswer }
        return (facts, thumbnail)
    }

    private func facts(_ image: [UInt8]) throws -> ImageFacts { try pictures(image).0 }
    private func thumbnail(_ image: [UInt8]) throws -> [UInt8] { try pictures(image).1 }
}
