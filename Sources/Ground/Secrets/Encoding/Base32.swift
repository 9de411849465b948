/// Base32 (RFC 4648, section 6) without padding; never for secrets.
package enum Base32 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Eight characters for each five bytes; what is left over gives fewer, and no padding.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var (waiting, count): (UInt32, Int) = (0, 0)
        for byte in bytes {
            waiting = waiting << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(digits[Int(waiting >> UInt32(count)) & 31])
            }
            waiting &= (1 << UInt32(count)) - 1
        }
        if count > 0 { text.append(digits[Int(waiting << UInt32(5 - count)) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }
}
