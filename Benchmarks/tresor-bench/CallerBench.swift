import Foundation
import Linux
import Secrets
import Tresor
import Wire

/// What it costs that the daemon finds out who asks, and that the groups of who asks are checked.
///
/// A first contact happens once in a process: copies of this program are started, and time their own.
final class CallerBench {
    private let device: BenchDevice
    private let program: String
    private static let operations = 4000
    /// Fresh processes of a program that the daemon knows already.
    private static let processes = 200
    /// Programs that it has never seen, each read as a whole.
    private static let strangers = 10
    /// How many a program reaches; the first is what others are compared with.
    private static let groups = [1, 10, 100]

    init(programs: String) throws {
        device = try BenchDevice(programs: programs)
        program = try FileSystem.target(ofLink: "/proc/self/exe")
    }

    func finish() throws {
        try? device.stop()
        try device.remove()
    }

    func run() throws {
        say("\nwho asks: what the daemon looks at, and what programs of many access groups pay (µs)")
        let known = try knownProgram()
        try unknownPrograms(known)
        try identified()
        try checkedGroups()
    }

    // MARK: Identity

    /// What is compared takes turns, so that none profits from what the one before has warmed.
    private func knownProgram() throws -> Samples {
        let copy = try makeCopy("known")
        try ask(copy, .contact)
        var times = (connect: [UInt64](), echo: [UInt64](), contact: [UInt64]())
        for _ in 0..<Self.processes {
            times.connect.append(try ask(copy, .connect))
            times.echo.append(try ask(copy, .echo))
            times.contact.append(try ask(copy, .contact))
        }
        row("fresh process: connect alone", Samples(times.connect, elapsed: 0))
        row("fresh process: connect and echo", Samples(times.echo, elapsed: 0))
        let contact = Samples(times.contact, elapsed: 0)
        row("fresh process: first contact", contact, "connect, identify, connect again")
        return contact
    }

    /// The same for files that the daemon has to read first; they are in the system's cache.
    private func unknownPrograms(_ known: Samples) throws {
        var times: [UInt64] = []
        let size = try Self.mebibytes(program)
        for number in 0..<Self.strangers {
            let copy = try makeCopy("stranger-\(number)")
            times.append(try ask(copy, .contact))
            try FileManager.default.removeItem(atPath: copy)
        }
        let samples = Samples(times, elapsed: 0)
        let each = (samples.p50 - known.p50) / size
        let note = String(format: "%.1f MiB each: %.0f µs/MiB above a known one", size, each)
        row("first contact, file never seen", samples, note)
    }

    /// A connection whose process was looked at: what the first request of each later one pays, as that process may
    /// run another file by then.
    private func identified() throws {
        let connection = try device.connect()
        var echoes: [UInt64] = []
        var looks: [UInt64] = []
        for _ in 0..<Self.operations {
            echoes.append(try nanoseconds { try connection.echo() })
            looks.append(try nanoseconds { _ = try connection.identify() })
        }
        let (echo, look) = (Samples(echoes, elapsed: 0), Samples(looks, elapsed: 0))
        row("identified connection: echo", echo)
        row("identified connection: identify", look, "\(format(look.p50 - echo.p50)) above the echo")
    }

    /// Runs a copy, which does one thing and prints its nanoseconds.
    @discardableResult
    private func ask(_ copy: String, _ task: BenchCaller.Task) throws -> UInt64 {
        let caller = try StartedCaller(copy, task)
        defer { caller.end() }
        guard let time = UInt64(try caller.line()) else { throw BenchFailure("no time was printed") }
        return time
    }

    // MARK: Groups

    /// Programs of so many groups take turns; the items of each lie in its last group.
    ///
    /// A query that names its group finds by primary key and shows what the check alone costs; one that names none
    /// searches in all of them.
    private func checkedGroups() throws {
        var callers: [StartedCaller] = []
        defer { for caller in callers { caller.end() } }
        for count in Self.groups {
            let caller = try StartedCaller(try makeCopy("member-of-\(count)"), .reads)
            callers.append(caller)
            try grant(count - 1, to: try caller.line())
            guard try caller.ask("fill") == "\(count)" else {
                throw BenchFailure("a program does not have the groups that it was granted")
            }
        }
        let modes = ["read", "read named"]
        var times = [[UInt64]](repeating: [], count: callers.count * modes.count)
        for _ in 0..<Self.operations / BenchCaller.reads {
            for index in times.indices {
                let answer = try callers[index / modes.count].ask(modes[index % modes.count])
                times[index] += answer.split(separator: " ").compactMap { UInt64($0) }
            }
        }
        let samples = times.map { Samples($0, elapsed: 0) }
        for (index, reads) in samples.enumerated() {
            let name = "\(modes[index % modes.count]), groups: \(Self.groups[index / modes.count])"
            row(name, reads, String(format: "× %.2f", reads.p50 / samples[0].p50))
        }
    }

