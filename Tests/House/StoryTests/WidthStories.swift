import Foundation
import Testing

/// What is printed fits the terminal that it is printed to, and is untouched where there is none.
@Suite(.serialized, .enabled(if: TmuxScreen.isInstalled, "tmux is not installed"))
struct WidthStories {
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    /// What a command has printed at a terminal: lines as it has ended them, also where the terminal broke them.
    private func lines(_ command: String, _ columns: Int, _ environment: [String: String] = [:]) throws -> [String] {
        let screen = try TmuxScreen(device, columns: columns, rows: 200, command: command, environment: environment)
        #expect(try screen.waits(for: "after the screen"))
        var lines = try screen.unbroken().components(separatedBy: "\n")
        lines = lines.map { $0.replacingOccurrences(of: " +$", with: "", options: .regularExpression) }
        let start = try #require(lines.firstIndex { $0 == "before the screen" })
        let end = try #require(lines.firstIndex { $0.hasSuffix("after the screen") })
        // What does not end its line has the last words behind it.
        let last = lines[end].dropLast("after the screen".count)
        return Array(lines[(start + 1)..<end]) + (last.isEmpty ? [] : [String(last)])
    }

    private func add(_ arguments: String..., secret: String = "x") throws {
        #expect(try device.run(["add"] + arguments, input: Data(secret.utf8)).code == 0)
    }

    @Test func `a list fits a terminal of 80, 40 and 20 columns, an item on each line, its name whole`() throws {
        try add("accounts.example.com", "--account", "somebody@mail.example", "--label", "The label of an account")
        try add("無線", "--account", "anna")
        let (name, account) = ("accounts.example.com", "somebody@mail.example")
        let wide = try lines("ls", 120)
        #expect(wide.count == 3 && wide[0].contains("CLASS"), "\(wide)")
        #expect(wide.contains { $0.contains("The label of an account") }, "\(wide)")
        let usual = try lines("ls", 80)
        #expect(usual.count == 3 && !usual[0].contains("CLASS"), "\(usual)")
        #expect(usual.contains { $0.hasPrefix("internet  \(name)  \(account)  The label") }, "\(usual)")
        let half = try lines("ls", 45)
        #expect(half.count == 3 && half.contains("\(name)  \(account)"), "\(half)")
        #expect(try lines("ls", 20) == ["NAME", "無線", name])
        #expect(try lines("find accounts", 20) == ["NAME", name])
    }

    @Test func `errors and hints are broken between words at 80, 40 and 20 columns`() throws {
        for command in ["get nothing-of-this-name", "notes import /nowhere", "ls --kind nonsense"] {
            func words(_ text: String) -> [String] { text.split { $0.isWhitespace }.map(String.init) }
            let piped = words(try device.run(command.components(separatedBy: " ")).errors)
            #expect(piped.count > 5, "\(command): \(piped)")
            for columns in [80, 40, 20] {
                let said = try lines(command, columns)
                #expect(said.flatMap(words) == piped, "\(columns): \(said)")
                for line in said { #expect(line.count <= columns || words(line).count == 1, "\(columns): \(said)") }
            }
        }
    }

    @Test func `a hint stands below its error, and each of its lines is set in`() throws {
        let said = try lines("get nothing", 24)
        #expect(said == ["tresor: nothing has this", "name", "  'tresor ls' shows what", "  there is"], "\(said)")
    }

    @Test func `a question is broken between words, and its answer stands behind it`() throws {
        try add("mail")
        let screen = try TmuxScreen(device, columns: 20, command: "keychain delete --service mail")
        #expect(try screen.waits(for: "[y/N]"))
        #expect(try screen.unbroken().contains("Delete all items\nthat match for good?\n[y/N]"))
        try screen.type("n")
        try screen.press("Enter")
        #expect(try screen.waits(for: "confirmed"))
        #expect(try device.run("get", "mail").text == "x")
    }

    @Test func `contents are what they are at a terminal, however long`() throws {
        let field = (0..<20).map { "word\($0)" }.joined(separator: " ")
        let secret = (0..<20).map { "part\($0)" }.joined(separator: " ")
        try add("mail", "--comment", field, secret: secret)
        let id = try device.newNote("# Title\n\n" + field + "\n")
        #expect(try lines("get mail", 20) == [secret])
        #expect(try lines("get mail --field comment", 20) == [field])
        #expect(try lines("notes show \(id)", 20).contains(field))
        #expect(try lines("get mail --json", 20).contains { $0.contains(field) })
    }

    @Test func `a pipe gets whole lines, whatever COLUMNS says`() throws {
        try add("accounts.example.com", "--account", "somebody@mail.example", "--label", "The label of an account")
        for command in [["ls"], ["get", "nothing"], ["admin", "where"], ["admin", "presets"]] {
            let (plain, narrow) = (try device.run(command), try device.run(command, environment: ["COLUMNS": "20"]))
            #expect(narrow.text == plain.text && narrow.errors == plain.errors, "\(command)")
        }
        #expect(try device.run("ls").text.hasPrefix("internet\taccounts.example.com\tsomebody@mail.example\tThe label"))
    }

    @Test func `COLUMNS counts before the window's width`() throws {
        let said = try lines("get nothing", 80, ["COLUMNS": "24"])
        #expect(said.first == "tresor: nothing has this", "\(said)")
    }
}
