package import Linux

/// Why an image has no thumbnail, or no copy without metadata.
package enum ImageError: Error, Equatable {
    /// The decoder looked at the image and would not have it.
    case refused(ImageRefusal)
    /// More bytes than are read.
    case tooLarge
    /// The decoder ended otherwise than it may: a codec crashed, ran out of memory, or made a forbidden system call.
    case failed(ChildProcess.End)
    /// There is no such program.
    case missingProgram
    /// What the program wrote is no answer to what it was asked, or longer than one.
    case badAnswer
    /// It took too much time, of the clock or of the processor.
    case timedOut
    /// The image could not be lent to the program: its owner threw.
    case sourceFailed
    /// The system would not start the program or talk to it.
    case system(LinuxError)

    /// What the end of a program without an answer means.
    static func meaning(of end: ChildProcess.End) -> ImageError {
        switch end {
        case .killed(signal: DecoderExit.outOfProcessorTime): .timedOut
        default: .failed(end)
        }
    }
}

/// Why the decoder would not have an image; its numbers are those of specs/thumbnail-answer.md.
package enum ImageRefusal: UInt8, Error, Equatable, Sendable, CaseIterable {
    /// Of no kind that is decoded, or of another one than it says.
    case notAnImage = 1
    /// Cut off, or damaged in a way that its codec minds.
    case damaged
    /// More pixels than are decoded.
    case tooManyPixels
    /// The codec knows the format, and does not have what this image needs of it.
    case unsupported
    /// The metadata of such a file can't be taken out without encoding it anew.
    case notStrippable
}

/// How `tresor-thumb` ends.
package enum DecoderExit {
    /// It has written an answer, be it a refusal.
    package static let answered: Int32 = 0
    /// EX_OSERR of sysexits.h: the sandbox could not be closed, or nobody read the answer; nothing was decoded.
    package static let noSandbox: Int32 = 71
    /// EX_PROTOCOL: there was no request before the image.
    package static let noRequest: Int32 = 76
    /// SIGXCPU, by the limit that the program sets itself.
    static let outOfProcessorTime: Int32 = 24
}
