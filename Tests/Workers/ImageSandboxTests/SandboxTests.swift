import Foundation
import Glibc
import ImageSandbox
import Linux
import Testing

/// The filter of a program that only computes: in a forked child of this process, and around the real program.
@Suite struct SandboxTests {
    enum Forbidden: CaseIterable {
        case openFile, openSocket, startProcess, executeProgram, signalParent, executableMemory, duplicateDescriptor
    }

    @Test(arguments: Forbidden.allCases) func `a forbidden call kills the process`(_ call: Forbidden) throws {
        #expect(try Self.fateBehindFilter { Self.make(call) } == .killed(signal: SIGSYS))
    }

    @Test func `memory, randomness and threads are left`() throws {
        let end = try Self.fateBehindFilter {
            var bytes = [UInt8](repeating: 1, count: 8 << 20)
            guard getentropy(&bytes, 16) == 0 else { _exit(1) }
            var thread = pthread_t()
            guard pthread_create(&thread, nil, { _ in nil }, nil) == 0, pthread_join(thread, nil) == 0 else { _exit(2) }
        }
        #expect(end == .exited(code: 0))
    }

    @Test func `the program has closed its sandbox before it reads a byte`() throws {
        let (ours, its) = try UnixSocket.makePair()
        let near = FileDescriptor(owning: ours)
        let far = FileDescriptor(owning: its)
        let child = try ChildProcess(filter: Program.path, input: far, output: far)
        defer { child.kill() }
        // No byte of an image, but what is to be done with one.
        let request = try ImageRequest(.thumbnail, beginning: Pictures.heic, imageByteCount: 5000).encoded
        _ = try near.writeAll(request.span.bytes)
        var status = ""
        for _ in 0..<500 where !status.contains("Seccomp:\t2") {
            status = try String(contentsOfFile: "/proc/\(child.id)/status", encoding: .utf8)
            SystemClock.sleep(milliseconds: 10)
        }
        #expect(status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1") && status.contains("Threads:\t1"))
        let limits = try String(contentsOfFile: "/proc/\(child.id)/limits", encoding: .utf8)
            .split(separator: " ").joined(separator: " ")
        #expect(limits.contains("Max address space 1073741824 1073741824"))
        #expect(limits.contains("Max cpu time 10 11"))
        #expect(limits.contains("Max core file size 0 0"))
        #expect(child.end() == nil)
        _ = consume near
    }

    @Test func `the program ends with the one that started it`() throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "exec 3<&0; \"$0\" <&3 >/dev/null & echo $!; wait", Program.path]
        let (input, output) = (Pipe(), Pipe())
        shell.standardInput = input
        shell.standardOutput = output
        try shell.run()
        let request = try ImageRequest(.thumbnail, beginning: Pictures.jpeg, imageByteCount: 5000).encoded
        try input.fileHandleForWriting.write(contentsOf: Data(request))
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let child = try #require(Int32(line.trimmingCharacters(in: .newlines)))
        let isSandboxed = {
            (try? String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8))?
                .contains("Seccomp:\t2") == true
        }
        for _ in 0..<500 where !isSandboxed() { SystemClock.sleep(milliseconds: 10) }
        #expect(isSandboxed())
        kill(shell.processIdentifier, SIGKILL)
        shell.waitUntilExit()
        // Its input is still open: nothing else would have ended it.
        for _ in 0..<500 where isSandboxed() { SystemClock.sleep(milliseconds: 10) }
        #expect(!isSandboxed())
        try input.fileHandleForWriting.close()
    }

    private static func make(_ call: Forbidden) {
        switch call {
        case .openFile: _ = open("/etc/passwd", O_RDONLY)
        case .openSocket: _ = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        case .startProcess: _ = fork?()
        case .executeProgram: _ = execve("/bin/true", [nil], [nil])
        case .signalParent: _ = kill(getppid(), 0)
        case .executableMemory: _ = mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        case .duplicateDescriptor: _ = dup(0)
        }
    }

    /// Swift hides fork(2), since little may be done between it and exec; what is done here is little.
    private static var fork: (@convention(c) () -> Int32)? {
        guard let symbol = dlsym(nil, "fork") else { return nil }
        return unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
    }

    private static func fateBehindFilter(_ act: () -> Void) throws -> ChildProcess.End {
        let fork = try #require(Self.fork)
        let child = fork()
        if child == 0 {
            guard (try? Sandbox.restrictToComputing()) != nil else { _exit(99) }
            act()
            _exit(0)
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7f == 0 ? .exited(code: (status >> 8) & 0xff) : .killed(signal: status & 0x7f)
    }
}
