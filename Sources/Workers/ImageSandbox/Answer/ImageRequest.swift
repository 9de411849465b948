/// What the decoder is asked to make of one image.
package enum ImageJob: UInt8, Sendable, CaseIterable {
    /// Facts and a thumbnail.
    case thumbnail = 1
    /// Facts, a thumbnail and a preview.
    case preview
    /// The same file without metadata, its picture untouched.
    case strip
    /// A JPEG of the same size, upright, without metadata.
    case convert
    /// Facts alone, for which no pixel is decoded.
    case facts
    /// The pixels themselves, for whoever draws them without a codec: upright, opaque, in sRGB.
    case pixels
}

/// The bytes before an image on the decoder's standard input: see specs/thumbnail-answer.md.
///
/// They come from the process that starts the decoder, not from the image: the decoder reads them while it may still
/// open files, to load the codec that the image needs and no other.
package struct ImageRequest: Equatable, Sendable {
    /// Of a request, in front of the image.
    package static let byteCount = 8
    private static let version: UInt8 = 1
    /// The longest image that is tried, in bytes.
    package static let longestImage = 256 << 20

    /// What is to be made of the image.
    package let job: ImageJob
    /// Nil where whoever asks has not looked: then all codecs are loaded.
    package let kind: ImageKind?
    /// How many bytes of image follow, 1 to ``longestImage``.
    package let imageByteCount: Int
    /// The longest side of the pixels that are wanted; 0 for every other job.
    package let longestSide: Int

    /// Sides are asked for in steps of so many pixels, so that one byte says which.
    package static let sideStep = 16
    /// The longest side that can be asked for.
    package static let mostPixelsPerSide = 2048

    /// - Throws: `tooLarge`; `refused` where the first bytes are those of no image.
    /// - Parameters:
    ///   - beginning: the first bytes of the image, ``ImageKind/headerByteCount`` where it has so many.
    ///   - longestSide: of pixels; rounded up to a step, and cut to the most that there is.
    package init(
        _ job: ImageJob, beginning: [UInt8], imageByteCount: Int, longestSide: Int = 0
    ) throws(ImageError) {
        guard let kind = ImageKind(of: beginning) else { throw .refused(.notAnImage) }
        try self.init(job, kind: kind, imageByteCount: imageByteCount, longestSide: longestSide)
    }

    /// - Throws: `tooLarge`; `refused` where there is no byte.
    init(_ job: ImageJob, kind: ImageKind?, imageByteCount: Int, longestSide: Int = 0) throws(ImageError) {
        guard imageByteCount <= Self.longestImage else { throw .tooLarge }
        guard imageByteCount > 0 else { throw .refused(.notAnImage) }
        self.job = job
        self.kind = kind
        self.imageByteCount = imageByteCount
        let side = min(max(longestSide, 1), Self.mostPixelsPerSide)
        self.longestSide = job == .pixels ? (side + Self.sideStep - 1) / Self.sideStep * Self.sideStep : 0
    }

    /// - Throws: `badAnswer` for everything that ``encoded`` does not write.
    package init(_ bytes: [UInt8]) throws(ImageError) {
        var reader = FormatReader(bytes)
        guard try reader.integer(UInt8.self) == Self.version,
            let job = ImageJob(rawValue: try reader.integer(UInt8.self))
        else { throw .badAnswer }
        let number = try reader.integer(UInt8.self)
        let kind = ImageKind(rawValue: number)
        let steps = Int(try reader.integer(UInt8.self))
        let most = job == .pixels ? Self.mostPixelsPerSide / Self.sideStep : 0
        guard number == 0 || kind != nil, (min(1, most)...most).contains(steps) else { throw .badAnswer }
        let count = Int(try reader.integer(UInt32.self))
        try reader.end()
        guard (1...Self.longestImage).contains(count) else { throw .badAnswer }
        self.job = job
        self.kind = kind
        imageByteCount = count
        longestSide = steps * Self.sideStep
    }

    /// Eight bytes: version, job, kind (0 for not looked), steps of the side (0 but for pixels), and the image's length
    /// in four.
    package var encoded: [UInt8] {
        var writer = FormatWriter()
        writer.raw([Self.version, job.rawValue, kind?.rawValue ?? 0, UInt8(clamping: longestSide / Self.sideStep)])
        writer.integer(UInt32(clamping: imageByteCount))
        return writer.bytes
    }

    /// The longest answer to it that is believed, in bytes.
    var longestAnswer: Int {
        switch job {
        case .facts: ImageAnswer.longestHead
        case .thumbnail: ImageAnswer.longestHead + ImageAnswer.longestThumbnail
        case .preview: ImageAnswer.longestHead + ImageAnswer.longestThumbnail + ImageAnswer.longestPreview
        // An orientation may take the place of much more.
        case .strip: min(imageByteCount + ImageAnswer.longestHead, ImageAnswer.longestFile)
        case .convert: ImageAnswer.longestFile
        case .pixels: ImageAnswer.longestHead + longestSide * longestSide * PixelImage.bytesPerPixel
        }
    }

    /// Seconds of processor time that the decoder may take.
    package var processorSeconds: Int { job == .convert ? 30 : 10 }

    /// Milliseconds of the clock that it is waited for.
    package var timeLimit: Int { (processorSeconds + 5) * 1000 }
}
