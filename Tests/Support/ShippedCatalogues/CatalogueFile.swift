/// Lays catalogues out as gettext's manual has them.
package enum CatalogueFile {
    /// The head of a catalogue whose language has the plural of English.
    package static let header = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"

    /// - Parameter entries: of each text its translation; with a zero byte between forms.
    package static func make(
        _ entries: [String: String], header: String? = header, isBigEndian: Bool = false, revision: UInt32 = 0
    ) -> [UInt8] {
        var all = entries
        if let header { all[""] = header }
        let sorted = all.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }
        func number(_ value: Int) -> [UInt8] {
            let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
            return isBigEndian ? bytes.reversed() : bytes
        }
        let tables = 28 + sorted.count * 16
        var (originals, translations, texts) = ([UInt8](), [UInt8](), [UInt8]())
        for (original, translation) in sorted {
            originals += number(original.utf8.count) + number(tables + texts.count)
            texts += Array(original.utf8) + [0]
            translations += number(translation.utf8.count) + number(tables + texts.count)
            texts += Array(translation.utf8) + [0]
        }
        var head = number(0x9504_12DE) + number(Int(revision)) + number(sorted.count) + number(28)
        head += number(28 + sorted.count * 8) + number(0) + number(0)
        return head + originals + translations + texts
    }
}
