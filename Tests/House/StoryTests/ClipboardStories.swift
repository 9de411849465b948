import Foundation
import Testing

/// Secrets on a desktop's clipboard: lent by a process that outlives the command, and taken away by it.
@Suite(.serialized) struct ClipboardStories {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    private func add(_ name: String, _ secret: String) throws {
        #expect(try device.run("add", name, input: Data(secret.utf8)).code == 0)
    }

    /// The processes that keep something on a clipboard, by their command lines.
    private func keepers() throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter { id in
            let line = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") ?? Data()
            let words = String(decoding: line, as: UTF8.self).split(separator: "\0")
            return words.first?.hasSuffix("/tresor") == true && words.dropFirst().first == "keep-clipboard"
        }
    }

    /// Whether one is there that has not ended, whoever takes its end.
    private func isAnyThere(_ processes: [Int32]) -> Bool {
        processes.contains { id in
            let stat = FileManager.default.contents(atPath: "/proc/\(id)/stat").map {
                String(decoding: $0, as: UTF8.self)
            }
            return stat.map { !$0.contains(") Z ") && !$0.contains(") X ") } ?? false
        }
    }

    private func end(_ keepers: [Int32], _ signal: Int32) { for id in keepers { kill(id, signal) } }

    @Test func `a copy returns at once, and a process without a terminal clears it when it is asked to end`() throws {
        let desktop = try FakeDesktop(device)
        try add("mail", "the secret")
        let before = try Set(keepers())
        let start = Date()
        let copied = try device.run(["copy", "mail"], environment: desktop.environment)
        #expect(copied.code == 0 && copied.output.isEmpty && copied.errors.contains("30 seconds"), "\(copied)")
        #expect(Date().timeIntervalSince(start) < 10)
        #expect(desktop.waits { desktop.text == "the secret" })
        let keepers = try keepers().filter { !before.contains($0) }
        #expect(keepers.count == 1)
        let stat = try String(contentsOfFile: "/proc/\(keepers.first ?? 0)/stat", encoding: .utf8)
        let fields = stat.split(separator: " ")
        #expect(fields[5] == fields[0] && fields[6] == "0", "a session of its own without a terminal: \(stat)")
        let line = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(keepers.first ?? 0)/cmdline"))
        #expect(!String(decoding: line, as: UTF8.self).contains("the secret"))
        end(keepers, SIGHUP)
        usleep(300_000)
        #expect(desktop.text == "the secret", "the end of a terminal does not concern it")
        end(keepers, SIGTERM)
        #expect(desktop.waits { desktop.text == "" && !isAnyThere(keepers) })
        #expect(desktop.waits { !isAnyThere([desktop.owner ?? 0]) })
    }

    @Test func `what another program copied meanwhile stays, and of two copies the first does not clear the second`()
        throws
    {
        let desktop = try FakeDesktop(device)
        try add("mail", "the secret")
        let before = try Set(keepers())
        #expect(try device.run(["copy", "mail"], environment: desktop.environment).code == 0)
        let first = try keepers().filter { !before.contains($0) }
        // The same text, so that looking at it says nothing.
        #expect(try device.run(["copy", "mail"], environment: desktop.environment).code == 0)
        let second = try keepers().filter { !before.contains($0) && !first.contains($0) }
        #expect(first.count == 1 && second.count == 1)
        end(first, SIGTERM)
        #expect(desktop.waits { !isAnyThere(first) })
        #expect(desktop.text == "the secret")
        try desktop.copyByAnother("a shopping list")
        end(second, SIGTERM)
        #expect(desktop.waits { !isAnyThere(second) })
        #expect(desktop.text == "a shopping list")
    }

    @Test func `a killed keeper takes the clipboard's owner with it, and a desktop that brings texts back is told`()
        throws
    {
        let desktop = try FakeDesktop(device)
        try add("mail", "the secret")
        let before = try Set(keepers())
        #expect(try device.run(["copy", "mail"], environment: desktop.environment).code == 0)
        #expect(desktop.waits { desktop.text == "the secret" })
        end(try keepers().filter { !before.contains($0) }, SIGKILL)
        #expect(desktop.waits { desktop.text == "" })

        let keeping = try FakeDesktop(device, keepsTexts: true)
        #expect(try device.run(["copy", "mail"], environment: keeping.environment).code == 0)
        #expect(keeping.waits { keeping.text == "the secret" })
        end(try keepers().filter { !before.contains($0) }, SIGTERM)
        #expect(keeping.waits { keeping.text == "" })
    }

    @Test func `a lock is answered when the clipboard is cleared`() throws {
        let desktop = try FakeDesktop(device)
        try device.setPasscode()
        try add("mail", "the secret")
        #expect(try device.run(["copy", "mail"], environment: desktop.environment).code == 0)
        #expect(desktop.waits { desktop.text == "the secret" })
        #expect(try device.run("lock").code == 0)
        #expect(desktop.text == "", "not a moment later")
        let shut = try device.run(["copy", "mail"], environment: desktop.environment)
        #expect(shut.code == 5 && desktop.text == "", "\(shut)")
        try device.unlock()
        #expect(try device.run(["copy", "mail"], environment: desktop.environment).code == 0)
        #expect(desktop.waits { desktop.text == "the secret" })
        device.kill()
        #expect(desktop.waits { desktop.text == "" }, "a device that has ended is locked")
    }

    @Test func `histories are told where wl-copy can, and what is missing is named`() throws {
        try add("mail", "the secret")
        for (kind, marks) in [(FakeDesktop.Kind.wlCopy, true), (.wlCopyOfOldVersion, false)] {
            let desktop = try FakeDesktop(device, kind)
            let made = try device.run(["generate", "--clip"], environment: desktop.environment)
            #expect(made.code == 0 && made.output.isEmpty && made.errors.contains("20 characters"), "\(made)")
            #expect(desktop.waits { desktop.text?.count == 20 })
            #expect(
                desktop.arguments?.contains("--sensitive") == marks
                    && desktop.arguments?.contains("--foreground") == true)
        }
        let failing = try FakeDesktop(device, .failing)
        let failed = try device.run(["copy", "mail"], environment: failing.environment)
        #expect(failed.code == 69 && failed.errors.contains("nothing was copied"), "\(failed)")
        for (variables, word) in [
            (["WAYLAND_DISPLAY": ":77"], "wl-clipboard"), (["DISPLAY": ":77"], "xclip"), ([:], "session"),
        ] {
            let environment = variables.merging(["PATH": "/nonexistent"]) { $1 }
            let absent = try device.run(["copy", "mail"], environment: environment)
            #expect(absent.code == 69 && absent.output.isEmpty && absent.errors.contains(word), "\(absent)")
        }
        #expect(try device.run("generate", "--clip", "--json").code == 64)
    }
}
