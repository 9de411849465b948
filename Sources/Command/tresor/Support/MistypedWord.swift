import ArgumentParser
import Localization
import SoughtNames
import TerminalScreen
import Wire

/// A word that is no command, and those that were perhaps meant.
enum MistypedWord {
    /// A command line in which a word that means plainly a command is that command's.
    ///
    /// - Parameter arguments: as the program was started, its name first.
    static func understood(_ arguments: [String], in root: any ParsableCommand.Type) -> [String] {
        var (group, path) = (root, name(of: root))
        for index in arguments.indices.dropFirst() {
            let word = arguments[index]
            // Behind any other option may stand its value.
            if ["-q", "--quiet", "--verbose", "--json"].contains(word) { continue }
            if let next = group.configuration.subcommands.first(where: { isCalled($0, word) }) {
                // What help does not show is for scripts, which know its words.
                guard next.configuration.shouldDisplay else { return arguments }
                group = next
                path += " " + name(of: next)
                continue
            }
            guard let row = OtherWords.row(for: word, in: path, having: shown(of: group)), row.isUnderstood else {
                break
            }
            let words = row.commands[0].dropFirst(path.count).split(separator: " ").map(String.init)
            return arguments[..<index] + words + arguments[(index + 1)...]
        }
        return arguments
    }

    /// - Parameters:
    ///   - arguments: as the program was started, its name first.
    ///   - error: why they could not be understood.
    /// - Returns: nil where no word of a command is wrong, or nothing is like it.
    static func failure(
        of arguments: [String], _ error: any Error, in root: any ParsableCommand.Type
    ) -> Failure? {
        // A call for help is no mistake.
        guard !root.exitCode(for: error).isSuccess else { return nil }
        if let option = optionFailure(of: arguments, root.message(for: error)) { return option }
        var (group, path) = (root, name(of: root))
        for word in arguments.dropFirst() where !word.hasPrefix("-") {
            let commands = group.configuration.subcommands
            guard !commands.isEmpty else { return nil }
            if let next = commands.first(where: { isCalled($0, word) }) {
                group = next
                path += " " + name(of: next)
                continue
            }
            // A group that does something by itself has taken the word, if it is not the word that is too many.
            let isTooMany = root.message(for: error).contains("'\(word)'")
            guard isTooMany || group.configuration.defaultSubcommand == nil else { return nil }
            return failure(word, path, group)
        }
        return nil
    }

    /// For an option that every command takes: the parser knows only those of one command to be like it.
    private static func optionFailure(of arguments: [String], _ message: String) -> Failure? {
        guard let word = arguments.dropFirst().first(where: { $0.hasPrefix("--") && message.contains("'\($0)'") }),
            message.hasPrefix("Unknown option"), !message.contains("Did you mean")
        else { return nil }
        let similar = SimilarWords.nearest(to: word, among: ["--quiet", "--verbose", "--help", "--version"])
        guard !similar.isEmpty else { return nil }
        return Failure(
            Wire.ExitCode.usage, localized("'\(SafeText.line(word))' is no option of this command"),
            hint: perhaps(similar))
    }

    /// Advice about a word that a group of commands took for something else, such as a file that is not there.
    static func hint(for word: String, in group: any ParsableCommand.Type, at path: String) -> String? {
        failure(word, path, group)?.hint
    }

    private static func failure(_ word: String, _ path: String, _ group: any ParsableCommand.Type) -> Failure? {
        let commands = group.configuration.subcommands
        let shown = shown(of: group)
        let hidden = commands.filter { !$0.configuration.shouldDisplay }.map { name(of: $0) }
        var meant = OtherWords.row(for: word, in: path, having: shown)?.commands ?? []
        for names in [shown, hidden] where meant.isEmpty {
            meant = SimilarWords.nearest(to: word, among: names).map { "\(path) \($0)" }
        }
        guard !meant.isEmpty else { return nil }
        let isRemoval = ["uninstall", "deinstall"].contains(word)
        return Failure(
            Wire.ExitCode.usage, localized("'\(SafeText.line(word))' is no command of '\(path)'"),
            hint: isRemoval ? Whereabouts.current()?.removal ?? perhaps(meant) : perhaps(meant))
    }

    private static func shown(of group: any ParsableCommand.Type) -> [String] {
        group.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { name(of: $0) }
    }

    private static func perhaps(_ words: [String]) -> String {
        localized("perhaps: \(words.joined(separator: ", "))")
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? ""
    }

    private static func isCalled(_ command: any ParsableCommand.Type, _ word: String) -> Bool {
        name(of: command) == word || command.configuration.aliases.contains(word)
    }
}
