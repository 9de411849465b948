import Checkout
import Foundation
import Testing

/// Nothing is taken away without a question or a way back: docs/guides/what-can-be-undone.md has every command.
@Suite struct UndoStories {
    private struct Row {
        let command: String
        let how: String
        let words: String
    }

    /// Questions of the screens, in English, with `…` for what is filled in: literals of the sources that end in y/n.
    private static func questions() throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for (screen, target) in [
            ("browse", "Keychain/KeychainTerminal"), ("notes", "Notes/NotesTerminal"), ("diary", "Diary/DiaryTerminal"),
        ] {
            let folder = Checkout.root.appendingPathComponent("Sources/Apps/" + target)
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                for match in text.matches(of: /"([^"\n]+ y\/n)"/) {
                    let words = String(match.1).replacing(/\\\((?:[^()]|\([^()]*\))*\)/, with: "…")
                    found[screen, default: []].insert(words)
                }
            }
        }
        return found
    }

    @Test func `every question of a screen stands on the page, and what has none has a key back, or a reason`() throws {
        let page = try String(
            contentsOf: Checkout.root.appendingPathComponent("docs/guides/what-can-be-undone.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").map {
            $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        .filter { $0.count == 5 && ["browse", "notes", "diary"].contains($0[0]) }
        let help = try [
            "browse": "docs/screens/keychain/help", "notes": "docs/screens/help",
            "diary": "Tests/Apps/Diary/DiaryTerminalTests/Screens/help-en",
        ].mapValues { try String(contentsOf: Checkout.root.appendingPathComponent($0 + ".txt"), encoding: .utf8) }
        let questions = try Self.questions()
        #expect(rows.count > 20 && questions.values.reduce(0) { $0 + $1.count } > 14)
        for (screen, asked) in questions {
            let named = rows.filter { $0[0] == screen && $0[3] == "question" }.map {
                $0[4].trimmingCharacters(in: ["`"])
            }
            #expect(asked == Set(named), "\(screen)")
        }
        for row in rows where row[3] != "question" {
            let words = row[4].trimmingCharacters(in: ["`"])
            switch row[3] {
            case "undo": #expect(help[row[0]]?.contains(words) == true, "\(row)")
            case "exception": #expect(words.count > 20, "\(row)")
            default: Issue.record("\(row)")
            }
        }
    }

    /// The page's two tables: what takes something away, and what does not.
    private static func page() throws -> (taking: [Row], harmless: [String]) {
        let file = Checkout.root.appendingPathComponent("docs/guides/what-can-be-undone.md")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        var (taking, harmless): ([Row], [String]) = ([], [])
        for line in lines where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let command = cells[0].trimmingCharacters(in: ["`"])
            if cells.count == 3 {
                taking.append(Row(command: command, how: cells[1], words: cells[2]))
            } else {
                harmless.append(command)
            }
        }
        return (taking: taking, harmless: harmless)
    }

    @Test func `every command that takes something away has a question, a way back, or a reason`() throws {
        let dump = try LiveDevice(starting: false).run("--experimental-dump-help")
        let known = try JSONDecoder().decode(KnownCommands.self, from: dump.output)
        let (taking, harmless) = try Self.page()
        let named = taking.map(\.command) + harmless
        #expect(Set(named).count == named.count)
        // Two that scripts use stand in a group that help does not show.
        let hidden = ["tresor keychain update", "tresor keychain delete"]
        #expect(Set(known.shown.map(\.words)).union(hidden) == Set(named))
        for row in taking {
            let words = row.command.components(separatedBy: " ")
            let command = words.dropFirst().reduce(Optional(known.command)) { $0?.subcommand($1) }
            switch row.how {
            case "question":
                let isTyped = row.words.contains("has to be typed") || row.words.contains("#in-the-screens")
                let canBeLeftOut = command?.arguments?.contains { $0.isCalled("--yes") } == true
                #expect(isTyped || canBeLeftOut, "\(row.command)")
            case "undo":
                let way = row.words.split(separator: "`").first { $0.hasPrefix("tresor ") }
                #expect(way != nil && known.problem(way?.components(separatedBy: " ") ?? []) == nil, "\(row.command)")
            case "exception": #expect(row.words.count > 20, "\(row.command)")
            default: Issue.record("\(row.command) is undone by '\(row.how)'")
            }
        }
        // A word that takes something away is on no list of harmless ones, whatever stands on the page.
        let removing = ["rm", "delete", "remove", "detach", "purge", "reset", "forget", "deny", "update", "edit"]
        #expect(harmless.filter { removing.contains($0.components(separatedBy: " ").last ?? "") } == [])
    }
}

