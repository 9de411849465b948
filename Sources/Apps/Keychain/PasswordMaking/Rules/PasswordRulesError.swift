import Localization

/// Why a text is no password rules, and at which of its bytes; nothing of the text is in it.
package struct PasswordRulesError: Error, Equatable, CustomStringConvertible {
    /// What is wrong.
    package enum Problem: Sendable, CaseIterable {
        case propertyExpected
        case unknownProperty
        case colonExpected
        case valueExpected
        case numberExpected
        case numberOutOfRange
        case unknownClass
        case bracketNotClosed
        case emptyList
        case hyphenNotFirst
        case notPrintable
        case semicolonExpected

        /// A sentence for people.
        package var words: String {
            switch self {
            case .propertyExpected: localized("a rule begins with a name")
            case .unknownProperty:
                localized(
                    "no rule has this name: minlength, maxlength, max-consecutive, required and allowed are known")
            case .colonExpected: localized("a colon follows a rule's name")
            case .valueExpected: localized("a value is missing")
            case .numberExpected: localized("a number is missing")
            case .numberOutOfRange: localized("a number is from 1 to 9999")
            case .unknownClass:
                localized("no class has this name: lower, upper, digit, special, ascii-printable and unicode are known")
            case .bracketNotClosed: localized("a list of characters ends with a bracket")
            case .emptyList: localized("a list of characters is empty")
            case .hyphenNotFirst: localized("a hyphen stands first in a list of characters")
            case .notPrintable: localized("a list has printable characters of ASCII")
            case .semicolonExpected: localized("a semicolon ends a rule")
            }
        }
    }

    /// What is wrong.
    package let problem: Problem
    /// How many bytes of the text's UTF-8 are before the place; all of them where its end came too early.
    package let offset: Int

    /// Counts bytes as people do, from 1.
    package var description: String {
        localized("password rules, byte \(offset + 1): \(problem.words)")
    }
}
