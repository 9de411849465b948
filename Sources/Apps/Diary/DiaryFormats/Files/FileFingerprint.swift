/// MD5 (RFC 1321), which Day One names files after and we name sources after that have no name of their own.
///
/// Nothing is kept safe by it: who makes two files of one fingerprint gives their own diary one picture twice.
struct FileFingerprint {
    private var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0

    private static let block = 64
    /// RFC 1321, section 3.4: whole parts of 2³² times the absolute sine of 1 to 64.
    private static let sines: [UInt32] = [
        0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A, 0xA830_4613, 0xFD46_9501,
        0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE, 0x6B90_1122, 0xFD98_7193, 0xA679_438E, 0x49B4_0821,
        0xF61E_2562, 0xC040_B340, 0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D, 0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8,
        0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED, 0xA9E3_E905, 0xFCEF_A3F8, 0x676F_02D9, 0x8D2A_4C8A,
        0xFFFA_3942, 0x8771_F681, 0x6D9D_6122, 0xFDE5_380C, 0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70,
        0x289B_7EC6, 0xEAA1_27FA, 0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665,
        0xF429_2244, 0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92, 0xFFEF_F47D, 0x8584_5DD1,
        0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1, 0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB, 0xEB86_D391,
    ]
    private static let shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

    static func of(_ text: String) -> String {
        var fingerprint = Self()
        fingerprint.add(Array(text.utf8))
        return fingerprint.finish()
    }

    mutating func add(_ bytes: [UInt8]) {
        byteCount += UInt64(bytes.count)
        rest += bytes
        var start = 0
        while rest.count - start >= Self.block {
            mix(start)
            start += Self.block
        }
        rest.removeFirst(start)
    }

    /// 32 hexadecimal digits in lower case.
    mutating func finish() -> String {
        let bitCount = byteCount &* 8
        rest.append(0x80)
        while rest.count % Self.block != 56 { rest.append(0) }
        rest += (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (8 * UInt64($0))) }
        add([])
        let bytes = state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Takes in one block.
    private mutating func mix(_ start: Int) {
        let words = (0..<16).map { word in
            (0..<4).reduce(UInt32(0)) { $0 | UInt32(rest[start + word * 4 + $1]) << (8 * UInt32($1)) }
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let mixed: (value: UInt32, word: Int) =
                switch step / 16 {
                case 0: (value: b & c | ~b & d, word: step)
                case 1: (value: d & b | ~d & c, word: (5 * step + 1) % 16)
                case 2: (value: b ^ c ^ d, word: (3 * step + 5) % 16)
                default: (value: c ^ (b | ~d), word: 7 * step % 16)
                }
            let sum = a &+ mixed.value &+ Self.sines[step] &+ words[mixed.word]
            let shift = Self.shifts[step / 16][step % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
        }
        state = [state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d]
    }
}
