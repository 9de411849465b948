import Foundation
import Testing

/// Widgets on the bars that are installed here, on a machine that has time for them.
@Suite(
    .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["TRESOR_HOSTS"] != nil, "'make hosts' looks at them"))
struct HostStories {
    @Test
    func `hosts hide at a lock and when the daemon dies, and show then nothing that depends on a secret`() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            LiveDevice.root.appendingPathComponent("packaging/host_screens").path, LiveDevice.programs + "/tresor",
            "--patience", "4",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .split(separator: "\n")
        process.waitUntilExit()
        #expect(lines.filter { $0.hasPrefix("fail") } == [])
        #expect(process.terminationStatus == 0, "\(lines.joined(separator: "\n"))")
        #expect(lines.contains { $0.hasPrefix("ok tmux locked ") } && lines.contains("ok tmux locked-same"))
    }
}
