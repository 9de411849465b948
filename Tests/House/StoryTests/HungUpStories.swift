import Conformance
import DiaryClient
import Foundation
import Glibc
import Linux
import NotesClient
import Protection
import ResidentClient
import Secrets
import Testing
import WidgetClient
import Wire

/// Connections that have hung up, and those that come as fast as they can: neither keeps a client from its answer.
///
/// `TRESOR_EXHAUST` says for how many seconds somebody connects, else it is two; then others' reads are measured.
@Suite(.serialized) struct HungUpStories {
    enum Program: String, CaseIterable { case tresord, notes, diary, widgets }

    private static let asked = ProcessInfo.processInfo.environment["TRESOR_EXHAUST"].flatMap { Double($0) }
    private static let script = LiveDevice.root.appendingPathComponent("Tests/Attacks/exhaust.py").path

    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    /// A program that serves, as a client without our library sees it.
    private struct Served {
        var socket: String
        /// The process that serves.
        var process: Int32
        /// A question that anybody may ask.
        var question: [UInt8]
        /// How many connections one process may have, but for those that this test has beside the ones that it counts.
        var share: Int
    }

    private func start(_ program: Program) throws -> Served {
        func question(_ request: some Encodable) throws -> [UInt8] {
            var buffer = try SecretBuffer(capacity: 256)
            try MessageFrame.appendHead(request, id: 1, to: &buffer)
            return buffer.withBytes { $0.copyToArray() }
        }
        switch program {
        case .tresord:
            // Status, by specs/wire.md.
            return Served(
                socket: device.home.socket, process: device.daemon, question: [0, 0, 0, 6, 1, 0, 0, 0, 1, 1], share: 28)
        case .notes:
            guard case .status(let status) = try device.notesConnection().ask(.status).reply else { break }
            return Served(
                socket: ResidentProgram.notes(device.home).socket, process: status.process,
                question: try question(NotesRequest.status), share: 28)
        case .diary:
            guard case .status(let status) = try device.diaryConnection().ask(.status).reply else { break }
            return Served(
                socket: ResidentProgram.diary(device.home).socket, process: status.process,
                question: try question(DiaryRequest.status), share: 28)
        case .widgets:
            return Served(
                socket: ResidentProgram.widgets(device.home).socket, process: try device.widgetProcess(),
                question: try question(WidgetRequest.status), share: 60)
        }
        throw LiveDevice.Refused(message: "\(program) said nothing of itself")
    }

    private final class Client {
        private let socket: FileDescriptor
        private let served: Served

        init(_ served: Served) throws {
            socket = try UnixSocket.connect(served.socket, within: .seconds(20))
            self.served = served
        }

        func ask() throws -> Bool { try served.question.withSpan { try socket.writeAll($0) } }

        /// Whether an answer comes; false where the connection was closed.
        func isAnswered() throws -> Bool {
            var bytes: [UInt8] = []
            if case .moved = try socket.read(into: &bytes, room: 65_536) { return true }
            return false
        }

        func askAndHear() throws -> Bool { try ask() && isAnswered() }
    }

    /// Has the program see what happens meanwhile all at once.
    private func whileStopped(_ served: Served, _ body: () throws -> Void) rethrows {
        kill(served.process, SIGSTOP)
        defer { kill(served.process, SIGCONT) }
        usleep(20_000)
        try body()
    }

    // MARK: Hung up

    @Test(arguments: Program.allCases)
    func `a client that comes right behind others that hung up is served`(program: Program) throws {
        let served = try start(program)
        var live: [Client] = []
        for _ in 0..<served.share {
            live.append(try Client(served))
            #expect(try live[live.count - 1].askAndHear(), "it was let in")
        }
        var next: Client?
        try whileStopped(served) {
            live.removeAll()
            let client = try Client(served)
            #expect(try client.ask())
            next = client
        }
        #expect(try next?.isAnswered() == true, "all hung up at once")
        for round in 0..<5 {
            for _ in 0..<256 { _ = try Client(served) }
            let client = try Client(served)
            #expect(try client.askAndHear(), "\(round): 256 came and hung up")
        }
    }

