import Localization

/// Why no password can be made as it is wanted.
package enum PasswordMakingError: Error, Equatable, CustomStringConvertible {
    /// The shortest password that the rules permit is longer than the longest, or than any that is made here.
    case noLength
    /// The length is not one of these.
    case lengthOutside(ClosedRange<Int>)
    /// Of all passwords of this length fewer than one in 10,000, or none, are as the rules demand.
    case unmeetable(length: Int)
    /// The rules demand characters of more classes than this.
    case tooManyClasses(limit: Int)
    /// The number of words is not one of these.
    case wordsOutside(ClosedRange<Int>)
    /// What stands between words is no single printable character of ASCII, or is a small letter.
    case separator

    /// A sentence for people.
    package var description: String {
        switch self {
        case .noLength:
            localized("the rules permit no length: their minlength is too long, or longer than their maxlength")
        case .lengthOutside(let lengths): localized("the length is from \(lengths.lowerBound) to \(lengths.upperBound)")
        case .unmeetable(let length):
            localized("of \(length) characters, no password or hardly any is as the rules demand")
        case .tooManyClasses(let limit): localized("the rules demand characters of more than \(limit) classes")
        case .wordsOutside(let counts):
            localized("the number of words is from \(counts.lowerBound) to \(counts.upperBound)")
        case .separator: localized("between words stands one printable character of ASCII that is no small letter")
        }
    }
}
