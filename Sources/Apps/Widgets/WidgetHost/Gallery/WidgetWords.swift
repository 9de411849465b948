import DiaryViews
import Localization

/// How many of something there are, in words: `1 entry in all`, `2 entries in all`.
enum WidgetCount {
    /// - Parameter count: of the diary's entries.
    static func entries(_ count: Int) -> String {
        localized(count, one: "\(count) entry in all", many: "\(count) entries in all")
    }

    /// - Parameters:
    ///   - fine: passwords that nobody has to look at.
    ///   - total: all of them.
    static func fine(_ fine: Int, of total: Int) -> String {
        localized(total, one: "\(fine) of \(total) password fine", many: "\(fine) of \(total) passwords fine")
    }
}

/// When something happened, as short as a tile needs it.
enum WidgetDate {
    /// `14:05` for today, `27 Nov` for a day of this year, `27 Nov 2025` for any other.
    ///
    /// - Parameters:
    ///   - microseconds: since 1970, UTC.
    ///   - viewpoint: when and where it is shown.
    static func text(of microseconds: Int64, seenFrom viewpoint: Viewpoint) -> String {
        let time = LocalTime(microseconds: microseconds, zone: viewpoint.zone)
        guard time.day != viewpoint.today else { return time.clock }
        let day = text(day: time.day.day, month: time.day.month)
        return time.day.year == viewpoint.today.year ? day : "\(day) \(time.day.year)"
    }

    private static func text(day: Int, month: Int) -> String {
        switch month {
        case 1: localized("\(day) Jan")
        case 2: localized("\(day) Feb")
        case 3: localized("\(day) Mar")
        case 4: localized("\(day) Apr")
        case 5: localized("\(day) May")
        case 6: localized("\(day) Jun")
        case 7: localized("\(day) Jul")
        case 8: localized("\(day) Aug")
        case 9: localized("\(day) Sep")
        case 10: localized("\(day) Oct")
        case 11: localized("\(day) Nov")
        default: localized("\(day) Dec")
        }
    }

    /// That of this process, for words that the diary makes.
    static var language: DiaryLanguage { DiaryLanguage(locale: localized("en")) ?? .english }
}

/// The line of a note below its title, as a list shows it: without the marks of Markdown.
enum NoteOpening {
    /// Looked at; what is behind it is no beginning.
    private static let mostBytes = 4096
    private static let mostCharacters = 1000
    private static let mostScalars = 600

    /// Empty where there is nothing below the title but rules, fences and blank lines.
    ///
    /// - Parameter markdown: a note as it was typed.
    static func line(of markdown: [UInt8]) -> String {
        let text = String(decoding: markdown.prefix(mostBytes), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).lazy.map { plain($0.prefix(mostCharacters)) }
            .filter { $0.contains { $0.isLetter || $0.isNumber } }
        guard let line = lines.dropFirst().first(where: { _ in true }) else { return "" }
        return String(String.UnicodeScalarView(line.unicodeScalars.prefix(mostScalars)))
    }

    /// A line without what makes it a heading, a quote, an item or a fence, and without what makes words strong.
    private static func plain(_ line: Substring) -> String {
        var rest = line.drop { $0.isWhitespace || $0 == ">" }
        if rest.hasPrefix("```") || rest.hasPrefix("~~~") { return "" }
        let heading = rest.prefix { $0 == "#" }
        if (1...6).contains(heading.count), rest.dropFirst(heading.count).first == " " {
            rest = rest.dropFirst(heading.count)
        } else if let mark = rest.first, "-*+".contains(mark), rest.dropFirst().first == " " {
            rest = rest.dropFirst(2)
            if rest.hasPrefix("["), rest.dropFirst(2).hasPrefix("] ") { rest = rest.dropFirst(4) }
        }
        var plain = ""
        while let character = rest.first {
            if let link = link(in: rest) {
                plain += link.words
                rest = link.rest
                continue
            }
            rest = rest.dropFirst()
            if character != "*" && character != "`" { plain.append(character) }
        }
        return plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Of a link its words, of a picture none.
    private static func link(in text: Substring) -> (words: Substring, rest: Substring)? {
        let isPicture = text.hasPrefix("![")
        guard isPicture || text.hasPrefix("["), let middle = text.firstRange(of: "]("),
            let end = text[middle.upperBound...].firstIndex(of: ")")
        else { return nil }
        let words = text[..<middle.lowerBound].dropFirst(isPicture ? 2 : 1)
        return (words: isPicture ? "" : words, rest: text[text.index(after: end)...])
    }
}
