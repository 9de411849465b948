import Foundation
import Glibc
import Linux
import Secrets
import Testing
import WidgetClient
import Wire

/// A host as tresor sees it: a program that starts `tresor widget stream` and reads its lines.
final class WidgetHost {
    private let process = Process()
    private let output: FileHandle
    private var waiting: [UInt8] = []
    private var shown = ""

    init(_ device: LiveDevice, _ arguments: [String]) throws {
        let pipe = Pipe()
        output = pipe.fileHandleForReading
        process.executableURL = URL(fileURLWithPath: device.programs + "/tresor")
        process.arguments = ["widget", "stream"] + arguments
        process.environment = ["TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        try pipe.fileHandleForWriting.close()
    }

    deinit {
        if process.isRunning { process.terminate() }
        guard !waitForEnd(seconds: 20) else { return }
        Issue.record("tresor widget stream did not hear SIGTERM")
        kill(process.processIdentifier, SIGKILL)
    }

    var id: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }
    func waitForEnd(seconds: Int) -> Bool {
        for _ in 0..<seconds * 100 where process.isRunning { usleep(10_000) }
        return !process.isRunning
    }

    /// The host ends without a word.
    func closeOutput() throws { try output.close() }

    /// The next line; nil where none comes in time.
    func line(within milliseconds: Int = 10_000) throws -> String? {
        let end = SystemClock.bootMilliseconds() + UInt64(milliseconds)
        while true {
            if let index = waiting.firstIndex(of: 10) {
                defer { waiting.removeSubrange(...index) }
                shown = String(decoding: waiting[..<index], as: UTF8.self)
                return shown
            }
            let now = SystemClock.bootMilliseconds()
            let left = now < end ? Int(end - now) : 0
            switch try Poll.wait(untilReadable: output.fileDescriptor, milliseconds: left) {
            case .ready: break
            case .timedOut, .interrupted: return nil
            }
            let part = output.availableData
            guard !part.isEmpty else { return nil }
            waiting += part
        }
    }

    /// What a bar shows now: the newest line that has come.
    func lastLine() throws -> String {
        while try line(within: 0) != nil {}
        return shown
    }

    /// The first line that has this text in it, and the lines before; nil where none comes in time.
    func line(with text: String, within milliseconds: Int = 10_000) throws -> String? {
        let end = SystemClock.bootMilliseconds() + UInt64(milliseconds)
        while SystemClock.bootMilliseconds() < end {
            guard let line = try line(within: Int(end - SystemClock.bootMilliseconds())) else { return nil }
            if line.contains(text) { return line }
        }
        return nil
    }
}

extension LiveDevice {
    @discardableResult
    func widget(_ arguments: String...) throws -> Outcome { try run(["widget"] + arguments) }

    /// The resident's process; the command starts it, as it alone has this device's environment.
    func widgetProcess() throws -> Int32 {
        try widget("list")
        let connection = try WidgetConnection(home: home)
        guard case .status(let status) = try connection.ask(.status).reply else { return 0 }
        return status.process
    }
}
