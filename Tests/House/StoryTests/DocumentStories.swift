import Checkout
import Foundation
import Testing

/// What documents say of the command is so: README's lines do what it shows, and no page names what the command lacks.
@Suite struct DocumentStories {
    private static func text(_ page: String) throws -> String {
        try String(contentsOf: Checkout.root.appendingPathComponent(page), encoding: .utf8)
    }

    /// The pages for people who use the command.
    ///
    /// Decisions are none of them: they tell what was decided then, in the words of then.
    static let pages: [String] = {
        let folder = Checkout.root.appendingPathComponent("docs")
        let enumerator = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
        while let url = enumerator?.nextObject() as? URL {
            if url.lastPathComponent == "decisions" { enumerator?.skipDescendants() }
            if url.pathExtension == "md" { pages.append("docs" + url.path.dropFirst(folder.path.count)) }
        }
        return pages.sorted()
    }()

    /// Runs a line as a person's shell does; what it says on both outputs, in its order.
    private func enter(_ line: String, on device: LiveDevice) throws -> (code: Int32, said: String) {
        let path = NSTemporaryDirectory() + "tresor-story-typed-" + UUID().uuidString
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let said = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", line]
        shell.environment = [
            "TRESOR_HOME": device.folder, "PATH": device.programs + ":/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
        ]
        shell.standardInput = FileHandle.nullDevice
        shell.standardOutput = said
        shell.standardError = said
        try shell.run()
        shell.waitUntilExit()
        try said.seek(toOffset: 0)
        return (code: shell.terminationStatus, said: String(decoding: try said.readToEnd() ?? Data(), as: UTF8.self))
    }

    @Test func `README's lines, typed one after the other, do what README shows`() throws {
        let steps = ConsoleLines.steps(in: try Self.text("README.md"), onlyConsole: true)
        #expect(steps.count > 8 && steps.contains { $0.command == "tresor lock" })
        let device = try LiveDevice(starting: false)
        defer { _ = try? device.run("down") }
        for step in steps {
            let (code, said) = try enter(step.command, on: device)
            #expect(code == 0, "line \(step.line): \(step.command): \(said)")
            #expect(ConsoleLines.said(said, as: step.output), "line \(step.line): \(step.command) says: \(said)")
        }
    }

    @Test func `no page names a subcommand or an option that the command does not have`() throws {
        let dump = try LiveDevice(starting: false).run("--experimental-dump-help")
        let known = try JSONDecoder().decode(KnownCommands.self, from: dump.output)
        var count = 0
        for page in Self.pages {
            let text = try Self.text(page)
            for step in ConsoleLines.steps(in: text) + ConsoleLines.inProse(text) {
                for words in ConsoleLines.commands(in: step.command) {
                    count += words.contains("tresor") ? 1 : 0
                    let problem = known.problem(words)
                    #expect(problem == nil, "\(page):\(step.line): \(problem ?? "")")
                }
            }
        }
        #expect(count > 250)
        for good in [
            "tresor keychain get --service mail.example", "TRESOR_HOME=/tmp/x .build/debug/tresor up --detach",
            "tresor settings --idle-lock 60", "tresor notes import a.enex", "tresor help lock", "/usr/bin/other --odd",
            "tresor widget settings --hide-always-on a b --placement lockScreen", "tresor notes show 15b9 --at=1",
        ] {
            #expect(known.problem(good.components(separatedBy: " ")) == nil, "\(good)")
        }
        for bad in [
            "tresor gone", "tresor keychain gone", "tresor keychain get --servise mail.example", "tresor lock now",
            "sudo tresor up -x", "tresor notes show --gone=1 15b9", "tresor notes lock 15b9 15ba",
        ] {
            #expect(known.problem(bad.components(separatedBy: " ")) != nil, "\(bad)")
        }
    }

    @Test func `a line is taken apart as a shell does it`() {
        let page = """
            $ not here
            ```
            $ printf 'a | b # c' | tresor notes new --folder "My notes" > out.txt ; echo "exit $?"   # why
            said
            tresor is no command here
            ```
            ```console
            tresor keychain add --service s \\
                --account a
            also `tresor gone`
            ```
            and `tresor lock`
            """
        let steps = ConsoleLines.steps(in: page)
        #expect(steps.map(\.line) == [3, 8] && steps[0].output == ["said", "tresor is no command here"])
        #expect(steps[1].command == "tresor keychain add --service s --account a")
        #expect(steps[1].output == ["also `tresor gone`"])
        #expect(ConsoleLines.steps(in: page, onlyConsole: true).map(\.line) == [8])
        #expect(ConsoleLines.inProse(page).map(\.command) == ["tresor lock"])
        #expect(
            ConsoleLines.commands(in: steps[0].command) == [
                ["printf", "a | b # c"], ["tresor", "notes", "new", "--folder", "My notes"], ["echo", "exit $?"],
            ])
    }

    @Test func `what a command says is compared with what is shown, and an ellipsis stands for anything`() {
        #expect(ConsoleLines.said("locked\n", as: ["locked", ""]))
        #expect(ConsoleLines.said("", as: []) && !ConsoleLines.said("warning\n", as: []))
        #expect(!ConsoleLines.said("locked\nand more\n", as: ["locked"]))
        #expect(ConsoleLines.said("process 12 and 13 run.\nStore: x\n", as: ["process … and … run.", "…"]))
        #expect(!ConsoleLines.said("process 12 and 13 ran.\nStore: x\n", as: ["process … and … run.", "…"]))
        #expect(ConsoleLines.said("12  Shopping\n  quinces\n", as: ["…  Shopping", "  quinces"]))
        #expect(!ConsoleLines.said("12  Shopping\n  plums\n", as: ["…  Shopping", "  quinces"]))
    }
}
