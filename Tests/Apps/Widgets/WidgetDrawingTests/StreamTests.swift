import Foundation
import Glibc
import Linux
import Testing
import WidgetDrawing
import Widgets

/// specs/draw-stream.md, and how the client takes programs that do not keep to it.
@Suite struct StreamTests {
    private static let frame = Sample.frame(.systemSmall, Sample.text("words"))

    @Test func `a request is read as it was written, and no other bytes are one`() throws {
        let request = DrawRequest(frame: [1, 2, 3], scale: .two, depth: .ink, theme: .dark)
        let bytes = try #require(request.encoded)
        #expect(bytes == [0, 0, 0, 7, 1, 2, 1, 1, 1, 2, 3])
        let body = Array(bytes.dropFirst(4))
        #expect(DrawRequest(body) == request)
        let wrong: [[UInt8]] = [
            [], [1, 2, 1], [2, 2, 1, 1], [1, 3, 1, 1], [1, 0, 1, 1], [1, 2, 4, 1], [1, 2, 1, 2],
        ]
        for bytes in wrong { #expect(DrawRequest(bytes) == nil) }
        let large = DrawRequest(
            frame: [UInt8](repeating: 0, count: DrawRequest.limit), scale: .one, depth: .ink, theme: .dark)
        #expect(large.encoded == nil)
    }

    @Test func `the example of widget-frame is a frame, and with any byte more or fewer it is none`() throws {
        let example: [UInt8] = [
            1, 0, 0, 0, 4, 0x6c, 0x6f, 0x63, 0x6b, 0, 0, 0, 4, 0x4c, 0x6f, 0x63, 0x6b, 0, 4, 0, 0, 1, 0, 0, 0, 4, 0x4f,
            0x70, 0x65, 0x6e, 1, 0, 0, 0, 0,
        ]
        let frame = try Frame(decoding: example)
        #expect(frame.kind == "lock" && frame.displayName == "Lock" && frame.family == .accessoryInline)
        #expect(frame.root == Sample.text("Open"))
        #expect(try frame.encode() == example)
        for count in 0..<example.count {
            #expect(throws: WidgetCodingError.truncated) { try Frame(decoding: Array(example.prefix(count))) }
        }
        #expect(throws: WidgetCodingError.trailing) { try Frame(decoding: example + [0]) }
        let request = DrawRequest(frame: example, scale: .two, depth: .color, theme: .dark)
        #expect(request.encoded?.prefix(8) == [0, 0, 0, 0x27, 1, 2, 8, 1])
    }

    @Test func `an answer is read as it was written, and no other bytes are one`() {
        let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 9]
        for answer in [DrawAnswer.png(png)] + DrawAnswer.Refusal.allCases.map(DrawAnswer.refused) {
            #expect(DrawAnswer(Array(answer.encoded.dropFirst(4))) == answer)
            #expect(DrawLength.decode(answer.encoded) == answer.encoded.count - 4)
        }
        let wrong: [[UInt8]] = [[], [0], [0, 1, 2, 3, 4], [1, 0], [9]]
        for bytes in wrong { #expect(DrawAnswer(bytes) == nil) }
    }

    /// What the program writes, and how it ends.
    private static func run(_ input: [UInt8]) throws -> (output: [UInt8], code: Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Programs.drawing)
        process.environment = ["SWIFT_BACKTRACE": "enable=no"]
        let (feeding, output) = (Pipe(), Pipe())
        process.standardInput = feeding
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try feeding.fileHandleForWriting.write(contentsOf: Data(input))
        try feeding.fileHandleForWriting.close()
        let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        return (bytes, process.terminationStatus)
    }

    @Test(.enabled(if: Sandbox.holds() == true, "needs Landlock"))
    func `given requests that are none, the program says so and goes on, until a stream that is none`() throws {
        let frame = try Self.frame.encode()
        let good = try #require(DrawRequest(frame: frame, scale: .one, depth: .ink, theme: .light).encoded)
        let badFrame = try #require(
            DrawRequest(frame: frame + [0], scale: .one, depth: .ink, theme: .light).encoded)
        let badRequest: [UInt8] = [0, 0, 0, 4, 9, 9, 9, 9]
        let empty: [UInt8] = [0, 0, 0, 0]
        let (output, code) = try Self.run(badRequest + badFrame + empty + good)
        #expect(code == DrawExit.done)
        #expect(Array(output.prefix(15)) == [0, 0, 0, 1, 1, 0, 0, 0, 1, 2, 0, 0, 0, 1, 1])
        #expect(DrawAnswer(Array(output.dropFirst(19))) != nil)
        #expect(try Self.run([]).code == DrawExit.done)
        #expect(try Self.run([0xff, 0xff, 0xff, 0xff]).code == DrawExit.badStream)
        #expect(try Self.run(Array(good.dropLast())).code == DrawExit.badStream)
    }

    @Test func `given no program, that is said`() {
        let program = DrawingProgram(path: "/nonexistent/tresor-draw")
        #expect(throws: DrawingError.missingProgram) { try program.png(Self.frame) }
    }

    @Test func `given programs that end, answer nonsense or hang, the client gives up in time`() throws {
        #expect(throws: DrawingError.ended) { try DrawingProgram(path: "/bin/false").png(Self.frame) }
        #expect(throws: DrawingError.ended) { try DrawingProgram(path: "/bin/cat").png(Self.frame) }
        let path = NSTemporaryDirectory() + "tresor-hang-" + UUID().uuidString
        try Data("#!/bin/sh\nexec sleep 60\n".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let program = DrawingProgram(path: path, patience: 200)
        let start = ContinuousClock.now
        #expect(throws: DrawingError.timedOut) { try program.png(Self.frame) }
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(program.processID == nil)
    }

    @Test func `given a frame that can't be written, that is said`() {
        let text = Sample.text(String(repeating: "x", count: WidgetLimit.textBytes + 1))
        let program = DrawingProgram(path: "/nonexistent/tresor-draw")
        #expect(throws: DrawingError.tooLarge) { try program.png(Sample.frame(.systemSmall, text)) }
    }

    /// What it may do is tried on a thread of this process, which alone is bound.
    @Test(.enabled(if: Sandbox.holds() == true, "needs Landlock"))
    func `behind the filter neither files of the user can be opened nor programs started`() {
        let outcome = Outcome()
        let thread = Thread {
            if Sandbox.closeForDrawing() {
                let paths = ["/etc/passwd", "/proc/self/environ", NSHomeDirectory()]
                outcome.opened = paths.filter { path in
                    let descriptor = open(path, O_RDONLY)
                    if descriptor >= 0 { close(descriptor) }
                    return descriptor >= 0
                }
                outcome.hasSocket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0
            }
            outcome.end.signal()
        }
        thread.start()
        outcome.end.wait()
        #expect(outcome.opened == [])
        #expect(outcome.hasSocket == false)
    }

    private final class Outcome: @unchecked Sendable {
        var opened: [String]?
        var hasSocket: Bool?
        let end = DispatchSemaphore(value: 0)
    }
}
