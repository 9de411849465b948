import Foundation
import Glibc
import Linux
import Testing

/// A process by its descriptor: what is ended is that process, and no later one of its number.
@Suite struct PeerProcessTests {
    /// A child that sleeps.
    private func start() throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sleep")
        process.arguments = ["100"]
        try process.run()
        return process
    }

    @Test func `it ends what it names, and sees the end`() throws {
        let child = try start()
        let time = try PeerProcess.startTime(of: child.processIdentifier)
        let peer = try PeerProcess(number: child.processIdentifier, startTime: time)
        let isThere = peer.isAlive && !peer.waitForEnd(within: .milliseconds(1))
        let isEnded = peer.kill() && peer.waitForEnd(within: .seconds(5))
        #expect(isThere && isEnded)
        child.waitUntilExit()
        #expect(child.terminationReason == .uncaughtSignal && child.terminationStatus == SIGKILL)
        let again = peer.kill()
        #expect(!again, "it has ended")
    }

    @Test func `a number that is another's by now is refused`() throws {
        let child = try start()
        defer { child.terminate() }
        let time = try PeerProcess.startTime(of: child.processIdentifier)
        #expect(throws: LinuxError.self) {
            let other = try PeerProcess(number: child.processIdentifier, startTime: time + 1)
            _ = other.isAlive
        }
    }

    /// Root may say which number is given out next; another process may come first, so it is tried often.
    @Test(.enabled(if: canChooseNumbers, "needs the right to choose a process's number"))
    func aNumberThatIsGivenOutAgainIsNotHit() throws {
        for _ in 0..<200 {
            let first = try start()
            let number = first.processIdentifier
            let peer = try PeerProcess(number: number, startTime: try PeerProcess.startTime(of: number))
            let isEnded = peer.kill() && peer.waitForEnd(within: .seconds(5))
            #expect(isEnded)
            first.waitUntilExit()
            try Data("\(number - 1)".utf8).write(to: URL(fileURLWithPath: Self.lastNumber))
            let second = try start()
            defer { second.terminate() }
            guard second.processIdentifier == number else { continue }
            let isHit = peer.isAlive || peer.kill()
            #expect(!isHit)
            usleep(50_000)
            return #expect(second.isRunning, "it only has the number of one that has ended")
        }
        Issue.record("the number was never given out again")
    }

    private static let lastNumber = "/proc/sys/kernel/ns_last_pid"
    private static var canChooseNumbers: Bool {
        guard let file = try? FileHandle(forUpdating: URL(fileURLWithPath: lastNumber)) else { return false }
        let number = (try? file.readToEnd()) ?? Data()
        try? file.seek(toOffset: 0)
        return (try? file.write(contentsOf: number)) != nil
    }
}
