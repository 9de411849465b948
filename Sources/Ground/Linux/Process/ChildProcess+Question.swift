extension ChildProcess {
    /// Runs a program of the system that reads nothing, and waits for its end.
    ///
    /// It keeps the environment, and inherits no descriptor but its output.
    ///
    /// - Parameters:
    ///   - limit: bytes of output.
    ///   - milliseconds: how long it may take.
    /// - Returns: how it ended, and what it wrote, what it complained of included; nil where it wrote more, or took
    ///   longer, and then it is gone.
    /// - Throws: `LinuxError` where no process or pipe is granted.
    package static func ask(
        _ path: String, _ arguments: [String], limit: Int, milliseconds: Int
    ) throws(LinuxError) -> (end: End, text: String)? {
        let null = try FileDescriptor.open("/dev/null", FileFlags.read)
        let pipe = try BytePipe()
        let child = try ChildProcess(path: path, arguments: arguments, input: null, output: pipe.writing)
        // Only the program has the other end now: it is at its end when that is.
        let output = pipe.closeWriting()
        let end = SystemClock.bootMilliseconds() + UInt64(milliseconds)
        var bytes: [UInt8] = []
        do throws(LinuxError) {
            while true {
                let now = SystemClock.bootMilliseconds()
                guard now < end, bytes.count <= limit else {
                    child.kill()
                    return nil
                }
                let outcome = try Poll.wait(untilReadable: output.raw, milliseconds: Int(end - now))
                guard outcome == .ready else { continue }
                if try output.read(into: &bytes, room: 4096) == .closed { break }
            }
        } catch {
            child.kill()
            throw error
        }
        return (end: child.waitForEnd(), text: String(decoding: bytes, as: UTF8.self))
    }
}
