import Secrets

/// FNV-1a with 64 bits, over the bytes and over their complements (draft-eastlake-fnv): names, not secrets.
struct Fingerprint {
    private var high: UInt64 = 0xCBF2_9CE4_8422_2325
    private var low: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes {
            high = (high ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            low = (low ^ UInt64(~byte)) &* 0x0000_0100_0000_01B3
        }
    }

    var identifier: Identifier { Identifier(high: high, low: low) }
}
