/// Kinds of characters that people name when they want a password.
package enum CharacterKind: String, CaseIterable, Sendable {
    /// Of both cases.
    case letters
    /// The letters `a` to `z`.
    case lower
    /// The letters `A` to `Z`.
    case upper
    /// The digits.
    case digits
    /// The 32 signs of ASCII that can be seen.
    case symbols

    /// As rules have them.
    var classes: [CharacterClass] {
        switch self {
        case .letters: [.lower, .upper]
        case .lower: [.lower]
        case .upper: [.upper]
        case .digits: [.digit]
        case .symbols: [CharacterClass.special.subtracting(.space)]
        }
    }
}

extension PasswordRules {
    /// Rules by which a password has characters of these kinds and no others, of each kind one at least.
    package init(_ kinds: [CharacterKind]) { self.init(required: kinds.flatMap(\.classes)) }
}
