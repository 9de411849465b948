package import Linux

/// Small pictures of images that nobody vouches for.
///
/// Codecs are where image viewers get broken into. So the decoding is done by a program of its own, `tresor-thumb`, one
/// process for each image, that has nothing but its standard input and output and can open nothing else. Nothing is
/// written to a disk on the way.
package enum Thumbnail {
    /// The longest image that is tried, in bytes.
    package static let longestInput = 256 << 20
    /// The longest thumbnail that is believed, in bytes; 512 by 512 pixels of noise take less than half.
    package static let longestOutput = 512 << 10
    /// How long a thumbnail may take, in milliseconds.
    package static let timeLimit = 15_000

    /// Makes a JPEG of at most 512 pixels a side, upright, without metadata.
    ///
    /// Waits for the program, at most ``timeLimit``. The bytes come from a process that has handled hostile input: they
    /// begin like a JPEG and are short, and for the rest are to be shown, not trusted.
    ///
    /// - Parameters:
    ///   - image: a JPEG, PNG, GIF, WebP, HEIC, AVIF or TIFF file.
    ///   - program: the path of `tresor-thumb`.
    package static func make(of image: RawSpan, program: String) throws(ThumbnailError) -> [UInt8] {
        try make(of: image, program: program, within: timeLimit)
    }

    /// The same with another time limit, in milliseconds.
    static func make(of image: RawSpan, program: String, within limit: Int) throws(ThumbnailError) -> [UInt8] {
        guard image.byteCount <= longestInput else { throw .tooLarge }
        var run = try start(program, milliseconds: limit)
        let output = try run.exchange(image)
        try ThumbnailError.check(try run.waitForEnd())
        guard output.starts(with: [0xFF, 0xD8, 0xFF]) else { throw .failed(.exited(code: 0)) }
        return output
    }

    private static func start(_ program: String, milliseconds: Int) throws(ThumbnailError) -> ThumbnailRun {
        do { return try ThumbnailRun(program: program, milliseconds: milliseconds) } catch {
            throw error.isMissing ? .missingProgram : .system(error)
        }
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
    /// More output than ``Thumbnail/longestOutput``: none of ours writes that.
    case tooMuchOutput
    /// It took too much time, of the clock or of the processor.
    case timedOut
    /// The system would not start the program or talk to it.
    case system(LinuxError)

    /// What the program's end means; nothing is thrown for success.
    static func check(_ end: ChildProcess.End) throws(ThumbnailError) {
        switch end {
        case .exited(code: 0): return
        case .exited(code: ThumbnailExit.notAnImage): throw .notAnImage
        case .killed(signal: ThumbnailExit.outOfProcessorTime): throw .timedOut
        default: throw .failed(end)
        }
    }
}

/// How `tresor-thumb` ends.
package enum ThumbnailExit {
    package static let success: Int32 = 0
    /// EX_DATAERR of sysexits.h.
    package static let notAnImage: Int32 = 65
    /// EX_OSERR: the sandbox could not be closed, or the input not be read; nothing was decoded.
    package static let noSandbox: Int32 = 71
    /// SIGXCPU, by the limit that the program sets itself.
    static let outOfProcessorTime: Int32 = 24
}
