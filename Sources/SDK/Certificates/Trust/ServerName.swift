/// The name of a server as a certificate has it: a DNS name in ASCII, or an address.
package struct ServerName: Sendable, Equatable {
    /// The name as it was given, or the address.
    package let text: String
    /// Whether it is an IPv4 or IPv6 address: then it is compared with a certificate's addresses alone.
    package let isAddress: Bool

    /// Nil for what no certificate can be issued to; names in other scripts are given as `xn--…` (RFC 5890).
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 253 else { return nil }
        let hasDigitsOnly = text.utf8.allSatisfy { Self.isDigit($0) || $0 == UInt8(ascii: ".") }
        let isAddressOfSix = text.utf8.contains(UInt8(ascii: ":")) && text.utf8.allSatisfy(Self.isOfAddress)
        guard isAddressOfSix || text.utf8.allSatisfy(Self.isOfName) else { return nil }
        self.text = text
        isAddress = hasDigitsOnly || isAddressOfSix
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isOfAddress(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lower)
            || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}
