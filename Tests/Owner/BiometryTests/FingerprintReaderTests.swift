import Biometry
import Foundation
import Linux
import Testing

/// The real fprintd, with a virtual reader.
@Suite(
    .serialized,
    .enabled(
        if: FingerprintService.missing.isEmpty,
        "not installed: \(FingerprintService.missing.joined(separator: " "))"))
struct FingerprintReaderTests {
    private static let anna = "anna"
    private static let patience: UInt64 = 20_000

    private func user(_ name: String = anna) throws -> LoginName { try #require(LoginName(name)) }

    private func reader(_ service: FingerprintService) -> FingerprintReader {
        FingerprintReader(address: service.address, trustedUser: getuid())
    }

    /// Verifies, and does what the test wants once the reader waits for a finger.
    private func verify(
        _ service: FingerprintService, _ commands: [String], hints: inout [ScanHint]
    ) throws -> VerificationOutcome {
        var left = commands[...]
        return try reader(service).verify(try user(), milliseconds: Self.patience) { hint in
            hints.append(hint)
            if let next = left.popFirst() { #expect(throws: Never.self) { try service.reader(next) } }
        }
    }

    private func verify(_ service: FingerprintService, _ commands: String...) throws -> VerificationOutcome {
        var hints: [ScanHint] = []
        return try verify(service, commands, hints: &hints)
    }

    @Test func `the enrolled finger matches, and another does not`() throws {
        let service = try FingerprintService()
        try service.enroll(Self.anna, scan: "anna")
        #expect(try verify(service, "SCAN anna") == .match)
        #expect(try verify(service, "SCAN eve") == .noMatch)
        #expect(try verify(service, "SCAN anna") == .match)
    }

    @Test func `a bad scan is a hint, and no failure`() throws {
        let service = try FingerprintService()
        try service.enroll(Self.anna, scan: "anna")
        var hints: [ScanHint] = []
        let commands = ["RETRY 0", "RETRY 1", "RETRY 2", "RETRY 3", "SCAN anna"]
        #expect(try verify(service, commands, hints: &hints) == .match)
        #expect(hints == [.ready, .retryScan, .swipeTooShort, .fingerNotCentered, .removeAndRetry])
    }

    @Test func `a reader that fails, is unplugged, or loses its daemon is not a finger`() throws {
        let anna = try user()
        let service = try FingerprintService()
        try service.enroll(Self.anna, scan: "anna")
        #expect(try verify(service, "ERROR 0") == .unknownError)
        // FP_DEVICE_ERROR_PROTO, which fprintd 1.94 takes for a reader that is gone.
        #expect(try verify(service, "ERROR 5") == .disconnected)
        let outcome = try reader(service).verify(try user(), milliseconds: Self.patience) { _ in service.stopService() }
        #expect(outcome == .disconnected)
        try service.startService()
        #expect(try verify(service, "SCAN anna") == .match)
        // One that is really gone is an unknown error to it, and there is none afterwards.
        let unplugged = try verify(service, "UNPLUG")
        #expect(unplugged == .unknownError)
        // fprintd lists it until it has given it up, and fails whoever claims it meanwhile.
        try service.waitUntil("the reader to be gone") {
            do throws(BiometryError) {
                _ = try reader(service).verify(anna, milliseconds: Self.patience) { _ in }
                return false
            } catch {
                #expect(error == .noReader || error == .serviceFailed)
                return error == .noReader
            }
        }
    }

    @Test func `nobody at the reader: it times out, is given up, and is free again`() throws {
        let service = try FingerprintService()
        try service.enroll(Self.anna, scan: "anna")
        #expect(try reader(service).verify(try user(), milliseconds: 500) == .timedOut)
        let (near, far) = try UnixSocket.makePair()
        let mine = FileDescriptor(owning: near)
        let theirs = FileDescriptor(owning: far)
        let outcome = try reader(service).verify(
            try user(), milliseconds: Self.patience, cancelledBy: theirs.raw
        ) { _ in _ = write(mine.raw, "x", 1) }
        #expect(outcome == .cancelled)
        #expect(try verify(service, "SCAN anna") == .match)
    }

    @Test func `an event loop of the caller's own is never made to wait, and its clock decides`() throws {
        let service = try FingerprintService()
        try service.enroll(Self.anna, scan: "anna")
        var events: [FingerprintEvent] = []
        func run(_ conversation: FingerprintConversation, at now: UInt64, until isEnough: () -> Bool) throws {
            while !isEnough() {
                let start = SystemClock.monotonicNanoseconds()
                events += conversation.process(at: now)
                #expect(SystemClock.monotonicNanoseconds() - start < 500_000_000)
                guard let interest = conversation.interest(at: now), !isEnough() else { continue }
                var poll = Poll()
                poll.add(interest.descriptor, reading: interest.reading, writing: interest.writing)
                try poll.wait(milliseconds: min(interest.milliseconds ?? 1000, 1000))
            }
        }
        let first = try reader(service).startVerifying(try user(), until: 1000)
        try run(first, at: 999) { events.contains(.hint(.ready)) }
        try service.reader("SCAN anna")
        try run(first, at: 999) { first.hasEnded }
        #expect(events == [.hint(.ready), .verified(.match)])
        events = []
        let second = try reader(service).startVerifying(try user(), until: 1000)
        try run(second, at: 999) { events.contains(.hint(.ready)) }
        try run(second, at: 1000) { second.hasEnded }
        #expect(events == [.hint(.ready), .verified(.timedOut)])
    }

    @Test func `a match that somebody else on the bus reports is not heard`() throws {
        let service = try FingerprintService()
        try service.enroll(Self.anna, scan: "anna")
        let outcome = try reader(service).verify(try user(), milliseconds: Self.patience) { _ in
            #expect(throws: Never.self) {
                try service.forgeMatch()
                try service.reader("SCAN eve")
            }
        }
        #expect(outcome == .noMatch)
    }

    @Test func `a daemon that does not run as the trusted user is not asked`() throws {
        let service = try FingerprintService()
        let reader = FingerprintReader(address: service.address, trustedUser: getuid() + 1)
        #expect(throws: BiometryError.serviceUntrusted) { try reader.verify(try user(), milliseconds: Self.patience) }
        #expect(throws: BiometryError.serviceUntrusted) { try reader.enrolledFingers(of: try user()) }
    }

    @Test func `why it cannot be asked is told apart, and a reader that was claimed is handed back`() throws {
        let service = try FingerprintService()
        #expect(throws: BiometryError.notEnrolled) { try verify(service) }
        try service.enroll(Self.anna, scan: "anna")
        try service.allow(false)
        #expect(throws: BiometryError.permissionDenied) { try verify(service) }
        try service.allow(true)
        let other = try service.occupy(Self.anna)
        #expect(throws: BiometryError.readerBusy) { try verify(service) }
        FingerprintService.end(other)
        #expect(try verify(service, "SCAN anna") == .match)
    }

    @Test func `fprintd is started when it is asked for`() throws {
        let service = try FingerprintService(byActivation: true)
        #expect(try reader(service).enrolledFingers(of: try user()) == [])
    }

    @Test func `without a reader, fprintd or bus it is said which`() throws {
        let service = try FingerprintService(hasReader: false)
        #expect(throws: BiometryError.noReader) { try verify(service) }
        service.stopService()
        #expect(throws: BiometryError.serviceMissing) { try verify(service) }
        let nowhere = FingerprintReader(address: "unix:path=\(service.folder)/none")
        #expect(throws: BiometryError.busUnavailable) { try nowhere.enrolledFingers(of: try user()) }
    }

    @Test func `a bus that accepts and says nothing does not hold us`() throws {
        var template = Array((NSTemporaryDirectory() + "/bus.XXXXXX").utf8CString)
        let folder = String(cString: try #require(mkdtemp(&template)))
        defer { try? FileSystem.removeTree(folder) }
        let path = folder + "/bus"
        let listener = try UnixSocket.listen(path)
        let silent = FingerprintReader(address: "unix:path=" + path)
        #expect(try silent.verify(try user(), milliseconds: 300) == .timedOut)
        #expect(throws: BiometryError.serviceSilent) {
            try silent.enrolledFingers(of: try user(), milliseconds: 300)
        }
        _ = listener.raw
    }
}
