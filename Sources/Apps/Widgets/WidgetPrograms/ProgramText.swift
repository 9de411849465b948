import Widgets

/// Rules for the texts of an answer.
enum ProgramText {
    /// A name of the program's for people to read: what is not plain letters is not repeated.
    static func quoted(_ name: String) -> String {
        let isPlain =
            (1...32).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x2D || byte == 0x5F
            }
        return isPlain ? "“\(name)”" : "of another name"
    }

    /// Whether there is nothing in it that moves a terminal's cursor or ends a host's line.
    ///
    /// - Parameter allowsLines: whether line breaks and tabulators may be in it.
    static func isClean(_ text: String, allowsLines: Bool) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x0A, 0x09: allowsLines
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: false
            default: true
            }
        }
    }

    /// Where a click may lead.
    static let schemes = ["http", "https", "mailto", "tresor"]

    static func isURL(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            schemes.contains(String(text[..<colon]).lowercased()), text.utf8.index(after: colon) < text.utf8.endIndex
        else { return false }
        // RFC 3986, section 2: what is not ASCII, and these, are written with `%`.
        let others = Array("\"<>\\^`{|}".utf8)
        return text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !others.contains($0) }
    }

    /// Whether bytes begin like a PNG or a JPEG; they are decoded where they can do no harm.
    static func isPicture(_ file: [UInt8]) -> Bool {
        file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) || file.starts(with: [0xFF, 0xD8, 0xFF])
    }
}

extension Moment {
    /// The last second of the year 9999.
    private static let last: Int64 = 253_402_300_799

    /// - Parameter number: seconds since 1970; nil where they are before it or after 9999.
    init?(_ number: JSONNumber) {
        guard let microseconds = number.millionths, microseconds >= 0,
            microseconds <= Self.last * 1_000_000 + 999_999
        else { return nil }
        self.init(microseconds: microseconds)
    }

    /// - Parameter text: as in RFC 3339, section 5.6, from 1970 to 9999; microseconds are the smallest that counts.
    init?(rfc3339 text: String) {
        var rest = Array(text.utf8)[...]
        func number(_ count: Int, upTo most: Int) -> Int? {
            guard rest.count >= count, rest.prefix(count).allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            let value = rest.prefix(count).reduce(0) { $0 * 10 + Int($1 - 0x30) }
            rest = rest.dropFirst(count)
            return value <= most ? value : nil
        }
        func skip(_ characters: String) -> Bool {
            guard let first = rest.first, Array(characters.utf8).contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = number(4, upTo: 9999), skip("-"), let month = number(2, upTo: 12), skip("-"),
            let day = number(2, upTo: 31), skip("Tt"), let hour = number(2, upTo: 23), skip(":"),
            let minute = number(2, upTo: 59), skip(":"), let second = number(2, upTo: 59),
            month >= 1, day >= 1, day <= Self.dayCount(year, month)
        else { return nil }
        var fraction: Int64 = 0
        if skip(".") {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count)
            let small = (Array(digits) + [UInt8](repeating: 0x30, count: 6)).prefix(6)
            fraction = small.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
        var offset = 0
        if !skip("Zz") {
            let isBehind = rest.first == UInt8(ascii: "-")
            guard skip("+-"), let hours = number(2, upTo: 23), skip(":"), let minutes = number(2, upTo: 59) else {
                return nil
            }
            offset = (hours * 60 + minutes) * (isBehind ? -60 : 60)
        }
        guard rest.isEmpty else { return nil }
        let days = Self.days(year, month, day)
        let seconds = Int64(days * 86400 + hour * 3600 + minute * 60 + second - offset)
        guard (0...Self.last).contains(seconds) else { return nil }
        self.init(microseconds: seconds * 1_000_000 + fraction)
    }

    private static func dayCount(_ year: Int, _ month: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days since 1970-01-01, in the Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Whole years before this one, of which every fourth is longer, but three of four centuries.
        let past = year - 1
        let whole = past * 365 + past / 4 - past / 100 + past / 400 - 719_162
        return whole + (1..<month).reduce(0) { $0 + dayCount(year, $1) } + day - 1
    }
}
