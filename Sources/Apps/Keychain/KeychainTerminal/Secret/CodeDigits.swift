import Secrets

/// The digits of a one-time code on the terminal, in two groups, without a string being made of them.
enum CodeDigits {
    /// Appends what puts them into their place.
    static func draw(
        _ digits: borrowing SecretBytes, in area: CodeArea, into output: inout SecretBuffer
    ) throws(SecretMemoryError) {
        try output.append(Array("\u{1B}[0m\u{1B}[\(area.row + 1);\(area.column + 1)H\u{1B}[1m".utf8))
        try append(digits, to: &output)
        try output.append(Array("\u{1B}[0m".utf8))
    }

    /// Appends the digits alone, in their groups.
    static func append(
        _ digits: borrowing SecretBytes, to output: inout SecretBuffer
    ) throws(SecretMemoryError) {
        let half = digits.count == 8 ? 4 : 3
        try digits.withBytes { (bytes) throws(SecretMemoryError) in
            for index in 0..<bytes.byteCount {
                if index > 0, index % half == 0 { try output.append(byte: 0x20) }
                try output.append(byte: bytes.byte(at: index))
            }
        }
    }
}

/// Whether a secret is what one-time codes are made from, by its own words.
enum CodeSeed {
    /// Whether it begins as an otpauth address does, in either case.
    static func isAddress(_ bytes: RawSpan) -> Bool {
        let scheme = Array("otpauth:".utf8)
        guard bytes.byteCount >= scheme.count else { return false }
        return scheme.indices.allSatisfy { index in
            let byte = bytes.byte(at: index)
            return ((0x41...0x5A).contains(byte) ? byte + 0x20 : byte) == scheme[index]
        }
    }
}
