import ImageSandbox
import Linux
import TerminalScreen

/// Turns the pictures of an entry into pixels, one at a time, each in a process of its own that can open nothing.
///
/// What tresor-diary hands out are JPEGs that came from such a process, and so from hostile hands: no byte of them is
/// decoded here. While a process works, keys are heard as ever.
final class PictureDesk {
    /// What a picture is made for.
    private struct Job: Equatable {
        let key: String
        let side: Int
    }

    private let program: String
    private var run: (job: Job, process: ImageRun)?
    /// Those that are done, the last at the end; nil for one that cannot be drawn.
    private var made: [(job: Job, pixels: Pixels?)] = []

    /// As many as a screen shows at once, and a few more.
    private static let mostKept = 16
    /// Milliseconds between two looks at a process, while it takes what it is given.
    static let pace = 5

    /// Nil where the program that decodes is not beside this one.
    init?() {
        guard let folder = try? CurrentProcess.executableDirectory() else { return nil }
        program = folder + "/tresor-thumb"
        guard (try? FileSystem.status(program)) != nil else { return nil }
    }

    /// Whether a process is at work, so that ``advance()`` is to be called soon.
    var isBusy: Bool { run != nil }

    /// The pixels, where they are there; else it begins with them, or goes on.
    ///
    /// - Parameters:
    ///   - key: what tells the picture from others.
    ///   - side: the longest that is seen, in pixels.
    func pixels(of picture: [UInt8], key: String, side: Int) -> Pixels? {
        let job = Job(key: key, side: side)
        if let done = made.first(where: { $0.job == job }) { return done.pixels }
        guard run == nil else { return nil }
        do {
            let process = try ImageRun(.pixels, of: ImageSource(picture), longestSide: side, program: program)
            run = (job, process)
        } catch { keep(nil, of: job) }
        return nil
    }

    /// Does what the process at work is ready for.
    func advance() {
        guard let (job, process) = run else { return }
        var poll = Poll()
        process.add(to: &poll)
        do {
            try poll.wait(milliseconds: 0)
            guard let answer = try process.advance(poll) else { return }
            run = nil
            guard case .pixels(let image) = answer else { return keep(nil, of: job) }
            keep(Pixels(width: image.width, height: image.height, image.bytes), of: job)
        } catch {
            run = nil
            keep(nil, of: job)
        }
    }

    /// Ends what is at work, and forgets every picture.
    func forget() {
        run = nil
        made = []
    }

    private func keep(_ pixels: Pixels?, of job: Job) {
        made.append((job, pixels))
        if made.count > Self.mostKept { made.removeFirst() }
    }
}
