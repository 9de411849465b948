import Foundation

/// The command's own description of its subcommands and options: `tresor --experimental-dump-help`.
struct KnownCommands: Decodable {
    struct Command: Decodable {
        let commandName: String
        let shouldDisplay: Bool?
        let aliases: [String]?
        let defaultSubcommand: String?
        let subcommands: [Command]?
        let arguments: [Argument]?

        func subcommand(_ name: String) -> Command? {
            subcommands?.first { $0.commandName == name || $0.aliases?.contains(name) == true }
        }
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        let kind: String
        let names: [Name]?
        let isRepeating: Bool
        let parsingStrategy: String?

        func isCalled(_ word: String) -> Bool {
            names?.contains { ($0.kind == "short" ? "-" : "--") + $0.name == word } == true
        }
    }

    let command: Command

    /// Every command that help shows and that has none below it, by its words.
    var shown: [(words: String, command: Command)] {
        func below(_ command: Command, _ words: String) -> [(words: String, command: Command)] {
            let next = (command.subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
            if next.isEmpty { return [(words: words, command: command)] }
            return next.flatMap { below($0, words + " " + $0.commandName) }
        }
        return below(command, command.commandName)
    }

    /// What is wrong with a command of `tresor`, by its words; nil where nothing is, or where it is another program's.
    func problem(_ words: [String]) -> String? {
        let isBefore = { (word: String) in
            word == "sudo" || word == "exec" || word.wholeMatch(of: #/[A-Z_]+=.*/#) != nil
        }
        var words = Array(words.drop(while: isBefore))
        guard let program = words.first, program == "tresor" || program.hasSuffix("/tresor") else { return nil }
        words.removeFirst()
        if words.first == "--generate-completion-script" { return nil }
        if words.first == "help" { words.removeFirst() }
        var (found, path) = (command, "tresor")
        while true {
            if let next = words.first.flatMap({ found.subcommand($0) }) {
                words.removeFirst()
                found = next
            } else if let next = found.defaultSubcommand.flatMap({ found.subcommand($0) }), !Self.asksForHelp(words) {
                found = next
            } else {
                break
            }
            path += " " + found.commandName
        }
        if let word = words.first, found.subcommands?.isEmpty == false, !word.hasPrefix("-") {
            return "'\(path)' has no subcommand '\(word)'"
        }
        // Those of the program itself belong to every command.
        let options = (command.arguments ?? []).filter { $0.kind != "positional" }
        return Self.problem(words, of: (found.arguments ?? []) + options).map { "'\(path)' \($0)" }
    }

    private static func asksForHelp(_ words: [String]) -> Bool {
        words.first.map { ["-h", "--help", "--version"].contains($0) } ?? false
    }

    private static func problem(_ words: [String], of arguments: [Argument]) -> String? {
        let positions = arguments.filter { $0.kind == "positional" }
        var rest = words[...]
        var count = 0
        while let word = rest.popFirst(), word != "--" {
            // A value, or a number below nought; a hyphen alone is standard input.
            guard word.hasPrefix("-"), word != "-", word.dropFirst().first?.isNumber != true else {
                count += 1
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard let known = arguments.first(where: { $0.isCalled(parts[0]) }) else {
                return "has no option '\(parts[0])'"
            }
            guard known.kind == "option", parts.count == 1 else { continue }
            if known.parsingStrategy == "upToNextOption" {
                rest = rest.drop { !$0.hasPrefix("-") }
            } else {
                _ = rest.popFirst()
            }
        }
        guard count <= positions.count || positions.contains(where: \.isRepeating) else {
            return "takes \(positions.count) values, and not \(count)"
        }
        return nil
    }
}
