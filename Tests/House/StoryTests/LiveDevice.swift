import Checkout
import Conformance
import Foundation
import Linux
import Protection
import Secrets
import Tresor
import Wire

/// The real programs on a home of their own, ended and removed when the test is over.
final class LiveDevice {
    static let root = Checkout.root

    /// Where tresor, tresord and tresor-enclave lie: what `make test` staged, else the debug build.
    static let programs = Checkout.programs

    let folder: String
    let home: Home
    let programs: String
    private var child: ChildProcess?
    /// What the daemon gets besides its home.
    private let environment: [String: String]

    /// - Parameter lettingTestIn: whether this process may use the owner's group, which is kept as an item.
    init(
        programs: String = LiveDevice.programs, folder: String? = nil, starting: Bool = true,
        lettingTestIn: Bool = true, environment: [String: String] = [:]
    ) throws {
        self.environment = environment
        isTestIn = !lettingTestIn
        let folder =
            folder ?? NSTemporaryDirectory() + "tresor-story-" + Identifier.makeRandom().description.prefix(12)
        self.folder = folder
        self.programs = programs
        home = try Home(environment: { $0 == "TRESOR_HOME" ? folder : nil }, user: CurrentProcess.user)
        if starting { try start() }
    }

    deinit {
        child?.kill()
        try? FileManager.default.removeItem(atPath: folder)
    }

    var daemon: Int32 { child?.id ?? 0 }

    /// - Returns: nil when it runs, else how it ended.
    @discardableResult
    func start() throws -> ChildProcess.End? {
        try FileSystem.makeDirectories(folder)
        let log = try FileDescriptor.open(home.log, FileFlags.append)
        let started = try Self.spawning.withLock { _ in
            setenv("TRESOR_HOME", folder, 1)
            for (name, value) in environment { setenv(name, value, 1) }
            defer { for name in environment.keys { unsetenv(name) } }
            return try ChildProcess(detached: programs + "/tresord", arguments: [], output: log)
        }
        child = started
        for _ in 0..<4000 {
            if let end = started.end() {
                child = nil
                return end
            }
            if (try? status()) != nil {
                try letTestIn()
                return nil
            }
            usleep(2500)
        }
        throw LinuxError(call: "start of tresord", code: 110)
    }

    /// The environment is the process's; one start at a time reads it.
    private static let spawning = NSLockBox()

    final class NSLockBox: @unchecked Sendable {
        private let lock = NSLock()
        func withLock<Result>(_ body: (Int) throws -> Result) rethrows -> Result {
            lock.lock()
            defer { lock.unlock() }
            return try body(0)
        }
    }

    func connect() throws -> SocketTransport { try SocketTransport(home) }

    private var isTestIn: Bool

    /// Lets the test's process read what the command `tresor` keeps; kept over restarts.
    private func letTestIn() throws {
        guard !isTestIn, let report = Introduction.introduce(home), !report.name.isEmpty else { return }
        isTestIn = report.accessGroups.contains(AccessGroup.owner)
        if !isTestIn { isTestIn = try run("app", "allow", report.name).code == 0 }
    }

    func status() throws -> DaemonStatus {
        var status: DaemonStatus?
        try SocketTransport(home, introduces: false).exchange(.status) { payload in
            var reader = ByteReader(payload)
            guard try KeychainReply.header(&reader).tag == .status else { throw try KeychainError(from: &reader) }
            status = try DaemonStatus(from: &reader)
        }
        guard let status else { throw DecodingError.truncated }
        return status
    }

    /// As a power cut would: no signal handler runs.
    func kill() {
        child?.kill()
        child = nil
    }

    /// By the command, as the owner does: nobody else is let do it.
    func stop() throws {
        let down = try run("down")
        guard down.code == 0 else { throw Refused(message: down.errors) }
        _ = child?.waitForEnd()
        child = nil
        // Who looks at the home, or changes it, does so behind them; what else may lie there is nobody's lock.
        for name in ["notes/tresor-notes.lock", "diary/tresor-diary.lock"] {
            guard let lock = try? FileDescriptor.open(home.data + "/" + name, FileFlags.readWrite) else { continue }
            _ = try lock.lockExclusively(within: .seconds(5))
        }
    }

    /// Ends it as `tresor down` does, which sees that its process is gone.
    func down() throws -> Int32 {
        let command = try begin("down")
        _ = child?.waitForEnd()
        child = nil
        command.waitUntilExit()
        return command.terminationStatus
    }

    func restart() throws {
        try stop()
        try start()
    }

    /// A command that had to succeed did not.
    struct Refused: Error { let message: String }

    /// What a command printed, and its exit code.
    struct Outcome {
        var code: Int32
        var output: Data
        var errors: String
        var text: String { String(decoding: output, as: UTF8.self) }
    }

    @discardableResult
    func run(_ arguments: String..., input: Data = Data()) throws -> Outcome { try run(arguments, input: input) }

    @discardableResult
    func run(
        _ arguments: [String], input: Data = Data(), environment: [String: String] = [:]
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: programs + "/tresor")
        process.arguments = arguments
        process.environment = [
            "TRESOR_HOME": folder, "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
        ].merging(environment) { $1 }
        let files = try ["in", "out", "err"].map { name -> FileHandle in
            let path = NSTemporaryDirectory() + "tresor-story-\(name)-" + Identifier.makeRandom().description
            _ = FileManager.default.createFile(atPath: path, contents: name == "in" ? input : nil)
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try FileManager.default.removeItem(atPath: path)
            return handle
        }
        process.standardInput = files[0]
        process.standardOutput = files[1]
        process.standardError = files[2]
        try process.run()
        process.waitUntilExit()
        try files[1].seek(toOffset: 0)
        try files[2].seek(toOffset: 0)
        return Outcome(
            code: process.terminationStatus, output: try files[1].readToEnd() ?? Data(),
            errors: String(decoding: try files[2].readToEnd() ?? Data(), as: UTF8.self))
    }

    /// Every byte of the home's files.
    func state() throws -> Data {
        var all = Data()
        let enumerator = FileManager.default.enumerator(atPath: folder)
        while let name = enumerator?.nextObject() as? String {
            guard try FileSystem.status(folder + "/" + name)?.isRegular == true else { continue }
            all.append(contentsOf: try FileSystem.read(folder + "/" + name, limit: 1 << 30))
        }
        return all
    }
}

extension LiveDevice {
    func perform(_ request: consuming KeychainRequest) throws { try connect().perform(request) }
    func setPasscode(_ passcode: String = "1234") throws {
        try succeed("passcode", "set", input: Data("\(passcode)\n\(passcode)\n".utf8))
    }
    func removePasscode(_ passcode: String = "1234") throws {
        try succeed("passcode", "remove", input: Data("\(passcode)\n".utf8))
    }
    func resetPasscode() throws { try succeed("passcode", "reset", "--yes") }

    /// Runs the command as the owner does.
    func succeed(_ arguments: String..., input: Data = Data()) throws {
        let outcome = try run(arguments, input: input)
        guard outcome.code == 0 else { throw Refused(message: outcome.errors) }
    }
    func unlock(_ passcode: String = "1234") throws {
        try perform(.unlock(CarriedSecret(try SecretBytes(text: passcode))))
    }
}
