import Checkout
import Foundation
import Testing

/// The examples of the manual pages, which packaging/man.py takes from packaging/examples.txt.
@Suite struct ExampleStories {
    private static let lines: [String] = {
        let file = Checkout.root.appendingPathComponent("packaging/examples.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }()

    @Test func `every example names commands and options that there are`() throws {
        let dump = try LiveDevice(starting: false).run("--experimental-dump-help")
        let known = try JSONDecoder().decode(KnownCommands.self, from: dump.output)
        #expect(Self.lines.count > 70)
        for line in Self.lines {
            let words = ConsoleLines.commands(in: line.hasPrefix("- ") ? String(line.dropFirst(2)) : line)
            #expect(words.contains { $0.first == "tresor" }, "\(line)")
            for words in words { #expect(known.problem(words) == nil, "\(line): \(known.problem(words) ?? "")") }
        }
    }

    @Test func `every example that needs no person works, one after the other`() throws {
        let device = try LiveDevice(starting: false)
        defer { _ = try? device.run("down") }
        let folder = device.folder + "-examples"
        try FileManager.default.createDirectory(atPath: folder + "/notes", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, text) in [
            ("walk.txt", "[2026-01-02 10:00] A walk.\nBy the sea.\n"), ("plan.csv", "a,b\n"),
            ("passwords.csv", "name,url,username,password,note\nShop,https://shop.example/,bob,four,\n"),
            ("notes/one.md", "# One\n\nfrom a folder\n"),
        ] { try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name)) }
        for line in Self.lines where !line.hasPrefix("- ") {
            let shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/sh")
            shell.arguments = ["-c", line]
            shell.currentDirectoryURL = URL(fileURLWithPath: folder)
            shell.environment = [
                "TRESOR_HOME": device.folder, "PATH": device.programs + ":/usr/bin:/bin",
                "SWIFT_BACKTRACE": "enable=no", "TZ": "Europe/Oslo",
            ]
            shell.standardInput = FileHandle.nullDevice
            shell.standardOutput = FileHandle.nullDevice
            try shell.run()
            shell.waitUntilExit()
            #expect(shell.terminationStatus == 0, "\(line)")
        }
    }
}
