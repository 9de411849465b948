import Foundation
import Testing

/// A program that is written for Apple's keychain, on the real one of this machine.
@Suite struct AppleApiStories {
    private static let program = LiveDevice.root.appendingPathComponent(".build/debug/Book")

    @Test func `the book's program adds, updates and reads back with the SecItem calls alone`() throws {
        let device = try LiveDevice()
        #expect(try book(device, input: "first\nsecond\n") == "PhotoDiary: first\nPhotoDiary: second\n")
        #expect(try book(device, input: "third\n") == "PhotoDiary: third\n")
        try device.setPasscode()
        try device.perform(.lock)
        #expect(try book(device, input: "fourth\n").hasPrefix("not stored: "))
        try device.unlock()
        #expect(try book(device, input: "fifth\n") == "PhotoDiary: fifth\n")
        try device.stop()
        #expect(try book(device, input: "sixth\n") == "not stored: The keychain is not available.\n")
    }

    private func book(_ device: LiveDevice, input: String) throws -> String {
        let process = Process()
        process.executableURL = Self.program
        process.environment = ["TRESOR_HOME": device.folder, "SWIFT_BACKTRACE": "enable=no"]
        let (questions, answers) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (questions, answers)
        try process.run()
        try questions.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try questions.fileHandleForWriting.close()
        let output = try answers.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
