/// Names for files made from what somebody or some program wrote, fit for every file system.
enum SafeName {
    /// Bytes of a name that is kept beside a file.
    private static let longest = 255
    private static let forbidden = Set("/\\:*?\"<>|#%".unicodeScalars)
    /// Names of devices on Windows, whatever their ending.
    private static let devices: Set<String> = [
        "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1",
        "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
    ]

    /// The name that a file had, without folders and what cannot be seen; it names no file here.
    static func shown(_ name: String, fallback: String) -> String {
        let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
        let visible = String(last.unicodeScalars.prefix(4 * longest).filter { !isInvisible($0) })
        let cut = cut(visible, byteCount: longest)
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
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(8 * byteCount) where !isInvisible(scalar) {
            scalars.append(forbidden.contains(scalar) ? "-" : scalar)
        }
        let start = String(scalars).drop { $0 == "." || $0 == "-" || $0.isWhitespace }
        // One byte is left for the mark before a device's name.
        var name = cut(start.map { $0.isWhitespace ? " " : $0 }, byteCount: byteCount - 1)
        while let last = name.last, last == "." || last == " " || last == "-" { name.removeLast() }
        if devices.contains(name.prefix { $0 != "." }.lowercased()) { name = "_" + name }
        return name.isEmpty ? fallback : name
    }

    private static func cut(_ text: some Sequence<Character>, byteCount: Int) -> String {
        var result = ""
        var used = 0
        for character in text {
            used += character.utf8.count
            guard used <= byteCount else { break }
            result.append(character)
        }
        return result
    }

    /// Control characters, and those that turn a line around or are not seen at all.
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: true
        case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
        default: false
        }
    }
}

/// The names of one folder; those that differ in case alone are the same to some file systems.
struct TakenNames {
    private var names: Set<String> = []
    private var next: [String: Int] = [:]

    /// The first of `stem.ending`, `stem-2.ending`, `stem-3.ending`, … that is free, which is taken from now on.
    mutating func claim(_ stem: String, ending: String) -> String {
        let ending = ending.isEmpty ? "" : "." + ending
        let wish = (stem + ending).lowercased()
        if names.insert(wish).inserted { return stem + ending }
        var number = next[wish] ?? 2
        while !names.insert("\(stem)-\(number)\(ending)".lowercased()).inserted { number += 1 }
        next[wish] = number + 1
        return "\(stem)-\(number)\(ending)"
    }
}
