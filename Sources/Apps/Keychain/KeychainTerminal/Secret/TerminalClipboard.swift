import Secrets

/// The clipboard of the terminal itself, by its control sequence OSC 52 (xterm's ctlseqs, "Manipulate Selection Data").
///
/// A terminal may ignore it, and answers nothing. Several do not know how to clear; all that take a text at all take
/// another in its place, and so a space is put there before the clipboard is cleared.
enum TerminalClipboard {
    /// Bytes of a secret; above about 75,000 bytes of Base64 terminals cut off or ignore the sequence.
    static let limit = 48 * 1024

    private static let begin = Array("\u{1B}]52;c;".utf8)
    private static let end: UInt8 = 0x07

    /// - Parameter secret: at most ``limit`` bytes.
    static func sequence(copying secret: borrowing SecretBytes) throws(SecretMemoryError) -> SecretBuffer {
        var output = try SecretBuffer(capacity: 16 + secret.count * 4 / 3 + 4)
        try output.append(begin)
        try secret.withBytes { (bytes) throws(SecretMemoryError) in try append(base64: bytes, to: &output) }
        try output.append(byte: end)
        return output
    }

    /// A space in the secret's place, and then nothing.
    static func clearing() throws(SecretMemoryError) -> SecretBuffer {
        var output = try SecretBuffer(capacity: 64)
        try output.append(begin + Array("IA==".utf8) + [end] + begin + Array("!".utf8) + [end])
        return output
    }

    /// RFC 4648, section 4.
    private static func append(base64 bytes: RawSpan, to output: inout SecretBuffer) throws(SecretMemoryError) {
        for offset in stride(from: 0, to: bytes.byteCount, by: 3) {
            let count = min(3, bytes.byteCount - offset)
            var group: UInt32 = 0
            for index in 0..<3 { group = group << 8 | (index < count ? UInt32(bytes.byte(at: offset + index)) : 0) }
            for index in 0..<4 {
                let value = Int(group >> UInt32(18 - 6 * index) & 63)
                try output.append(byte: index <= count ? alphabet[value] : 0x3D)
            }
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
