/// Some of the variants of the environment: those in which a part of a view can be drawn.
struct EnvironmentVariants: Equatable {
    private(set) var bits: UInt64

    static let all = EnvironmentVariants(bits: 1 << UInt64(ViewEnvironment.variantCount) - 1)
    static let none = EnvironmentVariants(bits: 0)

    private init(bits: UInt64) { self.bits = bits }

    init(only variant: Int) { bits = 1 << UInt64(variant) }

    var isEmpty: Bool { bits == 0 }
    /// The lowest; 48 where there is none.
    var first: Int { min(bits.trailingZeroBitCount, ViewEnvironment.variantCount) }

    func contains(_ variant: Int) -> Bool { bits >> UInt64(variant) & 1 == 1 }
    func isDisjoint(with other: EnvironmentVariants) -> Bool { bits & other.bits == 0 }

    /// Those in which what is sealed is shown.
    var showingSealed: EnvironmentVariants {
        filtered { RedactionReasons(rawValue: UInt8($0 & 7)).isDisjoint(with: .hiding) }
    }

    /// What becomes of them within a modified view, as ``Surroundings/inside(_:)`` does it.
    func inside(_ modifier: Modifier) -> EnvironmentVariants {
        switch modifier {
        case .redacted(let reasons): mapped { $0 | Int(reasons.rawValue) }
        case .unredacted: mapped { $0 & ~7 }
        case .privacySensitive, .invalidatableContent, .accessibilityLabel, .link: self
        }
    }

    func filtered(_ isKept: (Int) -> Bool) -> EnvironmentVariants {
        var kept = Self.none
        for variant in 0..<ViewEnvironment.variantCount where contains(variant) && isKept(variant) {
            kept.bits |= 1 << UInt64(variant)
        }
        return kept
    }

    private func mapped(_ change: (Int) -> Int) -> EnvironmentVariants {
        var mapped = Self.none
        for variant in 0..<ViewEnvironment.variantCount where contains(variant) {
            mapped.bits |= 1 << UInt64(change(variant))
        }
        return mapped
    }
}
