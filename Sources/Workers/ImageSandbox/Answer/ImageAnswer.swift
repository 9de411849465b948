/// What the decoder writes: see specs/thumbnail-answer.md.
package enum ImageAnswer: Equatable, Sendable {
    /// JPEGs, upright, without metadata. They begin like one, and are for the rest to be shown, not trusted.
    case pictures(ImageFacts, thumbnail: [UInt8], preview: [UInt8]?)
    /// The image without its metadata.
    case file([UInt8])
    case refused(ImageRefusal)
    /// What the file says, of which no pixel was decoded.
    case facts(ImageFacts)
    /// What is seen, without any coding that a reader could be broken by.
    case pixels(PixelImage)
}

extension ImageAnswer {
    /// 512 by 512 pixels of noise take less than half, in bytes.
    package static let longestThumbnail = 512 << 10
    /// 2048 by 2048 pixels of noise take less than half, in bytes.
    package static let longestPreview = 8 << 20
    /// A stripped or converted image is believed up to the length of the longest that is tried.
    package static let longestFile = ImageRequest.longestImage
    /// More than everything but the pictures takes, in bytes.
    static let longestHead = 512
    private static let version: UInt8 = 1

    private enum Part: UInt8 { case pictures, file, refused, facts, pixels }

    /// As the decoder writes it, and nothing behind it.
    package var encoded: [UInt8] {
        var writer = FormatWriter()
        writer.integer(Self.version)
        switch self {
        case .pictures(let facts, let thumbnail, let preview):
            writer.integer(Part.pictures.rawValue)
            facts.append(to: &writer)
            writer.field(thumbnail)
            writer.field(preview ?? [])
        case .file(let bytes):
            writer.integer(Part.file.rawValue)
            writer.field(bytes)
        case .refused(let refusal):
            writer.integer(Part.refused.rawValue)
            writer.integer(refusal.rawValue)
        case .facts(let facts):
            writer.integer(Part.facts.rawValue)
            facts.append(to: &writer)
        case .pixels(let image):
            writer.integer(Part.pixels.rawValue)
            writer.integer(UInt16(clamping: image.width))
            writer.integer(UInt16(clamping: image.height))
            writer.field(image.bytes)
        }
        return writer.bytes
    }

    /// - Throws: `badAnswer` for everything that ``encoded`` does not write.
    package init(_ bytes: [UInt8]) throws(ImageError) {
        var reader = FormatReader(bytes)
        guard try reader.integer(UInt8.self) == Self.version, let part = Part(rawValue: try reader.integer(UInt8.self))
        else { throw .badAnswer }
        switch part {
        case .pictures:
            let facts = try ImageFacts(from: &reader)
            let thumbnail = try reader.field(limit: Self.longestThumbnail)
            let preview = try reader.field(limit: Self.longestPreview)
            guard Self.isJPEG(thumbnail), preview.isEmpty || Self.isJPEG(preview) else { throw .badAnswer }
            self = .pictures(facts, thumbnail: thumbnail, preview: preview.isEmpty ? nil : preview)
        case .file:
            let file = try reader.field(limit: Self.longestFile)
            guard ImageKind(of: file) != nil else { throw .badAnswer }
            self = .file(file)
        case .refused:
            guard let refusal = ImageRefusal(rawValue: try reader.integer(UInt8.self)) else { throw .badAnswer }
            self = .refused(refusal)
        case .facts: self = .facts(try ImageFacts(from: &reader))
        case .pixels:
            let width = Int(try reader.integer(UInt16.self))
            let height = Int(try reader.integer(UInt16.self))
            let most = ImageRequest.mostPixelsPerSide
            guard width <= most, height <= most else { throw .badAnswer }
            let bytes = try reader.field(limit: width * height * PixelImage.bytesPerPixel)
            guard let image = PixelImage(width: width, height: height, bytes) else { throw .badAnswer }
            self = .pixels(image)
        }
        try reader.end()
    }

    /// Whether it answers what was asked.
    func answers(_ request: ImageRequest) -> Bool {
        switch (self, request.job) {
        case (.refused, _), (.facts, .facts): true
        case (.pictures(_, _, nil), .thumbnail), (.pictures(_, _, .some), .preview): true
        case (.file(let file), .strip): request.kind.map { $0 == ImageKind(of: file) } ?? true
        case (.file(let file), .convert): ImageKind(of: file) == .jpeg
        case (.pixels(let image), .pixels): max(image.width, image.height) <= request.longestSide
        default: false
        }
    }

    private static func isJPEG(_ bytes: [UInt8]) -> Bool { ImageKind(of: bytes) == .jpeg }
}
