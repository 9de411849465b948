import Secrets

/// Base32 (RFC 4648, 6) as people copy secrets: in lower case, in groups with spaces, with or without padding.
enum OneTimeCodeBase32 {
    /// - Returns: 1 to ``OneTimeCodeSecret/longestSecret`` bytes.
    static func decode(_ text: ByteRange) throws(OneTimeCodeError) -> SecretBytes {
        var (letters, padding) = (0, 0)
        var (waiting, bits): (UInt32, Int) = (0, 0)
        do {
            var bytes = try SecretBuffer(capacity: OneTimeCodeSecret.longestSecret)
            for offset in 0..<text.count {
                let byte = text[offset]
                if byte == UInt8(ascii: " ") { continue }
                if byte == UInt8(ascii: "=") {
                    padding += 1
                    continue
                }
                guard padding == 0, let value = value(byte) else { throw OneTimeCodeError.malformed }
                letters += 1
                waiting = (waiting & 0x7F) << 5 | UInt32(value)
                bits += 5
                guard bits >= 8 else { continue }
                bits -= 8
                guard bytes.count < OneTimeCodeSecret.longestSecret else { throw OneTimeCodeError.malformed }
                try bytes.append(byte: UInt8(truncatingIfNeeded: waiting >> UInt32(bits)))
            }
            // Bits that are left over are dropped, whatever they are: sites make secrets of random letters.
            guard letters > 0, isLength(letters, padding) else { throw OneTimeCodeError.malformed }
            return bytes.finish()
        } catch let error as OneTimeCodeError { throw error } catch { throw .memory }
    }

    /// Whether so many letters say whole bytes, and the padding, if there is any, fills the last eight.
    private static func isLength(_ letters: Int, _ padding: Int) -> Bool {
        let wanted: Int
        switch letters % 8 {
        case 0: wanted = 0
        case 2: wanted = 6
        case 4: wanted = 4
        case 5: wanted = 3
        case 7: wanted = 1
        default: return false
        }
        return padding == 0 || padding == wanted
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a")
        case UInt8(ascii: "2")...UInt8(ascii: "7"): byte - UInt8(ascii: "2") + 26
        default: nil
        }
    }
}
