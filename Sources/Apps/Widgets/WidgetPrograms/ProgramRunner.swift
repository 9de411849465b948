import Linux

/// Runs a widget program once: one request in, one answer out.
///
/// It blocks; hosts call it in a worker process. The program gets no shell, four variables of the environment, no
/// descriptor of ours and no terminal. When it has ended, or has to, what it started in its process group ends too.
package struct ProgramRunner: Sendable {
    /// Where the program is.
    package let path: String
    private let environment: [String]
    private let milliseconds: Int
    private let latest: UInt64

    /// - Parameters:
    ///   - path: of the program, absolute.
    ///   - milliseconds: from its start to its end.
    ///   - latest: when it has to have ended however late it was started; milliseconds since the machine started.
    package init(path: String, milliseconds: Int = ProgramLimit.milliseconds, until latest: UInt64 = .max) {
        self.path = path
        self.milliseconds = milliseconds
        self.latest = latest
        environment =
            ["PATH=" + (CurrentProcess.environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin")]
            + ["LANG=" + (CurrentProcess.environment("LANG") ?? "C.UTF-8")]
            + ["HOME", "TZ"].compactMap { name in CurrentProcess.environment(name).map { "\(name)=\($0)" } }
    }

    /// - Parameter request: at most 4096 bytes.
    /// - Returns: what it wrote.
    package func run(_ request: [UInt8]) throws(ProgramError) -> [UInt8] {
        let result: Result<[UInt8], ProgramError>
        do throws(LinuxError) {
            let input = try BytePipe.holding(request)
            let pipe = try BytePipe()
            let child = try start(input, pipe.writing)
            // The end of its output is seen only when nobody here can write any more.
            result = try finish(child, pipe.closeWriting())
        } catch {
            throw .notStarted(code: error.code)
        }
        return try result.get()
    }

    /// ETXTBSY of errno(3).
    private static let isBeingWritten: Int32 = 26

    /// Waits, as long as it may run, where the program's file is still open for writing: it is being copied to its
    /// place.
    private func start(
        _ input: borrowing FileDescriptor, _ output: borrowing FileDescriptor
    ) throws(LinuxError) -> ChildProcess {
        let deadline = deadline()
        while true {
            do throws(LinuxError) {
                return try ChildProcess(program: path, environment: environment, input: input, output: output)
            } catch {
                guard error.code == Self.isBeingWritten, SystemClock.bootMilliseconds() < deadline else { throw error }
                SystemClock.sleep(milliseconds: 10)
            }
        }
    }

    /// Until when something that begins now has to have ended.
    private func deadline() -> UInt64 {
        min(SystemClock.bootMilliseconds() + UInt64(milliseconds), latest)
    }

    private func finish(
        _ child: ChildProcess, _ output: consuming FileDescriptor
    ) throws(LinuxError) -> Result<[UInt8], ProgramError> {
        let deadline = deadline()
        var answer: [UInt8] = []
        var isOpen = true
        do throws(LinuxError) {
            try output.setNonblocking(true)
            while true {
                // Asked first: all that it has written by its end is read then, whoever else holds the pipe.
                let hasEnded = child.hasEnded()
                if isOpen { isOpen = try Self.read(output, &answer) }
                let now = SystemClock.bootMilliseconds()
                if answer.count > ProgramLimit.answerBytes { return Self.end(child, .wroteTooMuch) }
                if hasEnded { break }
                if now >= deadline { return Self.end(child, .tookTooLong) }
                try Self.wait(for: output, isOpen: isOpen, atMost: deadline - now)
            }
        } catch {
            _ = child.endGroup()
            throw error
        }
        return switch child.endGroup() {
        case .exited(code: ProcessExit.success): .success(answer)
        case .exited(let code): .failure(.exited(code: code))
        case .killed(let signal): .failure(.killed(signal: signal))
        }
    }

    private static func end(_ child: ChildProcess, _ error: ProgramError) -> Result<[UInt8], ProgramError> {
        _ = child.endGroup()
        return .failure(error)
    }

    /// Reads what is there.
    ///
    /// - Returns: whether more may come.
    private static func read(
        _ output: borrowing FileDescriptor, _ answer: inout [UInt8]
    ) throws(LinuxError) -> Bool {
        while answer.count <= ProgramLimit.answerBytes {
            switch try output.read(into: &answer, room: 1 << 16) {
            case .moved: continue
            case .wouldBlock: return true
            case .closed: return false
            }
        }
        return true
    }

    /// Waits for output or, since nothing wakes us at the program's end where others hold its output, a little while.
    private static func wait(
        for output: borrowing FileDescriptor, isOpen: Bool, atMost milliseconds: UInt64
    ) throws(LinuxError) {
        guard isOpen else { return SystemClock.sleep(milliseconds: UInt32(min(milliseconds, 2))) }
        try Poll.wait(untilReadable: output.raw, milliseconds: Int(min(milliseconds, 20)))
    }
}
