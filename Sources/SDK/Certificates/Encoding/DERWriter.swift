/// The few headers that we write ourselves.
enum DERWriter {
    /// Tag and length, in the shortest form (X.690, 10.1).
    static func header(_ tag: DERTag, count: Int) -> [UInt8] {
        guard count >= 0x80 else { return [tag.byte, UInt8(count)] }
        var length: [UInt8] = []
        var rest = count
        while rest > 0 {
            length.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return [tag.byte, 0x80 | UInt8(length.count)] + length
    }

    static func element(_ tag: DERTag, _ content: [UInt8]) -> [UInt8] { header(tag, count: content.count) + content }
}
