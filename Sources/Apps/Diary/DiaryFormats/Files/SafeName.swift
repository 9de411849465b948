import Codecs

/// Names of files in exports, and those that files had.
enum SafeName {
    /// Bytes of a name that is kept beside a file.
    private static let longest = 255

    /// The name that a file had, without folders and what cannot be seen; it names no file here.
    static func shown(_ name: String, fallback: String) -> String {
        let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
        let visible = String(last.unicodeScalars.prefix(4 * longest).filter { !FileName.isInvisible($0) })
        let cut = FileName.cut(visible, byteCount: longest)
        return cut.allSatisfy { $0 == "." || $0.isWhitespace } ? fallback : cut
    }

    /// The part before the last dot, and what is behind it; nothing where that is no ending.
    static func parts(of name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return (stem: name, ending: "") }
        let ending = name[dot...].dropFirst()
        let isEnding = (1...8).contains(ending.utf8.count) && ending.utf8.allSatisfy { $0 > 32 && $0 < 127 }
        return isEnding ? (stem: String(name[..<dot]), ending: String(ending)) : (stem: name, ending: "")
    }

    /// A name for a file, of at most `byteCount` bytes.
    static func make(_ text: String, byteCount: Int, fallback: String) -> String {
        FileName.make(text, byteCount: byteCount, for: .links) ?? fallback
    }
}

extension TakenNames {
    /// The first of `stem.ending`, `stem-2.ending`, `stem-3.ending`, … that is free, which is taken from now on.
    mutating func claim(_ stem: String, ending: String) -> String {
        let ending = ending.isEmpty ? "" : "." + ending
        return claim { stem + ($0 > 1 ? "-\($0)" : "") + ending }
    }
}
