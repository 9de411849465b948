package import Linux

/// Small pictures of images that nobody vouches for, made while the caller waits.
///
/// Codecs are where image viewers get broken into. So the decoding is done by a program of its own, `tresor-thumb`, one
/// process for each image, that has nothing but its standard input and output and can open nothing else. Nothing is
/// written to a disk on the way.
package enum Thumbnail {
    /// The longest image that is tried, in bytes.
    package static let longestInput = ImageRequest.longestImage

    /// Makes a JPEG of at most 512 pixels a side, upright, without metadata.
    ///
    /// Waits for the program, at most 15 seconds. The bytes come from a process that has handled hostile input: they
    /// begin like a JPEG and are short, and for the rest are to be shown, not trusted.
    ///
    /// - Parameters:
    ///   - image: a JPEG, PNG, GIF, WebP, HEIC, AVIF or TIFF file.
    ///   - program: the path of `tresor-thumb`.
    package static func make(of image: RawSpan, program: String) throws(ThumbnailError) -> [UInt8] {
        do throws(ImageError) {
            switch try ImageRun.run(.thumbnail, of: image, program: program) {
            case .pictures(_, let thumbnail, _): return thumbnail
            case .refused(let refusal): throw .refused(refusal)
            case .file, .facts, .pixels: throw .badAnswer
            }
        } catch { throw ThumbnailError(error) }
    }
}

/// Why there is no thumbnail.
package enum ThumbnailError: Error, Equatable {
    /// No image of a kind that is decoded, damaged, or of more pixels than are decoded.
    case notAnImage
    /// More bytes than are read.
    case tooLarge
    /// The decoder ended otherwise than it may: a codec crashed, ran out of memory, or made a forbidden system call.
    case failed(ChildProcess.End)
    /// There is no such program.
    case missingProgram
    /// More output than a thumbnail has, or none that is one: no program of ours writes that.
    case tooMuchOutput
    /// It took too much time, of the clock or of the processor.
    case timedOut
    /// The system would not start the program or talk to it.
    case system(LinuxError)

    init(_ error: ImageError) {
        self =
            switch error {
            case .refused: .notAnImage
            case .tooLarge: .tooLarge
            case .failed(let end): .failed(end)
            case .missingProgram: .missingProgram
            case .badAnswer, .sourceFailed: .tooMuchOutput
            case .timedOut: .timedOut
            case .system(let error): .system(error)
            }
    }
}

extension ImageRun {
    /// The same as a run, for those who can wait and have the image at hand.
    ///
    /// - Parameters:
    ///   - longestSide: of the pixels, where those are wanted.
    ///   - milliseconds: how long it may take; the job's own limit where it is nil.
    package static func run(
        _ job: ImageJob, of image: RawSpan, longestSide: Int = 0, program: String, milliseconds: Int? = nil
    ) throws(ImageError) -> ImageAnswer {
        let request = try ImageRequest(
            job, kind: nil, imageByteCount: image.byteCount, longestSide: longestSide)
        var process = try DecoderProcess.start(request, program: program, milliseconds: milliseconds)
        while true {
            var poll = Poll()
            process.add(to: &poll)
            do { try poll.wait(milliseconds: process.patience) } catch { throw .system(error) }
            let answer = try process.advance(poll) { (offset, write) throws(ImageError) in
                let rest = image.extracting(droppingFirst: offset)
                do throws(LinuxError) { return try write(rest) } catch { throw .system(error) }
            }
            if let answer { return answer }
        }
    }
}
