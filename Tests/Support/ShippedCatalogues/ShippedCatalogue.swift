import Checkout
import Foundation
package import Localization

/// The catalogues of `locale/` as an installation finds them beside its programs; tests run without one.
package enum ShippedCatalogue {
    /// Has each of them found where a language is asked for by its name, as that of a diary is.
    ///
    /// - Throws: where one of them cannot be read.
    package static func keepAll() throws { try kept.get() }

    private static let kept = Result {
        for language in ["de", "fr", "nb"] { Localization.keep(try read(language), of: language) }
    }

    /// One language, such as `de`.
    ///
    /// - Throws: where there is no such file, or it makes no catalogue.
    package static func read(_ language: String) throws -> MessageCatalogue {
        let file = Checkout.root.appendingPathComponent("locale/\(language).po")
        var entries = entries(of: try String(contentsOf: file, encoding: .utf8))
        let header = entries.removeValue(forKey: "")
        return try MessageCatalogue(CatalogueFile.make(entries, header: header))
    }

    /// Of each text its translation, with a zero byte between forms; what is marked fuzzy is left out.
    package static func entries(of file: String) -> [String: String] {
        var entries: [String: String] = [:]
        for block in file.split(separator: "\n\n") {
            let lines = block.split(separator: "\n")
            if lines.contains(where: { $0.hasPrefix("#,") && $0.contains("fuzzy") }) { continue }
            var fields: [(name: Substring, text: String)] = []
            for line in lines where !line.hasPrefix("#") {
                guard let quote = line.firstIndex(of: "\"") else { continue }
                if quote > line.startIndex { fields.append((name: line[..<quote], text: "")) }
                guard !fields.isEmpty else { continue }
                fields[fields.count - 1].text += unquoted(line[quote...])
            }
            let key = fields.filter { $0.name.hasPrefix("msgid") }.map(\.text)
            // As in a compiled catalogue (GNU gettext, "The Format of GNU MO Files").
            let context = fields.first { $0.name.hasPrefix("msgctxt") }.map { $0.text + "\u{4}" } ?? ""
            let forms = fields.filter { $0.name.hasPrefix("msgstr") }.map(\.text)
            if !key.isEmpty { entries[context + key.joined(separator: "\0")] = forms.joined(separator: "\0") }
        }
        return entries
    }

    private static func unquoted(_ literal: Substring) -> String {
        var text = ""
        var rest = literal.dropFirst().dropLast()
        while let character = rest.popFirst() {
            guard character == "\\", let sign = rest.popFirst() else {
                text.append(character)
                continue
            }
            switch sign {
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "r": text.append("\r")
            default: text.append(sign)
            }
        }
        return text
    }
}
