import Linux

/// 128 random bits that name a thing: an item, a keychain, a class key.
///
/// Not Foundation's `UUID`, which returns the same value every time, and no error, where /dev/urandom cannot be opened.
public struct Identifier: Hashable, Sendable, CustomStringConvertible {
    /// The first eight bytes, big-endian.
    package let high: UInt64
    /// The last eight bytes, big-endian.
    package let low: UInt64

    /// - Parameters:
    ///   - high: the first eight bytes, big-endian.
    ///   - low: the last eight.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A fresh one from the system's generator.
    package static func makeRandom() -> Identifier {
        let (high, low) = SystemRandom.makePair()
        return Identifier(high: high, low: low)
    }

    /// Of an identifier in a file or message.
    package static let byteCount = 16

    /// All bits zero: no identifier that ``makeRandom()`` gives.
    package static let zero = Identifier(high: 0, low: 0)

    /// Nil unless there are exactly 16 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The 16 bytes, big-endian.
    package var bytes: [UInt8] {
        (0..<16).map { index in
            let half = index < 8 ? high : low
            return UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * (index % 8)))
        }
    }

    /// 32 lower-case hexadecimal digits.
    public var description: String { Hexadecimal.encode(bytes) }

    /// Reads what ``description`` writes; nil for anything else.
    public init?(_ description: String) {
        guard let bytes = Hexadecimal.decode(description), let identifier = Identifier(bytes) else { return nil }
        self = identifier
    }
}

/// Fresh bytes from the system's generator, for nonces and salts.
package enum Random {
    /// As many bytes from getrandom(2), on the heap: none of them is a secret.
    package static func bytes(count: Int) -> [UInt8] { SystemRandom.makeBytes(count: count) }
}

/// Lower-case hexadecimal, for identifiers and vectors; never for secrets.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Two digits for each byte, the higher half first.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil unless the text is an even number of lower-case digits.
    package static func decode(_ text: String) -> [UInt8]? {
        let values = text.utf8.map { digits.firstIndex(of: $0) }
        guard values.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for pair in stride(from: 0, to: values.count, by: 2) {
            guard let high = values[pair], let low = values[pair + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
