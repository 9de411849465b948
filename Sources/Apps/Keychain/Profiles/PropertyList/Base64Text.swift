import Secrets

/// Decodes base64 (RFC 4648, section 4) between tags, from borrowed bytes into locked memory.
///
/// White space may stand anywhere, as Apple's writers indent it. What is under it has to be canonical.
enum Base64Text {
    /// Also takes `</data>`.
    static func decode(_ scanner: inout XMLScanner, into content: inout SecretBuffer) throws {
        var group: UInt32 = 0
        var (digits, padding) = (0, 0)
        while let byte = scanner.peek(), byte != UInt8(ascii: "<") {
            _ = scanner.next()
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: continue
            case UInt8(ascii: "="):
                padding += 1
                guard digits >= 2, digits + padding <= 4 else { throw scanner.failure(.base64) }
            default:
                guard padding == 0, let digit = value(byte) else { throw scanner.failure(.base64) }
                group = group << 6 | UInt32(digit)
                digits += 1
                guard digits == 4 else { continue }
                for shift in [16, 8, 0] as [UInt32] {
                    try content.append(byte: UInt8(truncatingIfNeeded: group >> shift))
                }
                (group, digits) = (0, 0)
            }
        }
        try finish(group, digits, padding, &content, scanner.failure(.base64))
        try scanner.close(.data)
    }

    /// The last group: two digits make one byte, three make two, and bits that no byte takes up are zero.
    private static func finish(
        _ group: UInt32, _ digits: Int, _ padding: Int, _ content: inout SecretBuffer, _ failure: PropertyListError
    ) throws {
        guard digits > 0 else {
            guard padding == 0 else { throw failure }
            return
        }
        guard digits + padding == 4 else { throw failure }
        let spare = UInt32(digits == 2 ? 4 : 2)
        guard digits > 1, group & ((1 << spare) - 1) == 0 else { throw failure }
        let whole = group >> spare
        if digits == 3 { try content.append(byte: UInt8(truncatingIfNeeded: whole >> 8)) }
        try content.append(byte: UInt8(truncatingIfNeeded: whole))
    }

    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
