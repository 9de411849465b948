import ArgumentParser
import Localization

/// What the argument parser says by itself, in the language of whoever reads it.
///
/// It speaks English alone. Its fixed forms are recognised here, as its version 1.8 has them (`HelpGenerator`,
/// `MessageInfo` and `ErrorMessageGenerator` in its sources); what is not known stays as it is. The texts of our
/// commands stand in between, in the language already.
enum ParserWords {
    /// All that `command` says of `error`: help, or what is wrong and how it is called.
    static func text(for error: any Error, of command: any ParsableCommand.Type) -> String {
        let text = command.fullMessage(for: error, columns: nil)
        guard let catalogue = Localization.catalogue else { return text }
        guard command.exitCode(for: error).isSuccess else {
            return translated(text, message: command.message(for: error), catalogue)
        }
        return isHelp(text) ? translated(help: text, catalogue) : text
    }

    /// Scripts for completion, JSON and the version are read by programs.
    private static func isHelp(_ text: String) -> Bool { text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ") }

    // MARK: errors

    /// - Parameter message: what is wrong, which stands in the text, and may have several lines.
    static func translated(_ text: String, message: String, _ catalogue: MessageCatalogue?) -> String {
        let head = "Error: " + message
        guard !message.isEmpty, text.hasPrefix(head) else { return text }
        let error = localized("Error: \(ParserErrors.translated(message, catalogue))", in: catalogue)
        // Where nothing was given at all, help follows.
        let rest = lines(text.dropFirst(head.count)) {
            translated(errorLine: $0, catalogue) ?? translated(helpLine: $0, catalogue)
        }
        return error + rest
    }

    private static func translated(errorLine line: String, _ catalogue: MessageCatalogue?) -> String? {
        if let rest = rest(of: line, behind: "Help:  ") { return localized("Help:  \(rest)", in: catalogue) }
        if let rest = rest(of: line, behind: "Usage: ") {
            return localized("Usage: \(translated(usage: rest, catalogue))", in: catalogue)
        }
        guard let gaps = ParserErrors.gaps(line, "  See '", "' for more information.") else { return nil }
        return localized("  See '\(gaps[0])' for more information.", in: catalogue)
    }

    // MARK: help

    static func translated(help text: String, _ catalogue: MessageCatalogue?) -> String {
        lines(text[...]) { translated(helpLine: $0, catalogue) }
    }

    private static func translated(helpLine line: String, _ catalogue: MessageCatalogue?) -> String {
        if let rest = rest(of: line, behind: "OVERVIEW: ") { return localized("OVERVIEW: \(rest)", in: catalogue) }
        if let rest = rest(of: line, behind: "USAGE: ") {
            return localized("USAGE: \(translated(usage: rest, catalogue))", in: catalogue)
        }
        switch line {
        case "ARGUMENTS:": return localized("ARGUMENTS:", in: catalogue)
        case "OPTIONS:": return localized("OPTIONS:", in: catalogue)
        case "SUBCOMMANDS:": return localized("SUBCOMMANDS:", in: catalogue)
        default: break
        }
        if !line.hasPrefix(" "), let gaps = ParserErrors.gaps(line, "", " SUBCOMMANDS:") {
            return localized("\(gaps[0]) SUBCOMMANDS:", in: catalogue)
        }
        if let gaps = ParserErrors.gaps(line, "  See '", "' for detailed help.") {
            return localized("  See '\(translated(usage: gaps[0], catalogue))' for detailed help.", in: catalogue)
        }
        return translated(element: line, catalogue)
    }

    /// A line about an option, a command or a value: two sentences, and words in brackets, which the parser adds.
    private static func translated(element line: String, _ catalogue: MessageCatalogue?) -> String {
        if let start = rest(of: line, before: "Show the version.") {
            return start + localized("Show the version.", in: catalogue)
        }
        if let start = rest(of: line, before: "Show help information.") {
            return start + localized("Show help information.", in: catalogue)
        }
        return columned(line, "(default)", localized("(default)", in: catalogue))
            .replacing("(values:", with: localized("(values:", in: catalogue))
            .replacing("(default:", with: localized("(default:", in: catalogue))
            .replacing("; default:", with: localized("; default:", in: catalogue))
    }

    /// With another word before a column, which stays where it is.
    private static func columned(_ line: String, _ word: String, _ other: String) -> String {
        guard line.hasPrefix("  "), let place = line.firstRange(of: " " + word) else { return line }
        let behind = line[place.upperBound...]
        let spaces = behind.prefix { $0 == " " }.count
        guard spaces > 0 else { return line.replacing(word, with: other) }
        let room = max(1, spaces + word.count - other.count)
        return line[..<place.lowerBound] + " " + other + String(repeating: " ", count: room) + behind.dropFirst(spaces)
    }

    /// How a command is called: names are the same in each language, and what stands for others is not.
    private static func translated(usage: String, _ catalogue: MessageCatalogue?) -> String {
        usage.replacing("<subcommand>", with: localized("<subcommand>", in: catalogue))
            .replacing("<options>", with: localized("<options>", in: catalogue))
    }

    // MARK: lines

    private static func lines(_ text: Substring, _ body: (String) -> String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { body(String($0)) }.joined(separator: "\n")
    }

    private static func rest(of line: String, behind start: String) -> String? {
        line.hasPrefix(start) ? String(line.dropFirst(start.count)) : nil
    }

    private static func rest(of line: String, before end: String) -> String? {
        line.hasPrefix("  ") && line.hasSuffix(end) ? String(line.dropLast(end.count)) : nil
    }
}
