/// How an ``IntegrityCheck`` weighs, and what the program says of itself.
///
///     var rules = IntegrityRules()
///     rules[weightOf: .writableCode] = 0          // The program has a just-in-time compiler.
///     rules.allowedCode = ["/app/lib"]            // Libraries of its own.
public struct IntegrityRules: Sendable {
    /// The sum of weights at which a machine counts as compromised, if at least two signs are bad.
    public var threshold = 32
    /// Where code may be mapped from besides the system's folders: paths of folders or files, as /proc/self/maps shows
    /// them, links resolved; `/memfd:NAME` for a file in memory.
    public var allowedCode: [String] = []
    /// What the program's file should be; without it that probe is unknown.
    public var expectedProgram: ProgramDigest?

    private var weights: [IntegrityProbe: Int] = [:]

    /// The documented weights and threshold, and no exceptions.
    public init() {}

    /// What a probe adds to the sum where its finding is bad.
    ///
    /// - Parameter probe: the probe.
    /// - Returns: 0 to 1,000; what is set beyond that is cut to it. Surroundings have 0, always.
    public subscript(weightOf probe: IntegrityProbe) -> Int {
        get { weights[probe] ?? probe.defaultWeight }
        set { weights[probe] = probe.kind == .surroundings ? 0 : min(max(newValue, 0), 1_000) }
    }
}

/// The SHA-256 (FIPS 180-4) that a program's own file should have.
///
/// It must come from elsewhere than that file, such as a signed manifest. A program that was changed can be changed
/// not to ask: this finds accidents and crude changes, and is worth more in another process, before the start.
///
///     rules.expectedProgram = ProgramDigest(hexadecimal: line)     // As sha256sum prints it.
public struct ProgramDigest: Sendable, Equatable {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// A digest of 32 bytes; nil for another number.
    ///
    /// - Parameter sha256: the bytes.
    public init?(sha256: [UInt8]) {
        guard sha256.count == 32 else { return nil }
        bytes = sha256
    }

    /// A digest of 64 hexadecimal digits, of either case; nil for anything else.
    ///
    /// - Parameter text: the digits, and nothing else.
    public init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap { Self.value($0) }
        guard text.utf8.count == 64, digits.count == 64 else { return nil }
        bytes = (0..<32).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] }
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