    private func grant(_ count: Int, to name: String) throws {
        for number in 0..<count {
            let command = Process()
            command.executableURL = URL(fileURLWithPath: device.programs + "/tresor")
            command.arguments = ["app", "allow", name, "--group", String(format: "bench.%03d", number)]
            command.standardOutput = FileHandle.nullDevice
            try command.run()
            command.waitUntilExit()
            guard command.terminationStatus == 0 else { throw BenchFailure("a group was not granted") }
        }
    }

    // MARK: Both

    /// This program as another: where others may write to the folder above, as in `/tmp`, it is known by its content.
    ///
    /// It stands beside a `lib` as this program does, where it looks for Swift's runtime.
    private func makeCopy(_ name: String) throws -> String {
        let folder = device.folder + "/copies"
        if try FileSystem.status(folder) == nil {
            try FileManager.default.createDirectory(atPath: folder + "/bin", withIntermediateDirectories: true)
            let own = URL(fileURLWithPath: program).deletingLastPathComponent().deletingLastPathComponent().path
            try FileManager.default.createSymbolicLink(atPath: folder + "/lib", withDestinationPath: own + "/lib")
        }
        let copy = folder + "/bin/" + name
        try FileManager.default.copyItem(atPath: program, toPath: copy)
        let file = try FileDescriptor.open(copy, FileFlags.append)
        _ = try Array(name.utf8).withSpan { try file.writeAll($0) }
        return copy
    }

    private static func mebibytes(_ path: String) throws -> Double {
        Double(try FileSystem.status(path)?.byteCount ?? 0) / 1_048_576
    }
}

/// What a copy of this program does that ``CallerBench`` has started.
enum BenchCaller {
    static let argument = "--caller"
    static let reads = 200
    private static let items = 100

    enum Task: String {
        case connect, echo, contact, reads
    }

    static func run(_ task: String) throws {
        let home = try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
        switch Task(rawValue: task) {
        case .connect: say("\(try nanoseconds { _ = try SocketTransport(home, introduces: false) })")
        case .echo: say("\(try nanoseconds { try SocketTransport(home, introduces: false).echo() })")
        case .contact:
            var report: CallerReport?
            let time = try nanoseconds { report = try SocketTransport(home).report }
            guard report?.accessGroups.isEmpty == false else { throw BenchFailure("the program was not known") }
            say("\(time)")
        case .reads: try serve(try SocketTransport(home))
        case nil: throw BenchFailure("no such task")
        }
    }

    private static func serve(_ connection: SocketTransport) throws {
        say(connection.report?.name ?? "")
        var groups: [String] = []
        while let line = readLine() {
            if line == "fill" {
                groups = try connection.identify().accessGroups
                for number in 0..<items { try connection.add(Bench.item(number, in: groups.last)) }
                say("\(groups.count)")
            } else {
                let group = line == "read named" ? groups.last : nil
                let times = try (0..<reads).map { number in
                    try nanoseconds {
                        try connection.find(Bench.query(number % items, returning: .data, in: group))
                    }
                }
                say(times.map(String.init).joined(separator: " "))
            }
        }
    }
}

/// A copy of this program that runs, and the pipes to it.
private final class StartedCaller {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    init(_ path: String, _ task: BenchCaller.Task) throws {
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = [BenchCaller.argument, task.rawValue]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    func ask(_ line: String) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        return try self.line()
    }

    /// The next line that it prints; it prints one for each that it is asked.
    func line() throws -> String {
        var text = Data()
        while text.last != UInt8(ascii: "\n") {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw BenchFailure("a started program has ended early") }
            text += piece
        }
        return String(decoding: text.dropLast(), as: UTF8.self)
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

/// What went wrong, for whoever reads the table.
struct BenchFailure: Error {
    let what: String

    init(_ what: String) { self.what = what }
}

/// Prints one line of a table, in microseconds.
func row(_ name: String, _ samples: Samples, _ note: String = "") {
    let figures = String(format: "p50 %9.1f  p99 %9.1f  ", samples.p50, samples.p99)
    say(name.padding(toLength: 34, withPad: " ", startingAt: 0) + figures + note)
}

/// How long something took.
func nanoseconds(_ body: () throws -> Void) rethrows -> UInt64 {
    let begin = SystemClock.monotonicNanoseconds()
    try body()
    return SystemClock.monotonicNanoseconds() - begin
}

extension SocketTransport {
    func echo() throws {
        let bytes = try [UInt8](repeating: 7, count: 64).withSpan { try SecretBytes(copying: $0) }
        try exchange(.echo(CarriedSecret(bytes))) { _ in }
    }

    func identify() throws -> CallerReport {
        var report: CallerReport?
        try exchange(.identify) { payload in
            var reader = ByteReader(payload)
            guard try KeychainReply.header(&reader).tag == .identity else { throw try KeychainError(from: &reader) }
            report = try CallerReport(from: &reader)
        }
        guard let report else { throw DecodingError.truncated }
        return report
    }
}
