import Localization

/// What the argument parser says is wrong with a command line: its fixed forms, in the language of whoever reads it.
enum ParserErrors {
    /// - Parameter message: as the parser has it, or one of our commands; of the latter nothing is changed.
    static func translated(_ message: String, _ catalogue: MessageCatalogue?) -> String {
        if let gaps = gaps(message, "", "\n   or: ", "") {
            let (one, other) = (translated(gaps[0], catalogue), translated(gaps[1], catalogue))
            return localized("\(one)\n   or: \(other)", in: catalogue)
        }
        return option(message, catalogue) ?? argument(message, catalogue) ?? value(message, catalogue) ?? message
    }

    private static func option(_ message: String, _ catalogue: MessageCatalogue?) -> String? {
        if let gaps = gaps(message, "Unknown option '", "'. Did you mean '", "'?") {
            return localized("Unknown option '\(gaps[0])'. Did you mean '\(gaps[1])'?", in: catalogue)
        }
        if let gaps = gaps(message, "Unknown option '", "'") {
            return localized("Unknown option '\(gaps[0])'", in: catalogue)
        }
        if let gaps = gaps(message, "Invalid option: ", "") {
            return localized("Invalid option: \(gaps[0])", in: catalogue)
        }
        if let gaps = gaps(message, "Missing value for '", "' in '", "'") {
            return localized("Missing value for '\(gaps[0])' in '\(gaps[1])'", in: catalogue)
        }
        if let gaps = gaps(message, "Missing value for '", "'") {
            return localized("Missing value for '\(gaps[0])'", in: catalogue)
        }
        if let gaps = gaps(message, "The option '", "' does not take any value, but '", "' was specified.") {
            return localized(
                "The option '\(gaps[0])' does not take any value, but '\(gaps[1])' was specified.", in: catalogue)
        }
        if let gaps = gaps(message, "Value to be set with flag '", "' had already been set with flag '", "'") {
            return localized(
                "Value to be set with flag '\(gaps[0])' had already been set with flag '\(gaps[1])'", in: catalogue)
        }
        return nil
    }

    private static func argument(_ message: String, _ catalogue: MessageCatalogue?) -> String? {
        if let gaps = gaps(message, "Unexpected argument '", "'") {
            return localized("Unexpected argument '\(gaps[0])'", in: catalogue)
        }
        if let gaps = gaps(message, "", " unexpected arguments: '", "'"), Int(gaps[0]) != nil {
            return localized("\(gaps[0]) unexpected arguments: '\(gaps[1])'", in: catalogue)
        }
        if let gaps = gaps(message, "Missing expected argument '", "'") {
            return localized("Missing expected argument '\(gaps[0])'", in: catalogue)
        }
        if let gaps = gaps(message, "Missing one of: '", "'") {
            return localized("Missing one of: '\(gaps[0])'", in: catalogue)
        }
        return message == "Missing required subcommand."
            ? localized("Missing required subcommand.", in: catalogue) : nil
    }

    private static func value(_ message: String, _ catalogue: MessageCatalogue?) -> String? {
        let start = "The value '"
        let middle = "' is invalid for '"
        if let gaps = gaps(message, start, middle, "'. Please provide one of the following:\n", "") {
            return localized(
                "The value '\(gaps[0])' is invalid for '\(gaps[1])'. Please provide one of the following:\n\(gaps[2])",
                in: catalogue)
        }
        if let gaps = gaps(message, start, middle, "'. Please provide one of ", ".") {
            let (value, name) = (gaps[0], gaps[1])
            return localized(
                "The value '\(value)' is invalid for '\(name)'. Please provide one of \(list(gaps[2], catalogue)).",
                in: catalogue)
        }
        if let gaps = gaps(message, start, middle, "': ", "") {
            return localized("The value '\(gaps[0])' is invalid for '\(gaps[1])': \(gaps[2])", in: catalogue)
        }
        if let gaps = gaps(message, start, middle, "'") {
            return localized("The value '\(gaps[0])' is invalid for '\(gaps[1])'", in: catalogue)
        }
        return nil
    }

    /// Values, with a word before the last of them.
    private static func list(_ values: String, _ catalogue: MessageCatalogue?) -> String {
        if let gaps = gaps(values, "'", "' and '", "'") {
            return localized("'\(gaps[0])' and '\(gaps[1])'", in: catalogue)
        }
        if let gaps = gaps(values, "'", "' or '", "'") {
            return localized("'\(gaps[0])' or '\(gaps[1])'", in: catalogue)
        }
        return values
    }

    /// What stands between the pieces that a text consists of: the first at its start, the last at its end, each
    /// other one where it is first found.
    ///
    /// - Returns: nil where the text does not consist of them.
    static func gaps(_ text: String, _ pieces: String...) -> [String]? {
        guard let first = pieces.first, let last = pieces.last, text.hasPrefix(first), text.hasSuffix(last),
            text.count >= first.count + last.count
        else { return nil }
        var rest = text.dropFirst(first.count).dropLast(last.count)
        var gaps: [String] = []
        for piece in pieces.dropFirst().dropLast() {
            guard let place = rest.firstRange(of: piece) else { return nil }
            gaps.append(String(rest[..<place.lowerBound]))
            rest = rest[place.upperBound...]
        }
        return gaps + [String(rest)]
    }
}
