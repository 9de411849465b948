import Foundation
import Linux
import Secrets
import Tresor
import Wire

/// A daemon on a throw-away home, and connections to it.
final class BenchDevice: @unchecked Sendable {
    let folder: String
    let home: Home
    let programs: String
    private(set) var daemon: Int32 = 0
    private(set) var enclave: Int32 = 0
    private var child: ChildProcess?
    private(set) var startMilliseconds = 0.0

    init(programs: String) throws {
        self.programs = programs
        let folder = NSTemporaryDirectory() + "tresor-bench-\(CurrentProcess.id)"
        self.folder = folder
        home = try Home(environment: { $0 == "TRESOR_HOME" ? folder : nil }, user: CurrentProcess.user)
        setenv("TRESOR_HOME", folder, 1)
        try start()
    }

    /// From exec to the first answer, in milliseconds.
    func start() throws {
        try FileSystem.makeDirectories(folder)
        let log = try FileDescriptor.open(home.log, FileFlags.append)
        let begin = SystemClock.monotonicNanoseconds()
        child = try ChildProcess(detached: programs + "/tresord", arguments: [], output: log)
        var status: DaemonStatus?
        while status == nil {
            status = try? SocketTransport(home, introduces: false).status()
            if status == nil { usleep(200) }
            guard SystemClock.monotonicNanoseconds() - begin < 10_000_000_000 else {
                throw LinuxError(call: "start of tresord", code: 110)
            }
        }
        startMilliseconds = Double(SystemClock.monotonicNanoseconds() - begin) / 1e6
        daemon = Int32(status?.daemonProcess ?? 0)
        enclave = Int32(status?.enclaveProcess ?? 0)
    }

    func stop() throws {
        child?.askToEnd()
        _ = child?.waitForEnd()
    }

    /// By the command, as the owner does: nobody else is let do it.
    func setPasscode(_ passcode: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: programs + "/tresor")
        process.arguments = ["passcode", "set"]
        let input = Pipe()
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("\(passcode)\n\(passcode)\n".utf8))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw LinuxError(call: "tresor passcode set", code: 1) }
    }

    func restart() throws {
        try stop()
        try start()
    }

    func connect() throws -> SocketTransport { try SocketTransport(home) }

    func remove() throws { try FileManager.default.removeItem(atPath: folder) }
}

extension SocketTransport {
    func status() throws -> DaemonStatus {
        var status: DaemonStatus?
        try exchange(.status) { payload in
            var reader = ByteReader(payload)
            _ = try KeychainReply.header(&reader)
            status = try DaemonStatus(from: &reader)
        }
        guard let status else { throw DecodingError.truncated }
        return status
    }

    func add(_ item: consuming ItemAddition) throws {
        try exchange(.add(item)) { payload in
            var reader = ByteReader(payload)
            let head = try KeychainReply.header(&reader)
            guard head.tag == .page else { throw try KeychainError(from: &reader) }
        }
    }

    /// Runs a find and returns how many items it found, and where the next page begins.
    @discardableResult
    func find(_ query: KeychainQuery) throws -> (count: Int, next: UInt64) {
        var count = 0
        var next: UInt64 = 0
        try exchange(.find(query)) { payload in
            var reader = ByteReader(payload)
            let head = try KeychainReply.header(&reader)
            guard head.tag == .page else { throw try KeychainError(from: &reader) }
            next = try Page(from: &reader) { _, _, _ in count += 1 }.end.next
        }
        return (count: count, next: next)
    }
}

extension SecretBytes {
    init(text: String) throws { self = try Array(text.utf8).withSpan { try SecretBytes(copying: $0) } }
}