    @Test(arguments: Program.allCases)
    func `connections that hung up before they were let in push nobody away`(program: Program) throws {
        let served = try start(program)
        let live = try (0..<served.share).map { _ in try Client(served) }
        for client in live { #expect(try client.askAndHear(), "it was let in") }
        for _ in 0..<3 {
            try whileStopped(served) {
                for number in 0..<50 {
                    let dead = try Client(served)
                    // Half of them have asked for something before.
                    if number % 2 == 0 { #expect(try dead.ask()) }
                }
            }
            usleep(200_000)
        }
        for (number, client) in live.enumerated() { #expect(try client.askAndHear(), "\(number) is there") }
    }

    @Test func `whoever shuts a connection whose answer it never took leaves notes at rest`() throws {
        let served = try start(.notes)
        let id = try device.newNote("# Heron\n" + String(repeating: "a heron stands at the lake\n", count: 150_000))
        var question = try SecretBuffer(capacity: 256)
        try MessageFrame.appendHead(NotesRequest.show(id: id, version: nil), id: 1, to: &question)
        let socket = try UnixSocket.connect(served.socket, within: .seconds(20))
        let isAsked = try question.withBytes { try socket.writeAll($0) }
        usleep(500_000)
        let waiting = try socket.waitingByteCount()
        #expect(isAsked && waiting > 10_000, "the answer has begun")
        _ = shutdown(socket.raw, Int32(SHUT_RDWR))
        usleep(200_000)
        let before = try Self.busyTime(of: served.process)
        usleep(1_000_000)
        #expect(try Self.busyTime(of: served.process) - before < .milliseconds(300))
        _ = consume socket
    }

    /// How long the first thread of a process has worked or waited for a processor.
    ///
    /// A thread that goes in circles does one of the two all the time, however busy the machine is: the first two
    /// fields of schedstat, in nanoseconds (Documentation/scheduler/sched-stats.rst of Linux).
    private static func busyTime(of process: Int32) throws -> Duration {
        let line = try String(contentsOfFile: "/proc/\(process)/schedstat", encoding: .utf8)
        let fields = line.split(separator: " ").compactMap { Int64($0) }
        return .nanoseconds(try #require(fields.first) + fields[1])
    }

    // MARK: As fast as they can

    /// What others read there, again and again.
    private func reader(_ program: Program) throws -> () throws -> Void {
        switch program {
        case .tresord:
            try device.succeed("keychain", "add", "--service", "s1", input: Data("secret".utf8))
            let transport = try device.connect()
            return {
                var query = KeychainQuery(kind: .password)
                query.attributes[.service] = .string("s1")
                query.attributes[.accessGroup] = .string(AccessGroup.owner)
                try transport.exchange(.find(query)) { payload in
                    var reader = ByteReader(payload)
                    if try KeychainReply.header(&reader).tag == .error { throw try KeychainError(from: &reader) }
                }
            }
        case .notes:
            let id = try device.newNote("# Heron\n")
            let connection = try device.notesConnection()
            return { try connection.ask(.find(id: id)) }
        case .diary:
            try device.openDiary()
            let connection = try device.diaryConnection()
            return { try connection.ask(.status) }
        case .widgets:
            let connection = try WidgetConnection(home: device.home)
            return { try connection.ask(.status) }
        }
    }

    /// How long each read took, in milliseconds, the shortest first.
    private func times(_ seconds: Double, _ read: () throws -> Void) throws -> [Double] {
        var times: [Double] = []
        let end = SystemClock.monotonicNanoseconds() + UInt64(seconds * 1e9)
        repeat {
            let begin = SystemClock.monotonicNanoseconds()
            try read()
            times.append(Double(SystemClock.monotonicNanoseconds() - begin) / 1e6)
            usleep(2000)
        } while SystemClock.monotonicNanoseconds() < end
        return times.sorted()
    }

    private func late(_ times: [Double]) -> Double { times[times.count * 99 / 100] }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "wants python3"),
        arguments: Program.allCases, [1, 10])
    func `others read on beside whoever connects as fast as it can`(program: Program, processes: Int) throws {
        let served = try start(program)
        let read = try reader(program)
        let seconds = Self.asked ?? 2
        let without = try times(seconds / 2, read)
        let null = try FileDescriptor.open("/dev/null", O_RDWR)
        let attacker = try UserProcess(
            ["/usr/bin/python3", Self.script, served.socket, "openings-\(processes)"],
            environment: ["PATH=/usr/bin:/bin"], descriptors: [null.raw, null.raw, null.raw])
        defer { attacker.end() }
        usleep(500_000)
        let beside = try times(seconds, read)
        #expect(attacker.isRunning, "somebody connected all the time")
        #expect(beside.count >= 10, "reads went on")
        // Another process without a word is let in as well.
        #expect(try device.run("status").code == 0)
        if Self.asked != nil {
            let (quiet, crowded) = (late(without), late(beside))
            print(
                "\(program), \(processes) connecting: of 100 reads 99 in \(quiet) ms, beside them in \(crowded) ms",
                "(\(without.count) and \(beside.count) reads)")
            #expect(crowded <= 5 * quiet)
        }
        attacker.end()
        let client = try Client(served)
        #expect(try client.askAndHear())
    }
}
