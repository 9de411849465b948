import Conformance
import EnclaveWire
import Foundation
import Linux
import Protection
import Secrets
import Testing

/// The delays through the enclave's testing build, whose clock is a file.
@Suite(
    .serialized,
    .enabled(
        if: FileManager.default.fileExists(atPath: LiveDevice.programs + "/clock/tresor-enclave"),
        "make test stages the enclave with a test clock"))
struct ClockOfTheEnclave {
    @Test func `the whole delay table, across restarts and a clock set back`() throws {
        let device = try EnclaveProcess()
        try device.call(.setPasscode(EnclaveSecret(try SecretBytes(text: "right"))))
        try device.restart()
        var now: UInt64 = 1_000_000
        try device.set(now)
        let minutes: [UInt64] = [0, 0, 0, 1, 5, 15, 60, 180, 480, 480]
        for (number, wait) in minutes.enumerated() {
            #expect(try device.unlock("wrong \(number)") == .wrongPasscode(delay: .milliseconds(wait * 60_000)))
            guard wait > 0 else { continue }
            try device.set(now + wait * 60_000 - 1)
            #expect(try device.unlock("right") == .delayed(delay: .milliseconds(1)))
            try device.restart()
            #expect(try device.unlock("right") == .delayed(delay: .milliseconds(wait * 60_000)))
            try device.set(0)
            #expect(try device.unlock("right") == .delayed(delay: .milliseconds(wait * 60_000)))
            now = wait * 60_000
            try device.set(now)
        }
        #expect(try device.unlock("right") == nil)
    }

    @Test func `the tenth erases where the owner asked for it with the passcode`() throws {
        let device = try EnclaveProcess()
        try device.call(.setPasscode(EnclaveSecret(try SecretBytes(text: "right"))))
        let settings = SecuritySettings(delayPolicy: .apple2024, erasesAfterTenTries: true, minimumPasscodeLength: 1)
        try device.call(
            .changeSettings(SettingsChange(passcode: SecretBytes(text: "right"), settings: settings)))
        var last: EnclaveRefusal?
        for number in 0..<10 {
            last = try device.unlock("wrong \(number)")
            try device.set(UInt64(number + 1) * 480 * 60_000)
        }
        #expect(last == .erased)
        #expect(try device.unlock("right") == .noPasscodeSet)
    }

    /// The enclave alone, spoken to over its socket.
    private final class EnclaveProcess {
        private let folder: String
        private let clock: FileDescriptor
        private var socket: FileDescriptor
        private var process: ChildProcess

        init() throws {
            folder = NSTemporaryDirectory() + "tresor-clock-" + Identifier.makeRandom().description
            try FileSystem.makeDirectories(folder)
            clock = try FileDescriptor.open(folder + "/clock", FileFlags.readWriteOrCreate)
            try clock.write([UInt8](repeating: 0, count: 8), at: 0)
            let (ours, started) = try Self.start(folder, clock)
            socket = FileDescriptor(owning: ours)
            process = started
        }

        deinit {
            process.kill()
            try? FileSystem.removeTree(folder)
        }

        private static func start(
            _ folder: String, _ clock: borrowing FileDescriptor
        ) throws -> (Int32, ChildProcess) {
            let (ours, theirs) = try UnixSocket.makePair()
            let far = FileDescriptor(owning: theirs)
            let directory = try FileDescriptor.open(folder, FileFlags.directory)
            let process = try ChildProcess(
                path: LiveDevice.programs + "/clock/tresor-enclave", name: "tresor-enclave",
                descriptors: [far.raw, directory.raw, clock.raw])
            return (ours, process)
        }

        func restart() throws {
            process.kill()
            let (ours, started) = try Self.start(folder, clock)
            socket = FileDescriptor(owning: ours)
            process = started
        }

        func set(_ milliseconds: UInt64) throws {
            try clock.write((0..<8).map { UInt8(truncatingIfNeeded: milliseconds >> UInt64(56 - 8 * $0)) }, at: 0)
        }

        func unlock(_ passcode: String) throws -> EnclaveRefusal? {
            do {
                try call(.unlock(EnclaveSecret(try SecretBytes(text: passcode))))
                return nil
            } catch let refusal as EnclaveRefusal { return refusal }
        }

        func call(_ request: consuming EnclaveRequest) throws {
            var output = try SecretBuffer()
            try request.encode(into: &output)
            _ = try output.withBytes { try socket.writeAll($0) }
            var input = try SecretBuffer(capacity: 4096)
            while case .moved = try socket.read(into: &input.storage, room: 4096) {
                guard let end = try StreamFrame.byteCount(of: input.bytes, limit: StreamFrame.enclaveLimit),
                    input.count >= end
                else { continue }
                _ = try EnclaveReply.decode(input.bytes.extracting(StreamFrame.headerByteCount..<end)).unlessRefused()
                return
            }
            throw LinuxError(call: "the enclave ended", code: 32)
        }
    }
}
