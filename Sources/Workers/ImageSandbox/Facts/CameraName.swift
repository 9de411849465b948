/// Maker and model of a camera as one line.
package enum CameraName {
    /// Nil where there is nothing to read.
    ///
    /// A model that begins with its maker stands alone.
    package static func joined(make: String?, model: String?) -> String? {
        let make = clean(make ?? "")
        let model = clean(model ?? "")
        let firstWord = make.prefix { $0 != " " }
        let isRepeated = model.lowercased().hasPrefix(firstWord.lowercased())
        let name = make.isEmpty || (isRepeated && !model.isEmpty) ? model : clean(make + " " + model)
        return name.isEmpty ? nil : name
    }

    /// Printable, without spaces at its ends, at most ``ImageFacts/longestCamera`` bytes.
    private static func clean(_ text: String) -> String {
        var kept = ""
        for scalar in text.unicodeScalars where isPrintable(scalar) {
            guard kept.utf8.count + UTF8.width(scalar) <= ImageFacts.longestCamera else { break }
            kept.unicodeScalars.append(scalar)
        }
        let trimmed = kept.unicodeScalars.drop { $0 == " " }
        let end = trimmed.lastIndex { $0 != " " }
        return end.map { String(String.UnicodeScalarView(trimmed[...$0])) } ?? ""
    }

    /// Whether it is what ``joined(make:model:)`` makes.
    static func isClean(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return Array(text.utf8) == bytes && bytes.count <= ImageFacts.longestCamera && clean(text) == text
    }

    /// Neither controls nor what turns the direction of writing: it stands in lists.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: scalar != "\u{FFFD}"
        }
    }
}

extension UTF8 {
    fileprivate static func width(_ scalar: Unicode.Scalar) -> Int { String(scalar).utf8.count }
}
