/// Where a text names its entry's files: `![caption](media:2)` stands for the third.
package enum MediaReferences {
    private static let mark = "](media:"

    /// What stands for a file in a text.
    package static func reference(to number: Int) -> String { "![\(mark)\(number))" }

    /// The text with the numbers that its files have now; of one that is gone the caption stays.
    ///
    /// - Parameter number: the new number of a file, by the old one; nil for one that is gone.
    package static func renumbered(_ text: String, _ number: (Int) -> Int?) -> String {
        let pieces = text.split(separator: mark, omittingEmptySubsequences: false)
        var result = String(pieces.first ?? "")
        for piece in pieces.dropFirst() {
            let digits = piece.prefix { $0.isASCII && $0.isNumber }
            let rest = piece.dropFirst(digits.count)
            guard rest.first == ")", let old = Int(digits) else {
                result += mark + piece
                continue
            }
            if let new = number(old) {
                result += "\(mark)\(new)" + rest
            } else {
                uncover(&result)
                result += rest.dropFirst()
            }
        }
        return result
    }

    /// Takes out what opens the last caption.
    private static func uncover(_ text: inout String) {
        guard let bracket = text.lastIndex(of: "[") else { return }
        let isPicture = bracket > text.startIndex && text[text.index(before: bracket)] == "!"
        text.removeSubrange((isPicture ? text.index(before: bracket) : bracket)...bracket)
    }
}
