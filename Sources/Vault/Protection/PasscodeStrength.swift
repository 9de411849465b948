/// How long a search for a passcode takes at most, for the honest sentence that setting one prints.
public struct PasscodeStrength: Sendable, Equatable {
    /// How many characters it has.
    public let length: Int
    /// How many characters the search must consider at each place.
    public let alphabet: Int

    /// What a passcode of a known shape stands for.
    ///
    /// - Parameters:
    ///   - length: its characters.
    ///   - alphabet: how many characters a search must consider at each place.
    public init(length: Int, alphabet: Int) {
        self.length = length
        self.alphabet = alphabet
    }

    /// Looks at a passcode byte by byte, so that nobody has to hold it as text.
    package struct Meter {
        private var digits = false
        private var lower = false
        private var upper = false
        private var other = false
        private var beyond = false
        private var length = 0

        /// A meter that has seen nothing yet.
        package init() {}

        /// The next byte of the passcode's UTF-8.
        ///
        /// Characters beyond ASCII count as one alphabet of 1,000 more.
        package mutating func add(_ byte: UInt8) {
            switch byte {
            case 0x30...0x39: digits = true
            case 0x61...0x7a: lower = true
            case 0x41...0x5a: upper = true
            case 0x80...: beyond = true
            default: other = true
            }
            // Continuation bytes belong to the character before them.
            if byte & 0xc0 != 0x80 { length += 1 }
        }

        /// What the passcode is worth whose bytes were added.
        package func finish() -> PasscodeStrength {
            let ascii = (digits ? 10 : 0) + (lower ? 26 : 0) + (upper ? 26 : 0) + (other ? 33 : 0)
            return PasscodeStrength(length: length, alphabet: ascii + (beyond ? 1000 : 0))
        }
    }

    /// Seconds that trying every passcode of this length and alphabet takes.
    ///
    /// - Parameter secondsPerTry: what one try costs whoever searches.
    public func searchSeconds(secondsPerTry: Double) -> Double {
        var seconds = secondsPerTry
        for _ in 0..<length { seconds *= Double(alphabet) }
        return seconds
    }

    /// Four digits or less: ten thousand tries at most.
    public var isShort: Bool { length <= 4 && alphabet <= 10 }

    /// `40 minutes`, `5.5 years`, `longer than the universe is old`.
    public static func describe(seconds: Double) -> String {
        let steps: [(Double, String)] = [
            (1, "second"), (60, "minute"), (3600, "hour"), (86400, "day"), (31_557_600, "year"),
        ]
        if seconds > 31_557_600 * 1.4e10 { return "longer than the universe is old" }
        if seconds > 31_557_600 * 1e6 { return "millions of years and more" }
        let step = steps.last { seconds >= $0.0 } ?? steps[0]
        let amount = seconds / step.0
        let rounded = amount < 10 ? (amount * 10).rounded() / 10 : amount.rounded()
        let text = rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
        return "\(text) \(step.1)\(text == "1" ? "" : "s")"
    }
}
