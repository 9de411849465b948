package import Localization

/// What Swift's argument parser says by itself, in the language of whoever reads it.
///
/// It speaks English alone. Its fixed forms are recognised here, as its version 1.8 has them (`HelpGenerator`,
/// `MessageInfo` and `ErrorMessageGenerator` in its sources); what is not known stays as it is. The texts of a
/// program's commands stand in between, in the language already.
package enum ParserWords {
    // MARK: errors

    /// All that the parser says of an error.
    ///
    /// - Parameters:
    ///   - text: as `fullMessage(for:columns:)` has it.
    ///   - message: what is wrong, which stands in the text, and may have several lines.
    ///   - catalogue: the language; nil for English.
    package static func translated(
        _ text: String, message: String, in catalogue: MessageCatalogue? = Localization.catalogue
    ) -> String {
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

    /// A page of help.
    ///
    /// Anything else, such as a script for completion, JSON or a version, is as it was: programs read it.
    ///
    /// - Parameters:
    ///   - text: as `fullMessage(for:columns:)` has it, with its lines broken.
    ///   - catalogue: the language; nil for English.
    package static func translated(help text: String, in catalogue: MessageCatalogue? = Localization.catalogue)
        -> String
    {
        guard text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ") else { return text }
        return lines(text[...]) { translated(helpLine: $0, catalogue) }
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
