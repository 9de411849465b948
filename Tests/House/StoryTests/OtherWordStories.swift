import Foundation
import SoughtNames
import Testing

/// Words that people type for a command of another name, by their one table.
@Suite struct OtherWordStories {
    private let device: LiveDevice
    private let known: KnownCommands

    init() throws {
        device = try LiveDevice(starting: false)
        known = try JSONDecoder().decode(KnownCommands.self, from: device.run("--experimental-dump-help").output)
    }

    /// A group of commands, by its words.
    private func group(_ path: String) -> KnownCommands.Command? {
        path.components(separatedBy: " ").dropFirst().reduce(Optional(known.command)) { $0?.subcommand($1) }
    }

    /// Checks that a row is served: its commands are there, and the word does what the row says.
    private func expectServed(_ row: OtherWords.Row) throws {
        let words = row.group.components(separatedBy: " ") + [row.word]
        let group = try #require(self.group(row.group), "\(row.group)")
        #expect(group.subcommand(row.word) == nil, "\(words) is a command by itself")
        for command in row.commands {
            let problem = known.problem(command.components(separatedBy: " "))
            #expect(problem == nil, "\(words): \(problem ?? "")")
        }
        guard row.isUnderstood else {
            let refused = try device.run(Array(words.dropFirst()))
            #expect(refused.code == 64 && refused.output.isEmpty, "\(words): \(refused)")
            if row.word.hasSuffix("install") { return }
            #expect(refused.errors.contains("perhaps: \(row.commands.joined(separator: ", "))"), "\(words): \(refused)")
            return
        }
        let command = try #require(row.commands.count == 1 ? row.commands.first : nil, "\(words)")
        #expect(command.hasPrefix(row.group + " "), "\(words)")
        let (said, meant) = try (
            device.run(words.dropFirst() + ["--help"]),
            device.run(command.components(separatedBy: " ").dropFirst() + ["--help"])
        )
        #expect(said.code == 0 && said.output == meant.output && said.text.contains("USAGE: \(command)"), "\(words)")
    }

    @Test func `each word of the table leads to commands that there are`() throws {
        let rows = OtherWords.rows
        #expect(Set(rows.map { $0.group + " " + $0.word }).count == rows.count && rows.count > 30)
        for row in rows { try expectServed(row) }
    }

    @Test func `a word that one part has for something is understood in the others`() throws {
        let groups = Set(known.shown.map { $0.words.split(separator: " ").dropLast().joined(separator: " ") })
        var count = 0
        for path in groups.sorted() {
            let names = (group(path)?.subcommands ?? []).filter { $0.shouldDisplay != false }.map(\.commandName)
            for word in OtherWords.same.flatMap(\.self) where !names.contains(word) {
                guard let row = OtherWords.row(for: word, in: path, having: names) else { continue }
                try expectServed(row)
                count += 1
            }
        }
        #expect(count > 40)
        for (word, command) in OtherWords.foreign {
            #expect(try device.run(word).errors.contains("perhaps: tresor \(command)"), "\(word)")
        }
    }

    @Test func `such a word does the whole work of its command`() throws {
        try device.start()
        let note = try device.run("notes", "add", input: Data("# Heron\n".utf8))
        #expect(note.code == 0, "\(note)")
        for words in [["notes", "ls"], ["notes", "ls", "--json"], ["-q", "notes", "find", "heron"]] {
            let said = try device.run(words)
            #expect(said.code == 0 && said.text.contains("Heron"), "\(words): \(said)")
        }
        #expect(try device.run("notes", "rm", "Heron").code == 0)
        #expect(try device.run("notes", "list", "--trash").text.contains("Heron"))
        #expect(try device.run("new", "wifi", input: Data("x".utf8)).code == 0)
        #expect(try device.run("list").text == device.run("ls").text && device.run("show", "wifi").text == "x")
        // What is wrong behind the word is told of the command that was meant.
        let wrong = try device.run("notes", "ls", "--jsno")
        #expect(wrong.code == 64 && wrong.errors.contains("Did you mean '--json'"), "\(wrong)")
        // What scripts use in the group that is not shown has its own words alone.
        #expect(try device.run("keychain", "rm", "--service", "wifi").code == 64)
        #expect(try device.run("get", "wifi").text == "x")
        // An option's value is no word of a command.
        #expect(try device.run("notes", "--account", "ls", "list").code != 0)
    }
}

/// Where everything lies, and how the programs go.
@Suite struct WhereStories {
    private struct Document: Decodable {
        let data: String
        let enclave: String
        let sockets: String
        let programs: String
        let installation: String
        let uninstall: [String]
    }

    @Test func `the folders are named, and nothing is started for it`() throws {
        let device = try LiveDevice(starting: false)
        let programs = URL(fileURLWithPath: LiveDevice.programs).resolvingSymlinksInPath().path
        let said = try device.run("admin", "where")
        #expect(said.code == 0 && said.errors.isEmpty, "\(said)")
        for line in [
            "data         \(device.home.data)\n", "enclave      \(device.home.enclave)\n",
            "programs     \(programs)\n", "until you delete both folders", "docs/guides/installing.md",
        ] { #expect(said.text.contains(line), "\(line): \(said.text)") }
        #expect(!FileManager.default.fileExists(atPath: device.home.socket))
        for words in [["--help"], ["admin", "--help"], ["doctor"]] {
            #expect(try device.run(words).text.contains("tresor admin where"), "\(words)")
        }
        #expect(try device.run("doctor").text.contains("home         \(device.home.data);"))
    }

    @Test func `whoever types uninstall is told how, by how it was installed`() throws {
        let device = try LiveDevice(starting: false)
        let loose = try device.run("uninstall")
        #expect(loose.code == 64 && loose.errors.contains("'uninstall' is no command of 'tresor'"), "\(loose)")
        #expect(loose.errors.contains("it is not installed") && loose.errors.contains(device.home.data), "\(loose)")

        let prefix = device.folder + "-prefix"
        defer { try? FileManager.default.removeItem(atPath: prefix) }
        for folder in ["/bin", "/lib/tresor"] {
            try FileManager.default.createDirectory(atPath: prefix + folder, withIntermediateDirectories: true)
        }
        try FileManager.default.copyItem(atPath: LiveDevice.programs + "/tresor", toPath: prefix + "/bin/tresor")
        try Data("bin/tresor\n".utf8).write(to: URL(fileURLWithPath: prefix + "/lib/tresor/installed.txt"))
        func run(_ words: [String]) throws -> (code: Int32, text: String) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: prefix + "/bin/tresor")
            process.arguments = words
            process.environment = ["TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin"]
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return (code: process.terminationStatus, text: String(decoding: output, as: UTF8.self))
        }
        for words in [["uninstall"], ["admin", "uninstall"]] {
            let installed = try run(words)
            #expect(installed.code == 64 && installed.text.contains("make uninstall PREFIX=\(prefix)"), "\(installed)")
        }
        #expect(try run(["admin", "where"]).text.contains("'make uninstall PREFIX=\(prefix)'"))
        let document = try JSONDecoder().decode(
            Document.self, from: Data(run(["admin", "where", "--json"]).text.utf8))
        #expect(document.installation == "prefix" && document.programs == prefix + "/bin")
        #expect(document.uninstall == ["tresor down", "make uninstall PREFIX=\(prefix)"])
        #expect(document.data == device.home.data && document.enclave == device.home.enclave)
        #expect(document.sockets == device.folder)
    }
}
