import Foundation
import Testing

/// Pages of help: short ones with what people need, and whole ones.
struct HelpStories {
    private struct Dump: Decodable {
        struct Command: Decodable {
            let commandName: String
            let arguments: [Argument]?
            let subcommands: [Command]?
        }
        struct Argument: Decodable {
            struct Name: Decodable { let kind, name: String }
            let names: [Name]?
            let abstract: String?
        }
        let command: Command
    }

    /// Notes and diary are left out: theirs are pages of commands.
    private static let words = [
        "get", "add", "edit", "rm", "ls", "find", "generate", "code", "copy", "browse", "up", "status", "lock",
        "unlock", "passcode", "widget", "vault", "admin",
    ]

    private let device: LiveDevice

    init() throws { device = try LiveDevice(starting: false) }

    @Test(arguments: words) func `help of a word at the top has at most 50 lines`(_ word: String) throws {
        let help = try device.run(word, "--help").text
        #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 50, "\(help)")
    }

    @Test func `what people need of add stands first, and what they seldom need is left out and named`() throws {
        let help = try device.run("add", "--help").text
        let order = ["\n  --generate", "\n  --code", "\n  --wifi", "\n  --kind", "\n  --account", "\n  --version"]
        let places = order.map { help.firstRange(of: $0)?.lowerBound }
        #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted(), "\(help)")
        #expect(!help.contains("\n  --access") && !help.contains("\n  --issuer") && !help.contains("\n  --length"))
        for word in ["add", "edit", "get", "code"] {
            #expect(try device.run(word, "--help").text.contains("tresor \(word) --help-hidden"), "\(word)")
        }
    }

    @Test func `every option that is told of stands on the whole page, and on the manual page`() throws {
        let folder = NSTemporaryDirectory() + "manual-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let writing = Process()
        writing.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/../../../packaging/man.py"
        writing.arguments = ["python3", script, device.programs + "/tresor", folder]
        try writing.run()
        writing.waitUntilExit()
        #expect(writing.terminationStatus == 0)
        let dump = try JSONDecoder().decode(Dump.self, from: device.run("--experimental-dump-help").output)
        for word in Self.words {
            let command = try #require(dump.command.subcommands?.first { $0.commandName == word })
            let whole = try device.run(word, "--help-hidden").text
            let manual = try String(contentsOfFile: "\(folder)/tresor-\(word).1", encoding: .utf8)
                .replacingOccurrences(of: "\\-", with: "-")
            for argument in command.arguments ?? [] where argument.abstract?.isEmpty == false {
                for name in argument.names ?? [] where name.kind == "long" {
                    #expect(whole.contains("--\(name.name)"), "\(word)")
                    #expect(manual.contains("--\(name.name)"), "\(word)")
                }
            }
        }
    }
}
