package import Linux

/// One image on its way through a decoder of its own, driven by somebody else's poll(2).
///
///     let run = try ImageRun(.thumbnail, of: source, program: path)
///     while true {
///         var poll = Poll()
///         run.add(to: &poll)
///         try poll.wait(milliseconds: run.patience)
///         if let answer = try run.advance(poll) { return answer }
///     }
///
/// Where it is dropped before its end, its process is killed.
package final class ImageRun {
    private var process: DecoderProcess
    /// Given back as soon as the last byte has been fed.
    private var source: ImageSource?

    /// Starts the decoder, which waits for nothing.
    ///
    /// - Parameters:
    ///   - longestSide: of the pixels, where those are wanted.
    ///   - program: the path of `tresor-thumb`.
    ///   - milliseconds: how long it may take; the job's own limit where it is nil.
    package init(
        _ job: ImageJob, of source: ImageSource, longestSide: Int = 0, program: String, milliseconds: Int? = nil
    ) throws(ImageError) {
        let request = try ImageRequest(
            job, beginning: source.beginning, imageByteCount: source.byteCount, longestSide: longestSide)
        process = try DecoderProcess.start(request, program: program, milliseconds: milliseconds)
        self.source = source
    }

    /// The same, started by a server.
    init(_ job: ImageJob, of source: ImageSource, server: DecoderServer) throws(ImageError) {
        let request = try ImageRequest(job, beginning: source.beginning, imageByteCount: source.byteCount)
        do { process = try DecoderProcess(request, server: server, milliseconds: request.timeLimit) } catch {
            throw .system(error)
        }
        self.source = source
    }

    /// How long to wait for its descriptors at most, in milliseconds.
    package var patience: Int { process.patience }

    /// Adds what it waits for.
    package func add(to poll: inout Poll) { process.add(to: &poll) }

    /// Does what can be done without waiting; the answer, once, when it is complete.
    ///
    /// After an answer or an error the run is over.
    ///
    /// - Parameter poll: after it has waited; the one that ``add(to:)`` was given last.
    package func advance(_ poll: Poll) throws(ImageError) -> ImageAnswer? {
        let source = source
        let answer = try process.advance(poll) { (offset, write) throws(ImageError) in
            guard let source else { return .closed }
            do { return try source.lend(offset, write) } catch let error as LinuxError { throw .system(error) } catch {
                throw .sourceFailed
            }
        }
        if process.wanted == nil { self.source = nil }
        return answer
    }
}

extension DecoderProcess {
    static func start(
        _ request: ImageRequest, program: String, milliseconds: Int?
    ) throws(ImageError) -> DecoderProcess {
        do {
            return try DecoderProcess(request, program: program, milliseconds: milliseconds ?? request.timeLimit)
        } catch { throw error.isMissing ? .missingProgram : .system(error) }
    }
}
