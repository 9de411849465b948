import Biometry
import Foundation
import Testing

/// The bytes to which an item can be bound: specs/fingerprint-enrolment.md.
@Suite struct EnrolmentTests {
    private static func temporaryFolder() throws -> String {
        var template = Array((NSTemporaryDirectory() + "/enrolment.XXXXXX").utf8CString)
        return String(cString: try #require(mkdtemp(&template)))
    }

    private func user(_ name: String = "anna") throws -> LoginName { try #require(LoginName(name)) }

    /// What stands in `folder`; nobody is asked, for there is no bus.
    private func read(_ folder: String) throws -> (enrolment: Enrolment, bytes: [UInt8]) {
        var bytes: [UInt8] = []
        let reader = FingerprintReader(address: "unix:path=/nonexistent")
        let enrolment = try reader.enrolment(of: try user(), folder: folder) { bytes += $0 }
        return (enrolment, bytes)
    }

    private func write(_ text: String, _ path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test func `the bytes are those of the specification`() throws {
        let folder = try Self.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write("abc", folder + "/anna/virtual_device/0/7")
        try write("", folder + "/anna/virtual_device/0/2")
        try write("other", folder + "/bert/virtual_device/0/7")
        let (enrolment, bytes) = try read(folder)
        #expect(enrolment.fingers == 2 && enrolment.isComplete)
        let head = Array("tresor enrolment 1".utf8) + [1, 0, 0, 0, 2]
        func file(_ finger: String, _ contents: String) -> [UInt8] {
            [0, 0, 0, 18] + Array("virtual_device/0/\(finger)".utf8) + [
                0, 0, 0, 0, 0, 0, 0, UInt8(contents.utf8.count),
            ]
                + Array(contents.utf8)
        }
        #expect(bytes == head + file("2", "") + file("7", "abc"))
    }

    @Test func `nobody enrolled is an answer, too`() throws {
        let folder = try Self.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (enrolment, bytes) = try read(folder)
        #expect(enrolment.fingers == 0 && enrolment.isComplete)
        #expect(bytes == Array("tresor enrolment 1".utf8) + [1, 0, 0, 0, 0])
    }

    @Test func `of names alone the bytes say so, and don't depend on their order`() {
        var (one, other): ([UInt8], [UInt8]) = ([], [])
        let enrolment = Enrolment(names: ["right-thumb", "left-thumb"]) { one += $0 }
        _ = Enrolment(names: ["left-thumb", "right-thumb"]) { other += $0 }
        #expect(enrolment.fingers == 2 && !enrolment.isComplete)
        let expected =
            Array("tresor enrolment 1".utf8) + [2, 0, 0, 0, 2] + [0, 0, 0, 10] + Array("left-thumb".utf8)
            + [0, 0, 0, 11] + Array("right-thumb".utf8)
        #expect(one == expected && other == expected)
    }

    @Test(arguments: ["link", "pipe", "deep", "large"])
    func whatFprintdWouldNotWriteIsRefused(_ kind: String) throws {
        let folder = try Self.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let base = folder + "/anna/virtual_device/0"
        try write("abc", base + "/7")
        switch kind {
        case "link": try FileManager.default.createSymbolicLink(atPath: base + "/8", withDestinationPath: base + "/7")
        case "pipe": #expect(mkfifo(base + "/8", 0o600) == 0)
        case "deep": try write("abc", base + "/a/b/c/d/e/f/g/h")
        default: #expect(truncate(base + "/7", (16 << 20) + 1) == 0)
        }
        #expect(throws: BiometryError.enrolmentUnreadable) { try read(folder) }
    }

    @Test func `a user's name is a name, not a path`() {
        for text in ["", ".", "..", "a/b", "a\u{0}b", "a\nb", String(repeating: "a", count: 256)] {
            #expect(LoginName(text) == nil)
        }
        #expect(LoginName("anna")?.text == "anna")
    }
}

/// The same with what the real fprintd writes.
@Suite(
    .serialized,
    .enabled(
        if: FingerprintService.missing.isEmpty,
        "not installed: \(FingerprintService.missing.joined(separator: " "))"))
struct EnrolmentOfRealFingers {
    private func state(_ service: FingerprintService) throws -> (enrolment: Enrolment, bytes: [UInt8]) {
        var bytes: [UInt8] = []
        let reader = FingerprintReader(address: service.address, trustedUser: getuid())
        let user = try #require(LoginName("anna"))
        let enrolment = try reader.enrolment(of: user, folder: service.state) { bytes += $0 }
        return (enrolment, bytes)
    }

    @Test func `another finger, and the same name enrolled anew, change the bytes; looking does not`() throws {
        let service = try FingerprintService()
        try service.enroll("anna", scan: "anna")
        let first = try state(service)
        #expect(first.enrolment.fingers == 1 && first.enrolment.isComplete)
        #expect(try state(service).bytes == first.bytes)
        try service.enroll("anna", "left-thumb", scan: "anna-thumb")
        let second = try state(service)
        #expect(second.enrolment.fingers == 2 && second.bytes != first.bytes)
        try service.deleteFingers("anna")
        #expect(try state(service).enrolment.fingers == 0)
        try service.enroll("anna", scan: "eve")
        let third = try state(service)
        #expect(third.enrolment.fingers == 1 && third.bytes != first.bytes)
    }

    @Test(.enabled(if: getuid() == 0, "needs root, to be somebody else for a moment"))
    func `who may not read the files sees names, and not that another finger has taken one`() throws {
        let service = try FingerprintService()
        try service.enroll("anna", scan: "anna")
        let first = try asNobody { try state(service) }
        #expect(first.enrolment.fingers == 1 && !first.enrolment.isComplete)
        try service.deleteFingers("anna")
        try service.enroll("anna", scan: "eve")
        #expect(try asNobody { try state(service) }.bytes == first.bytes)
        try service.enroll("anna", "left-thumb", scan: "thumb")
        #expect(try asNobody { try state(service) }.bytes != first.bytes)
    }

    /// On this thread alone, and for files alone: setfsuid(2), which Swift does not import.
    private func asNobody<Result>(_ body: () throws -> Result) throws -> Result {
        let symbol = try #require(dlsym(nil, "setfsuid"))
        let become = unsafeBitCast(symbol, to: (@convention(c) (UInt32) -> Int32).self)
        _ = become(65534)
        defer { _ = become(0) }
        return try body()
    }
}
