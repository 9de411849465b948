import Codecs
import Localization
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
        return isPlain ? localized("“\(name)”") : localized("of another name")
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
        guard let time = ISODate.parse(text, as: .rfc3339), time >= 0, ISODate.isWritable(time) else { return nil }
        self.init(microseconds: time)
    }
}
