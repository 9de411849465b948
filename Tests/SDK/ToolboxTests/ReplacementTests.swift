import Foundation
import Testing

@testable import Linux

/// What is asked of a program while it puts a fresh image of itself in its place.
@Suite struct ReplacementTests {
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a signal that came and was not read yet ends the program, and no fresh image takes its place`(
        _ signal: Int32
    ) async {
        await #expect(processExitsWith: .signal(signal)) { [signal] in
            let signals = try SignalDescriptor()
            kill(getpid(), signal)
            var wait = pollfd(fd: signals.descriptor.raw, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 5000) == 1 else { exit(1) }
            CurrentProcess.become("/bin/true", arguments: [])
            exit(2)
        }
    }

    @Test func `a program goes on as another where no signal came`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let signals = try SignalDescriptor()
            guard signals.next() == nil else { exit(1) }
            CurrentProcess.become("/bin/sh", arguments: ["-c", "test $0 = /bin/sh && exit 7"])
            exit(2)
        }
    }

    @Test func `a signal to a child that was started just now is the child's, and nobody else hears it`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let signals = try SignalDescriptor()
            for _ in 0..<100 {
                let child = try ChildProcess(worker: "/bin/sleep", ["1"])
                child.requestEnd()
                guard child.waitForEnd() == .killed(signal: SIGTERM) else { exit(1) }
                while let signal = signals.next() { if case .end = signal { exit(2) } }
            }
            exit(7)
        }
    }
}
