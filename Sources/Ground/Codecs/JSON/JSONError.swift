/// Why bytes are no JSON that a reader takes.
package struct JSONError: Error, Equatable {
    /// What is wrong.
    package enum Reason: Equatable, Sendable {
        case malformed
        /// The bytes end in the middle of a value.
        case endsEarly
        /// Something stands behind the one value.
        case trailing
        /// A number begins with a zero that it does not need.
        case leadingZero
        /// A line break or control character stands in a text, not escaped.
        case controlCharacter
        case notUTF8
        /// One half of a surrogate pair.
        case halfCharacter
        /// A member stands in an object twice.
        case repeatedName(String)
        /// Deeper than ``JSONRules/deepest``.
        case tooDeep
        /// More than ``JSONRules/mostValues``.
        case tooManyValues
    }

    package let reason: Reason
    /// Of the byte at which that was found.
    package let offset: Int

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

/// How much a reader takes, and what of it that is nearly JSON.
package struct JSONRules: Sendable {
    /// Levels of arrays and objects.
    package let deepest: Int
    /// Values of all trees that are built.
    package let mostValues: Int
    /// Whether a byte order mark is passed over, broken UTF-8 and half of a surrogate pair become U+FFFD, and members
    /// may stand in an object twice; else each of these is refused.
    package let isTolerant: Bool

    package init(deepest: Int, mostValues: Int, isTolerant: Bool) {
        self.deepest = deepest
        self.mostValues = mostValues
        self.isTolerant = isTolerant
    }

    /// For what people saved years ago.
    package static let tolerant = JSONRules(deepest: 64, mostValues: 1_000_000, isTolerant: true)
}
