package import Secrets

/// The name of an account at a server: what a person types, and others know the account by.
///
/// From 1 to 64 characters of `a` to `z`, `0` to `9`, `.`, `_` and `-`, the first a letter or digit: specs/cloud.md.
/// So no two names look alike by case, by accents, or by letters of another alphabet.
package struct AccountName: Hashable, Sendable, CustomStringConvertible {
    /// As it was typed.
    package let description: String

    /// - Parameter text: as it was typed; nothing is folded or cut off.
    package init?(_ text: String) {
        let letters = text.utf8
        guard (1...CloudLimits.accountName).contains(letters.count), letters.allSatisfy(Self.isAllowed),
            letters.first.map(Self.isLetterOrDigit) == true
        else { return nil }
        description = text
    }

    /// - Parameter bytes: the name and nothing else.
    /// - Throws: `tooLong` above 64 bytes, `invalid` for what is no name.
    package init(from bytes: RawSpan) throws(DecodingError) {
        guard bytes.byteCount <= CloudLimits.accountName else { throw .tooLong }
        guard let text = String(validating: bytes.copyToArray(), as: UTF8.self), let name = Self(text) else {
            throw .invalid
        }
        self = name
    }

    /// The bytes that ``init(from:)`` reads.
    package var encoded: [UInt8] { Array(description.utf8) }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
