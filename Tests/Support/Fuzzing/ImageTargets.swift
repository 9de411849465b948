import ImageSandbox

/// What passes between a program and its image decoders, and the files that are stripped behind the sandbox.
enum ImageTargets {
    static func answer(_ bytes: [UInt8]) throws -> [UInt8] { try ImageAnswer(bytes).encoded }

    static func request(_ bytes: [UInt8]) throws -> [UInt8] { try ImageRequest(bytes).encoded }

    /// A file has many forms; what is stripped has to be one that stripping leaves as it is.
    static func strippedFile(_ bytes: [UInt8]) throws -> [UInt8] {
        let stripped = try MetadataStripper.strip(bytes)
        return try MetadataStripper.strip(stripped) == stripped ? bytes : []
    }

    static func orientation(_ bytes: [UInt8]) throws -> [UInt8] {
        (1...8).contains(ExifOrientation.read(bytes[...])) ? bytes : []
    }
}

// First inputs.
extension ImageTargets {
    private static let smallJPEG: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0, 1, 2, 0, 0, 1, 0, 1, 0, 0]
        + [0xFF, 0xE1, 0, 34] + exif + [0xFF, 0xE2, 0, 16] + Array("ICC_PROFILE".utf8) + [0, 1, 1]
        + [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]
        + [0xFF, 0xFE, 0, 4, 65, 66, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 0xFF, 0, 2, 0xFF, 0xD0, 3, 0xFF, 0xD9]

    private static let exif: [UInt8] = Array("Exif".utf8) + [0, 0] + tiff

    private static let tiff: [UInt8] =
        [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(content.count)] + Array(type.utf8) + content + [1, 2, 3, 4]
    }

    private static let smallPNG: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
        + chunk("eXIf", tiff) + chunk("tEXt", [65, 0, 66]) + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])

    private static func part(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Array(type.utf8) + [UInt8(content.count), 0, 0, 0] + content + (content.count % 2 == 1 ? [0] : [])
    }

    private static let webpParts: [UInt8] =
        part("VP8X", [0x0C, 0, 0, 0, 0, 0, 0, 0, 0, 0]) + part("VP8L", [0x2F, 0, 0]) + part("EXIF", tiff)
        + part("XMP ", [65]) + part("ANMF", [UInt8](repeating: 0, count: 16) + part("VP8 ", [1, 2]))

    private static let smallWebP: [UInt8] =
        Array("RIFF".utf8) + [UInt8(webpParts.count + 4), 0, 0, 0] + Array("WEBP".utf8) + webpParts

    /// A picture of one pixel, a comment, and how often it runs.
    private static let smallGIF: [UInt8] =
        Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x21, 0xFE, 1, 65, 0]
        + [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        + [0x21, 0xF9, 4, 0, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]

    static let files = [smallJPEG, smallPNG, smallGIF, smallWebP]
    static let orientations = [tiff, exif, exif + [0]]

    static let answers: [[UInt8]] = {
        var facts = ImageFacts(width: 4000, height: 3000)
        facts.wallClock = 1_783_209_598
        facts.offsetMinutes = -210
        facts.place = ImagePlace(latitude: -33_859_833_333, longitude: 151_200_000_000)
        facts.orientation = 6
        facts.camera = "Maker Model"
        let answers: [ImageAnswer] =
            [
                .pictures(facts, thumbnail: smallJPEG, preview: smallJPEG), .file(smallPNG),
                .pictures(ImageFacts(width: 1, height: 1), thumbnail: smallJPEG, preview: nil), .facts(facts),
            ] + ImageRefusal.allCases.map { .refused($0) }
        return answers.map(\.encoded)
    }()

    static let requests: [[UInt8]] = ImageJob.allCases.compactMap { job in
        try? ImageRequest(job, beginning: smallJPEG, imageByteCount: smallJPEG.count).encoded
    }
}
