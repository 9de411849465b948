/// Names for files made from what somebody or some program wrote, fit for every file system.
package enum FileName {
    /// Where a name is to stand.
    package enum Use: Sendable {
        /// In a folder.
        case folder
        /// In a folder, and in links to it: neither `#` nor `%` is in it, and no hyphen at its ends.
        case links
    }

    private static let forbidden = Set("/\\:*?\"<>|".unicodeScalars)
    private static let forbiddenInLinks = Set("#%".unicodeScalars)
    /// Names of devices on Windows, whatever their ending.
    private static let devices: Set<String> = [
        "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1",
        "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
    ]

    /// A name for a file, of at most `byteCount` bytes; nil where nothing of the text can stand in one.
    package static func make(_ text: String, byteCount: Int, for use: Use) -> String? {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(8 * byteCount) where !isInvisible(scalar) {
            let isForbidden = forbidden.contains(scalar) || use == .links && forbiddenInLinks.contains(scalar)
            scalars.append(isForbidden ? "-" : scalar)
        }
        let isLinked = use == .links
        let start = String(scalars).drop { $0 == "." || isLinked && $0 == "-" || $0.isWhitespace }
        // One byte is left for the mark before a device's name.
        var name = cut(start.map { $0.isWhitespace ? " " : $0 }, byteCount: byteCount - 1)
        while let last = name.last, last == "." || last == " " || isLinked && last == "-" { name.removeLast() }
        if devices.contains(name.prefix { $0 != "." }.lowercased()) { name = "_" + name }
        return name.isEmpty ? nil : name
    }

    /// As much of a text as has so many bytes.
    package static func cut(_ text: some Sequence<Character>, byteCount: Int) -> String {
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
    package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: true
        case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
        default: false
        }
    }
}

/// The names of one folder; those that differ in case alone are the same to some file systems.
package struct TakenNames: Sendable {
    private var names: Set<String> = []
    private var next: [String: Int] = [:]

    package init() {}

    /// The first that is free, which is taken from now on.
    ///
    /// - Parameter name: of a number: what is wished for of 1, and others of 2 and more.
    package mutating func claim(_ name: (Int) -> String) -> String {
        let wish = name(1)
        if names.insert(wish.lowercased()).inserted { return wish }
        var number = next[wish.lowercased()] ?? 2
        while true {
            let other = name(number)
            number += 1
            guard names.insert(other.lowercased()).inserted else { continue }
            next[wish.lowercased()] = number
            return other
        }
    }

    /// Gives a name back: there is no file of it any more.
    package mutating func release(_ name: String) { names.remove(name.lowercased()) }
}
