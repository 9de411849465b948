import Codecs

extension FileName {
    /// Bytes of a name, with its ending.
    static let longest = 120

    /// - Parameters:
    ///   - number: stands behind the name from 2 on.
    ///   - ending: kept whole, such as `.md`.
    ///   - fallback: where nothing of the text can stand in a name.
    static func make(_ text: String, number: Int = 1, ending: String = "", fallback: String) -> String {
        let suffix = (number > 1 ? "-\(number)" : "") + ending
        return (make(text, byteCount: longest - suffix.utf8.count, for: .folder) ?? fallback) + suffix
    }
}

extension TakenNames {
    /// The first of `name`, `name-2`, `name-3`, … that is free, which is taken from now on.
    mutating func claim(_ text: String, ending: String = "", fallback: String) -> String {
        claim { FileName.make(text, number: $0, ending: ending, fallback: fallback) }
    }
}
