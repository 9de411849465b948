package import Secrets

/// What a QR code says by which a phone joins a Wi-Fi: `WIFI:T:WPA;S:network;P:password;;`.
///
/// Sources: "Barcode Contents" of the ZXing project's wiki, whose escapes phones read; WPA3 Specification 3.4, section
/// 7, for `T:WPA` with WPA2 and WPA3 alike.
package enum WiFiText {
    /// Makes the text, in locked memory as the password is.
    ///
    /// - Parameters:
    ///   - network: its name (SSID).
    ///   - password: empty for a network without one.
    package static func make(
        network: String, password: borrowing SecretBytes
    ) throws(SecretMemoryError) -> SecretBytes {
        var text = try SecretBuffer(capacity: 64 + 2 * (network.utf8.count + password.count))
        let isOpen = password.count == 0
        try text.append(Array((isOpen ? "WIFI:T:nopass;S:" : "WIFI:T:WPA;S:").utf8))
        let quote: [UInt8] = isHexadecimal(network) ? [UInt8(ascii: "\"")] : []
        try text.append(quote)
        for byte in network.utf8 { try append(byte, to: &text) }
        try text.append(quote)
        if !isOpen {
            try text.append(Array(";P:".utf8))
            // Of passwords none can be mistaken: those in letters have at most 63, those in digits of a key 64.
            try password.withBytes { (bytes) throws(SecretMemoryError) in
                for offset in 0..<bytes.byteCount { try append(bytes.byte(at: offset), to: &text) }
            }
        }
        try text.append(Array(";;".utf8))
        return text.finish()
    }

    private static func append(_ byte: UInt8, to text: inout SecretBuffer) throws(SecretMemoryError) {
        if special.contains(byte) { try text.append(byte: UInt8(ascii: "\\")) }
        try text.append(byte: byte)
    }

    private static let special = Array("\\;,\":".utf8)

    /// A name that could be read as the bytes of another.
    private static func isHexadecimal(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count.isMultiple(of: 2)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
            }
    }
}
