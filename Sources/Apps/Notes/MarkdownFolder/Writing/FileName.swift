/// Names for files made from what people wrote, fit for every file system.
enum FileName {
    /// Bytes of a name, with its ending.
    static let longest = 120
    private static let forbidden = Set("/\\:*?\"<>|".unicodeScalars)
    /// Names of devices on Windows, whatever their ending.
    private static let devices: Set<String> = [
        "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1",
        "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
    ]

    /// - Parameters:
    ///   - number: stands behind the name from 2 on.
    ///   - ending: kept whole, such as `.md`.
    ///   - fallback: where nothing of the text can stand in a name.
    static func make(_ text: String, number: Int = 1, ending: String = "", fallback: String) -> String {
        let suffix = (number > 1 ? "-\(number)" : "") + ending
        let stem = stem(text, byteCount: longest - suffix.utf8.count)
        return (stem.isEmpty ? fallback : stem) + suffix
    }

    private static func stem(_ text: String, byteCount: Int) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(4 * longest) {
            if isInvisible(scalar) { continue }
            scalars.append(forbidden.contains(scalar) ? "-" : scalar)
        }
        var name = ""
        var used = 0
        for character in String(scalars).drop(while: { $0 == "." || $0.isWhitespace }) {
            used += character.utf8.count
            // One byte is left for the mark before a device's name.
            guard used < byteCount else { break }
            name.append(character.isWhitespace ? " " : character)
        }
        while name.last == "." || name.last == " " { name.removeLast() }
        let base = name.prefix { $0 != "." }.lowercased()
        return devices.contains(base) ? "_" + name : name
    }

    /// Control characters, and those that turn a line around or are not seen at all.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
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

    /// The first of `name`, `name-2`, `name-3`, … that is free, which is taken from now on.
    mutating func claim(_ text: String, ending: String = "", fallback: String) -> String {
        let wish = FileName.make(text, ending: ending, fallback: fallback)
        if names.insert(wish.lowercased()).inserted { return wish }
        var number = next[wish.lowercased()] ?? 2
        while true {
            let name = FileName.make(text, number: number, ending: ending, fallback: fallback)
            number += 1
            guard names.insert(name.lowercased()).inserted else { continue }
            next[wish.lowercased()] = number
            return name
        }
    }

    /// Gives a name back: there is no file of it any more.
    mutating func release(_ name: String) { names.remove(name.lowercased()) }
}
