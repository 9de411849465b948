/// Why a text is no password rules, and at which of its bytes; nothing of the text is in it.
package struct PasswordRulesError: Error, Equatable, CustomStringConvertible {
    /// What is wrong.
    package enum Problem: String, Sendable, CaseIterable {
        case propertyExpected = "a rule begins with a name"
        case unknownProperty =
            "no rule has this name: minlength, maxlength, max-consecutive, required and allowed are known"
        case colonExpected = "a colon follows a rule's name"
        case valueExpected = "a value is missing"
        case numberExpected = "a number is missing"
        case numberOutOfRange = "a number is from 1 to 9999"
        case unknownClass =
            "no class has this name: lower, upper, digit, special, ascii-printable and unicode are known"
        case bracketNotClosed = "a list of characters ends with a bracket"
        case emptyList = "a list of characters is empty"
        case hyphenNotFirst = "a hyphen stands first in a list of characters"
        case notPrintable = "a list has printable characters of ASCII"
        case semicolonExpected = "a semicolon ends a rule"
    }

    /// What is wrong.
    package let problem: Problem
    /// How many bytes of the text's UTF-8 are before the place; all of them where its end came too early.
    package let offset: Int

    /// Counts bytes as people do, from 1.
    package var description: String { "password rules, byte \(offset + 1): \(problem.rawValue)" }
}