/// The same at a real terminal.
@Suite(.serialized, .enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
struct UndoTerminalStories {
    @Test func `whoever sits there is asked, and any answer but yes changes nothing`() throws {
        let device = try LiveDevice()
        #expect(try device.run("add", "mail", input: Data("one".utf8)).code == 0)
        let note = try device.newNote("# Gone\n")
        try device.succeed("notes", "delete", note)
        try device.succeed("vault", "keychains", "create", "Work")
        try device.notes("passphrase", "set", input: "cat\ncat\n")
        try device.succeed("notes", "lock", try device.newNote("# Shut\n"))
        for (command, question) in [
            ("keychain delete --service mail", "Delete all items that match for good?"),
            ("edit mail --generate", "Replace its secret?"),
            ("keychain update --service mail --generate", "Replace its secret?"),
            ("notes delete --forever \(note)", "Delete it for good?"),
            ("notes passphrase reset", "1 locked note stays under the older passphrase"),
            ("vault keychains delete Work", "Delete the keychain Work and 0 items for good?"),
        ] {
            let screen = try TmuxScreen(device, columns: 120, command: command)
            #expect(try screen.waits(for: question), "\(command)")
            try screen.type("n")
            try screen.press("Enter")
            #expect(try screen.waits(for: "not confirmed"), "\(command)")
        }
        #expect(try device.run("get", "mail").text == "one")
        #expect(try device.notes("list", "--trash").text.contains("Gone"))
        #expect(try device.run("vault", "keychains", "list").text.contains("Work"))
        // Nobody sits at a pipe.
        #expect(try device.run("keychain", "delete", "--service", "mail").code == 0)
        #expect(try device.run("notes", "delete", "--forever", note).code == 0)
    }

    @Test func `files, entries, templates, apps, profiles and the passcode are asked about as well`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        try device.openDiary()
        let note = try device.newNote("# Kept\n")
        let file = device.folder + "/list.txt"
        try Data("a line\n".utf8).write(to: URL(fileURLWithPath: file))
        try device.succeed("notes", "attach", note, file)
        let entry = try device.newEntry("An entry.\n")
        try device.succeed("diary", "delete", entry)
        try device.succeed("diary", "template", "set", "Trip", input: Data("Where:\n".utf8))
        let bank = ["add", "bank", "--class", "whenPasscodeSetThisDeviceOnly"]
        #expect(try device.run(bank, input: Data("one".utf8)).code == 0)
        for (command, question) in [
            ("notes detach \(note) list.txt", "Take list.txt out for good?"),
            ("diary delete --forever \(entry)", "Delete it for good?"),
            ("diary template delete Trip", "Delete the template Trip for good?"),
            ("passcode remove", "of class whenPasscodeSetThisDeviceOnly for good?"),
            ("admin app purge org.example.absent", "Remove every item of org.example.absent for good?"),
            ("admin profile remove org.example.absent", "and for good the items that it installed?"),
        ] {
            let screen = try TmuxScreen(device, columns: 120, command: command)
            #expect(try screen.waits(for: question), "\(command)")
            try screen.type("n")
            try screen.press("Enter")
            #expect(try screen.waits(for: "not confirmed"), "\(command)")
        }
        #expect(try device.notes("attachments", note).text.contains("list.txt"))
        #expect(try device.diary("list", "--trash").text.contains("An entry."))
        #expect(try device.diary("template", "list").text == "Trip\n")
        #expect(try device.run("get", "bank").text == "one")
    }
}
