public import FoundationEssentials

/// Base64 of data and of texts, both ways (RFC 4648, section 4).
///
/// **This is no encryption.** It has no key: whoever sees the result reads it as well as you do. The threat it
/// answers is a channel that spoils bytes, nobody's curiosity; what must stay secret goes into the keychain, or is
/// sealed first. Do not pass a ``SecretBytes`` through it either: texts and `Data` are not wiped.
///
/// It is FoundationEssentials' encoding with a stricter reader: there is one text for each data, so that two texts
/// never mean the same and nothing hides in one. Foundation's own takes `Rm9v=`, `Rm9vYh==` and `====`, and with
/// unknown characters ignored drops what follows a `=`. Source: the book, chapter 7.4; feature D10.
///
///     Base64.encode("Foobar")  // "Rm9vYmFy"
///     Base64.decodeText("Rm9vYmFy")  // "Foobar"
///     Base64.encode(photo, lines: .of76)  // for a mail
public enum Base64 {
    /// How the result is broken into lines.
    public enum Lines: Sendable, CaseIterable {
        /// One line, without an end.
        case none
        /// Of 64 characters, as in PEM (RFC 7468).
        case of64
        /// Of 76 characters, as in MIME (RFC 2045, section 6.8).
        case of76
    }

    /// What stands between two lines; the last one has no end.
    public enum LineEnd: Sendable, CaseIterable {
        /// As MIME wants it.
        case carriageReturnLineFeed
        /// As files here have it.
        case lineFeed
    }

    /// The data as letters, digits, `+` and `/`, with `=` at the end.
    ///
    /// - Parameters:
    ///   - data: any number of bytes.
    ///   - lines: how long a line is.
    ///   - lineEnd: what stands between two lines.
    /// - Returns: four characters for three bytes, and the lines' ends.
    public static func encode(
        _ data: Data, lines: Lines = .none, lineEnd: LineEnd = .carriageReturnLineFeed
    ) -> String {
        var options: Data.Base64EncodingOptions =
            switch lines {
            case .none: []
            case .of64: .lineLength64Characters
            case .of76: .lineLength76Characters
            }
        if lines != .none {
            options.insert(
                lineEnd == .lineFeed ? .endLineWithLineFeed : [.endLineWithCarriageReturn, .endLineWithLineFeed])
        }
        return data.base64EncodedString(options: options)
    }

    /// The text's UTF-8 in Base64.
    ///
    /// - Parameters:
    ///   - text: any text.
    ///   - lines: how long a line is.
    ///   - lineEnd: what stands between two lines.
    public static func encode(
        _ text: String, lines: Lines = .none, lineEnd: LineEnd = .carriageReturnLineFeed
    ) -> String {
        encode(Data(text.utf8), lines: lines, lineEnd: lineEnd)
    }

    /// The data that ``encode(_:lines:lineEnd:)-(Data,_,_)`` made a text of.
    ///
    /// - Parameters:
    ///   - text: Base64, with its `=`.
    ///   - ignoringUnknownCharacters: whether characters that are none of Base64, such as the ends of lines, are
    ///     skipped. False refuses them, and so a text in lines.
    /// - Returns: nil when that is no Base64, or not the only one for its data.
    public static func decode(_ text: String, ignoringUnknownCharacters: Bool = false) -> Data? {
        let known = ignoringUnknownCharacters ? String(decoding: text.utf8.filter(isKnown), as: UTF8.self) : text
        guard let data = Data(base64Encoded: known), data.base64EncodedString() == known else { return nil }
        return data
    }

    /// The text that ``encode(_:lines:lineEnd:)-(String,_,_)`` made a text of.
    ///
    /// - Parameters:
    ///   - text: Base64, with its `=`.
    ///   - ignoringUnknownCharacters: whether characters that are none of Base64 are skipped.
    /// - Returns: nil when that is no Base64, or what it holds is no UTF-8.
    public static func decodeText(_ text: String, ignoringUnknownCharacters: Bool = false) -> String? {
        guard let data = decode(text, ignoringUnknownCharacters: ignoringUnknownCharacters) else { return nil }
        return String(validating: data, as: UTF8.self)
    }

    private static func isKnown(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
