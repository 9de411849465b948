/// The first words of a text, as lists show them: without the marks of Markdown, pictures, and the addresses of links.
enum OpeningWords {
    /// - Parameters:
    ///   - text: Markdown; its first 1,024 characters are looked at, which bounds the time.
    ///   - length: characters at most.
    static func of(_ text: String, length: Int) -> String {
        var words = ""
        for line in text.prefix(1024).split(whereSeparator: \.isNewline) {
            guard words.count < length else { break }
            let plain = inline(withoutMark(line)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard plain.contains(where: { $0.isLetter || $0.isNumber }) else { continue }
            words += (words.isEmpty ? "" : " ") + plain
        }
        return cut(words, length: length)
    }

    /// At most so many characters, and eight bytes for each: one letter can carry a million accents, and a list with it
    /// would be too long for any answer.
    static func cut(_ words: String, length: Int) -> String {
        let short = words.prefix(length)
        guard short.utf8.count > 8 * length else { return String(short) }
        var (kept, room) = (String.UnicodeScalarView(), 8 * length)
        for scalar in short.unicodeScalars {
            room -= UTF8.width(scalar)
            guard room >= 0 else { break }
            kept.append(scalar)
        }
        return String(kept)
    }

    /// A line without what makes it a heading, a quote or an item of a list (CommonMark 0.31, 4.2, 5.1 and 5.2).
    private static func withoutMark(_ line: Substring) -> Substring {
        var line = line.drop(while: \.isWhitespace)
        while let mark = line.split(separator: " ", maxSplits: 1).first, mark.count < line.count, isMark(mark) {
            line = line.dropFirst(mark.count).drop(while: \.isWhitespace)
        }
        for box in ["[ ] ", "[x] ", "[X] "] where line.hasPrefix(box) { line = line.dropFirst(box.count) }
        return line
    }

    private static func isMark(_ word: Substring) -> Bool {
        if word.allSatisfy({ $0 == "#" }) { return word.count <= 6 }
        if word == ">" || word == "-" || word == "*" || word == "+" { return true }
        return word.count <= 10 && (word.last == "." || word.last == ")") && word.dropLast().allSatisfy(\.isASCIIDigit)
            && word.count > 1
    }

    /// Links become their words, pictures nothing, and what makes words strong, faint or code goes.
    private static func inline(_ line: Substring) -> String {
        var plain = ""
        var rest = line
        while let character = rest.first {
            if rest.hasPrefix("!["), let link = link(rest.dropFirst()) {
                rest = link.rest
            } else if character == "[", let link = link(rest) {
                plain += inline(link.words)
                rest = link.rest
            } else if character == "\\", let next = rest.dropFirst().first, next.isPunctuation || next.isSymbol {
                plain.append(next)
                rest = rest.dropFirst(2)
            } else if let mark = ["**", "__", "~~", "`"].first(where: rest.hasPrefix) {
                rest = rest.dropFirst(mark.count)
            } else if character == "*" || character == "_", isEmphasis(plain.last, rest.dropFirst().first) {
                rest = rest.dropFirst()
            } else {
                plain.append(character)
                rest = rest.dropFirst()
            }
        }
        return plain
    }

    /// A star between blanks, and a line inside a word, are what they are.
    private static func isEmphasis(_ before: Character?, _ after: Character?) -> Bool {
        let opens = after?.isWhitespace == false
        let closes = before?.isWhitespace == false
        let isInside = [before, after].allSatisfy { $0.map { $0.isLetter || $0.isNumber } ?? false }
        return opens != closes || opens && !isInside
    }

    /// `[words](address)` at the beginning.
    private static func link(_ text: Substring) -> (words: Substring, rest: Substring)? {
        guard let close = text.firstRange(of: "]("), let end = text[close.upperBound...].firstIndex(of: ")") else {
            return nil
        }
        let words = text[text.index(after: text.startIndex)..<close.lowerBound]
        return words.contains("\n") ? nil : (words: words, rest: text[text.index(after: end)...])
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
