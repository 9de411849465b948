import Foundation
import Glibc
import Linux
import Testing

@testable import ImageSandbox

/// How the resident program gets on with a decoder that misbehaves: other programs take its place.
@Suite struct ThumbnailRunTests {
    @Test func `an answer in its one form is believed`() throws {
        let answer = ImageAnswer.pictures(ImageFacts(width: 1, height: 1), thumbnail: Pictures.jpeg, preview: nil)
        try withScript(answering: answer.encoded) { program in
            try #expect(Self.thumbnail(program) == Pictures.jpeg)
        }
    }

    @Test func `what is no answer, or one to another question, is not believed`() throws {
        for bytes in [[], Array("text".utf8), Pictures.jpeg, ImageAnswer.file(Pictures.jpeg).encoded] {
            try withScript(answering: bytes) { #expect(failure($0) == .badAnswer) }
        }
        #expect(failure("/bin/true") == .badAnswer)
    }

    @Test func `an exit code that is not agreed upon is reported`() {
        #expect(failure("/bin/false") == .failed(.exited(code: 1)))
    }

    @Test func `a program that ends by a signal is reported`() throws {
        try withScript("kill -SEGV $$") { #expect(failure($0) == .failed(.killed(signal: SIGSEGV))) }
    }

    @Test func `the processor time it used up counts as too much time`() throws {
        try withScript("kill -XCPU $$") { #expect(failure($0) == .timedOut) }
    }

    @Test func `a missing program is told from a failing one`() {
        #expect(failure("/nonexistent/tresor-thumb") == .missingProgram)
    }

    @Test func `a program that reads and writes at once never blocks the exchange`() {
        // Both directions are larger than what the kernel keeps for a socket; it gives back what it is given.
        let image = [UInt8](repeating: 7, count: 400 << 10)
        #expect(failure("/bin/cat", image: image, limit: 1000) == .timedOut)
    }

    @Test func `more output than an answer has is not collected`() {
        #expect(failure("/usr/bin/yes") == .badAnswer)
        #expect(failure("/bin/cat", image: [UInt8](repeating: 7, count: 8 << 20)) == .badAnswer)
    }

    @Test func `a program that hangs is killed when its time is up`() throws {
        let mark = "\(Int.random(in: 30_000...39_999)).5"
        try withScript("exec sleep \(mark)") { program in
            let start = SystemClock.monotonicNanoseconds()
            #expect(failure(program, limit: 300) == .timedOut)
            #expect(SystemClock.monotonicNanoseconds() - start < 5_000_000_000)
        }
        #expect(Self.commandLines().allSatisfy { !$0.contains(mark) })
    }

    @Test func `a program that closes its output and stays is killed too`() throws {
        try withScript("exec sleep 60 >&-") { #expect(failure($0, limit: 300) == .timedOut) }
    }

    @Test func `the program gets an empty environment and two descriptors`() throws {
        // The shell makes variables of its own, and keeps its script open as 10.
        let script = """
            env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD= -e ^SWIFT_BACKTRACE= && exit 3
            for number in 3 4 5 6 7 8 9 11 12; do [ -e /proc/$$/fd/$number ] && exit 4; done
            exit 66
            """
        try withScript(script) { #expect(failure($0) == .failed(.exited(code: 66))) }
    }

    private static func thumbnail(_ program: String) throws -> [UInt8] {
        while true {
            let image = Pictures.jpeg
            do { return try Thumbnail.make(of: image.span.bytes, program: program) } catch {
                guard case .system(let reason) = error, reason.code == ETXTBSY else { throw error }
                SystemClock.sleep(milliseconds: 5)
            }
        }
    }

    private func failure(_ program: String, image: [UInt8] = [1, 2, 3], limit: Int = 15_000) -> ImageError? {
        while true {
            do {
                _ = try ImageRun.run(.thumbnail, of: image.span.bytes, program: program, milliseconds: limit)
                return nil
            } catch {
                // A child that another test has just forked may still hold the script open for writing.
                guard case .system(let reason) = error, reason.code == ETXTBSY else { return error }
                SystemClock.sleep(milliseconds: 5)
            }
        }
    }

    private func withScript(answering bytes: [UInt8], _ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("answer-\(UUID().uuidString)").path
        defer { unlink(path) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try withScript("cat '\(path)'") { try body($0) }
    }

    private func withScript(_ text: String, _ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("decoder-\(UUID().uuidString)").path
        defer { unlink(path) }
        try "#!/bin/sh\n\(text)\n".write(toFile: path, atomically: true, encoding: .utf8)
        chmod(path, 0o700)
        try body(path)
    }

    private static func commandLines() -> [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8) }
    }
}
