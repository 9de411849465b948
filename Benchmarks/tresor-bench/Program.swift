import Foundation
import Linux
import SQLite
import Secrets
import Tresor
import Wire

/// Prints the tables that `make bench` promises; `keychain`, `callers`, `apple`, `notes`, `diary` or `widgets` for some of
/// them.
///
/// What reading, storing, searching and listing cost through the socket,
/// beside an echo through the same door and an fsync'ed insert on the same disk.
@main
enum Program {
    private static let tables = ["keychain", "callers", "apple", "notes", "diary", "widgets"]

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == BenchCaller.argument { return try BenchCaller.run(arguments.dropFirst().first ?? "") }
        let programs = try CurrentProcess.executableDirectory()
        let given = arguments.compactMap { Int($0) }
        let sizes = given.isEmpty ? [100, 10_000, 100_000] : given
        let named = tables.filter(arguments.contains)
        for table in named.isEmpty ? tables : named {
            switch table {
            case "keychain": try keychain(programs, sizes)
            case "callers": try callers(programs)
            case "apple": try await apple(programs)
            case "diary": try diary(programs, entries: given.first ?? 50_000, photos: given.dropFirst().first ?? 200)
            case "widgets": try widgets(programs, locks: given.first ?? 100, seconds: given.dropFirst().first ?? 60)
            default: try notes(programs, given.isEmpty ? [1000, 10_000, 100_000] : given)
            }
        }
    }

    private static func callers(_ programs: String) throws {
        let bench = try CallerBench(programs: programs)
        defer { try? bench.finish() }
        try bench.run()
    }

    private static func apple(_ programs: String) async throws {
        let bench = try AppleBench(programs: programs)
        defer { try? bench.finish() }
        try await bench.run()
    }

    private static func notes(_ programs: String, _ sizes: [Int]) throws {
        let bench = try NotesBench(programs: programs)
        defer { try? bench.finish() }
        try bench.run(sizes)
    }

    private static func diary(_ programs: String, entries: Int, photos: Int) throws {
        let bench = try DiaryBench(programs: programs)
        defer { try? bench.finish() }
        try bench.run(entries: entries, photos: photos)
    }

    private static func widgets(_ programs: String, locks: Int, seconds: Int) throws {
        let bench = try WidgetBench(programs: programs)
        defer { try? bench.finish() }
        try bench.run(locks: locks, seconds: seconds)
    }

    private static func keychain(_ programs: String, _ sizes: [Int]) throws {
        let bench = try Bench(programs: programs)
        defer { try? bench.finish() }
        try bench.run(sizes)
    }
}

final class Bench {
    private let device: BenchDevice
    private var stored = 0
    private static let operations = 4000
    private static let writes = 1000

    init(programs: String) throws { device = try BenchDevice(programs: programs) }

    func finish() throws {
        try? device.stop()
        try device.remove()
    }

    func run(_ sizes: [Int]) throws {
        say("start to first answer: \(format(device.startMilliseconds)) ms")
        let raw = try rawSocketEcho()
        say("raw socket echo, 64 B, two threads: p50 \(format(raw.p50)) µs")
        let insert = try sqliteInsert()
        say("one fsync'ed SQLite insert: p50 \(format(insert.p50)) µs, p99 \(format(insert.p99)) µs\n")
        say(header)
        for size in sizes {
            try fill(to: size)
            for clients in [1, 8] { try table(size, clients, insert) }
            let status = try device.connect().status()
            let daemon = try ProcessUsage(of: device.daemon).residentBytes
            let enclave = try ProcessUsage(of: device.enclave).residentBytes
            say(
                "\(size) items: tresord \(daemon / 1024 / 1024) MiB, enclave \(enclave / 1024 / 1024) MiB resident; "
                    + "memory \(status.enclave.memoryKind == 1 ? "memfd_secret" : "locked")")
            try list(size)
        }
        try unlock()
    }

    private let header =
        "items   clients operation     p50 µs    p99 µs       op/s  × base   daemon  enclave  disk B"
        + "  (CPU µs per op)"

    private func table(_ size: Int, _ clients: Int, _ insert: Samples) throws {
        let echo = try operation("echo", size, clients, nil) { device in
            let connection = try device.connect()
            let payload = [UInt8](repeating: 7, count: 64)
            return { _ in
                let bytes = try payload.withSpan { try SecretBytes(copying: $0) }
                try connection.exchange(.echo(CarriedSecret(bytes))) { _ in }
            }
        }
        _ = try operation("read secret", size, clients, echo) { device in
            let connection = try device.connect()
            return { index in try connection.find(Self.query(index &* 7919 % size, returning: .data)) }
        }
        _ = try operation("exact search", size, clients, echo) { device in
            let connection = try device.connect()
            return { index in
                var query = KeychainQuery(kind: .password)
                query.attributes[.label] = .string("label \(index &* 104_729 % size)")
                query.returns = .attributes
                try connection.find(query)
            }
        }
        _ = try operation(
            "store", size, clients, clients == 1 ? insert : nil, count: Self.writes / clients, extra: stored
        ) { device in
            let connection = try device.connect()
            let client = Int(SystemRandom.makeUInt64() >> 1)
            return { index in try connection.add(try Self.item(client &+ index)) }
        }
    }

