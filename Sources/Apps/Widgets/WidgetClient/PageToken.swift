import Envelopes
import Linux

/// What an address of a widget's page ends with: 128 random bits that nobody guesses and nobody keeps.
///
/// Who knows it sees what the page shows. It is printed once; what is stored is its ``digest``.
///
///     let token = PageToken.makeRandom()
///     print("/w/" + token.text)
package struct PageToken: Equatable, Sendable {
    /// Characters of ``text``: 5 bits each.
    package static let characterCount = 26
    private static let byteCount = 16
    /// RFC 4648, section 6, in small letters.
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
    private static let purpose = "tresor.widgets.page.1"

    private let bytes: [UInt8]

    /// A fresh one from the system's generator.
    package static func makeRandom() -> PageToken { PageToken(bytes: SystemRandom.makeBytes(count: byteCount)) }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Parameter text: as ``text`` gives it; nil for any other.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.characterCount else { return nil }
        var bytes: [UInt8] = []
        var (group, bits) = (0, 0)
        for character in text.utf8 {
            guard let value = Self.alphabet.firstIndex(of: character) else { return nil }
            group = (group << 5 | value) & 0xfff
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(group >> bits & 255))
            }
        }
        // 130 bits, of which the last two say nothing and are zero.
        guard group & 3 == 0, bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// 26 small letters and digits, in Base32 without padding.
    package var text: String {
        var text: [UInt8] = []
        var (group, bits) = (0, 0)
        for byte in bytes + [0] {
            group = (group << 8 | Int(byte)) & 0xffff
            bits += 8
            while bits >= 5 && text.count < Self.characterCount {
                bits -= 5
                text.append(Self.alphabet[group >> bits & 31])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// SHA-256 of it.
    ///
    /// 128 random bits need no salt and no slow function: there is no list of them to go through.
    package var digest: PageDigest { PageDigest(Digest.sha256(Array(Self.purpose.utf8) + [0] + bytes)) }
}