    private func operation(
        _ name: String, _ size: Int, _ clients: Int, _ base: Samples?, count: Int = Bench.operations, extra: Int = 0,
        _ make: @escaping @Sendable (BenchDevice) throws -> (Int) throws -> Void
    ) throws -> Samples {
        let device = device
        let before = try Usage(device)
        let samples = try measure(clients: clients, count: count) { _ in try make(device) }
        let usage = try Usage(device).perOperation(since: before, count: clients * count)
        let ratio = base.map { String(format: "%7.2f", samples.p50 / $0.p50) } ?? "      –"
        let fields = [
            "\(size)".padding(toLength: 8, withPad: " ", startingAt: 0),
            "\(clients)".padding(toLength: 8, withPad: " ", startingAt: 0),
            name.padding(toLength: 12, withPad: " ", startingAt: 0),
        ]
        say(
            fields.joined() + String(format: "%8.1f  %8.1f %10.0f ", samples.p50, samples.p99, samples.perSecond)
                + ratio + "  " + usage)
        return samples
    }

    static func item(_ number: Int, in group: String? = nil) throws -> ItemAddition {
        var attributes = Attributes()
        attributes[.accessGroup] = group.map { .string($0) }
        attributes[.service] = .string("service \(number)")
        attributes[.account] = .string("account \(number)")
        attributes[.label] = .string("label \(number)")
        return ItemAddition(
            kind: ItemKind.password.code, attributes: attributes, secret: try SecretBytes(text: "secret \(number)"))
    }

    static func query(
        _ number: Int, returning returns: KeychainQuery.Returns, in group: String? = nil
    ) -> KeychainQuery {
        var query = KeychainQuery(kind: .password)
        query.attributes[.accessGroup] = group.map { .string($0) }
        query.attributes[.service] = .string("service \(number)")
        query.attributes[.account] = .string("account \(number)")
        query.returns = returns
        return query
    }

    private func fill(to size: Int) throws {
        let connection = try device.connect()
        let begin = SystemClock.monotonicNanoseconds()
        while stored < size {
            try connection.add(try Self.item(stored))
            stored += 1
        }
        let seconds = Double(SystemClock.monotonicNanoseconds() - begin) / 1e9
        FileHandle.standardError.write(Data("filled to \(size) in \(format(seconds)) s\n".utf8))
    }

    private func list(_ size: Int) throws {
        let connection = try device.connect()
        var rates: [Double] = []
        for _ in 0..<5 {
            let begin = SystemClock.monotonicNanoseconds()
            var query = KeychainQuery(kind: .password)
            query.returns = .attributes
            query.limit = nil
            var count = 0
            repeat {
                let page = try connection.find(query)
                count += page.count
                query.cursor = page.next
            } while query.cursor != 0
            rates.append(Double(count) / (Double(SystemClock.monotonicNanoseconds() - begin) / 1e9))
        }
        say("\(size) items: listed \(format(rates.sorted()[2])) items/s (median of 5)\n")
    }

    private func unlock() throws {
        let connection = try device.connect()
        try device.setPasscode("correct horse")
        var times: [Double] = []
        for _ in 0..<5 {
            try connection.perform(.lock)
            let begin = SystemClock.monotonicNanoseconds()
            try connection.perform(.unlock(CarriedSecret(try SecretBytes(text: "correct horse"))))
            times.append(Double(SystemClock.monotonicNanoseconds() - begin) / 1e6)
        }
        let kdf = Int(try connection.status().enclave.timePerTry / .milliseconds(1))
        say("unlock with \(stored) items: \(format(times.sorted()[2])) ms (median of 5); the KDF alone: \(kdf) ms")
        try device.restart()
        say("start to first answer with \(stored) items: \(format(device.startMilliseconds)) ms")
    }

    /// What two blocking threads and a socket pair take: the floor under every figure.
    private func rawSocketEcho() throws -> Samples {
        let (near, far) = try UnixSocket.makePair()
        let echo = Thread {
            let socket = FileDescriptor(owning: far)
            guard var buffer = try? SecretBuffer(capacity: 64) else { return }
            while (try? socket.read(into: &buffer.storage, room: 64)) != .closed {
                guard (try? buffer.withBytes { try socket.writeAll($0) }) == true else { return }
                buffer.removeAll()
            }
        }
        echo.start()
        return try measure(clients: 1, count: Self.operations) { _ in
            let socket = Descriptor(near)
            return { _ in try socket.exchange() }
        }
    }

    private final class Descriptor {
        private let file: FileDescriptor
        private var buffer: SecretBuffer?
        init(_ raw: Int32) { file = FileDescriptor(owning: raw) }
        func exchange() throws {
            let payload = [UInt8](repeating: 1, count: 64)
            _ = try payload.withSpan { try file.writeAll($0) }
            var input = try SecretBuffer(capacity: 64)
            while input.count < 64 {
                guard case .moved = try file.read(into: &input.storage, room: 64 - input.count) else { return }
            }
        }
    }

    /// One row of an item's size, in a table with one index, WAL and synchronous = FULL.
    private func sqliteInsert() throws -> Samples {
        let path = device.folder + "/insert.sqlite"
        return try measure(clients: 1, count: Self.writes) { _ in
            // One thread owns it: the one that is measured.
            let database = try Database(path, settingUp: "PRAGMA synchronous = FULL")
            try database.execute(
                """
                PRAGMA journal_mode = WAL;
                CREATE TABLE t (id INTEGER PRIMARY KEY, tag BLOB UNIQUE, value BLOB);
                """)
            let value = [UInt8](repeating: 0, count: 500)
            return { _ in
                try database.execute(
                    "INSERT INTO t (tag, value) VALUES (?, ?)", [SystemRandom.makeBytes(count: 16), value])
            }
        }
    }
}
