import Secrets

/// What is wrong with a text that is no secret of one-time codes, for whoever typed it: places and kinds, never a
/// letter of it.
package enum OneTimeCodeFlaw: Equatable, Sendable {
    /// Nothing but blanks.
    case empty
    /// More than is read, or than a secret has.
    case tooLong
    /// This character, counted from 1, is none of base32; of an address: of its secret.
    case letter(Int, isInAddress: Bool)
    /// The letters of base32 do not say whole bytes: some are missing, or there are too many.
    case end
    /// An address without a secret in it.
    case noSecret
    /// An address asks for what is not made here.
    case algorithm, digits, period
    /// An address of another kind, or one that is cut off or has blanks in it.
    case address

    /// Says what is wrong with a text that ``OneTimeCodeSecret/init(_:)`` has refused.
    ///
    /// - Parameter text: as it was typed, in locked memory.
    package init(in text: RawSpan) {
        let text = ByteRange(text).trimmed
        if text.count == 0 {
            self = .empty
        } else if text.count > OneTimeCodeSecret.longestText {
            self = .tooLong
        } else if text.hasPrefix("otpauth:") || text.hasPrefix("steam:") {
            self = Self.flaw(ofAddress: text)
        } else {
            self = Self.flaw(ofLetters: text, isInAddress: false) ?? .end
        }
    }

    private static func flaw(ofLetters text: ByteRange, isInAddress: Bool) -> OneTimeCodeFlaw? {
        var count = 0
        for offset in 0..<text.count {
            let byte = text[offset]
            let isLetter = (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || (0x32...0x37).contains(byte)
            if isLetter { count += 1 }
            guard isLetter || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "=") else {
                return .letter(offset + 1, isInAddress: isInAddress)
            }
        }
        if count * 5 / 8 > OneTimeCodeSecret.longestSecret { return .tooLong }
        guard isInAddress else { return .end }
        return count == 0 ? .noSecret : nil
    }

    private static func flaw(ofAddress text: ByteRange) -> OneTimeCodeFlaw {
        guard let question = text.firstOffset(of: UInt8(ascii: "?")) else { return .noSecret }
        let query = text.part(question + 1, text.count)
        var hasSecret = false
        var (start, flaw): (Int, OneTimeCodeFlaw?) = (0, nil)
        while start <= query.count {
            let end = query.firstOffset(of: UInt8(ascii: "&"), from: start) ?? query.count
            let parameter = query.part(start, end)
            start = end + 1
            guard let sign = parameter.firstOffset(of: UInt8(ascii: "=")) else { continue }
            let value = parameter.part(sign + 1, parameter.count)
            let name = parameter.part(0, sign)
            if name.isAlike("secret") { hasSecret = true }
            flaw = flaw ?? self.flaw(of: name, value)
        }
        return flaw ?? (hasSecret ? .address : .noSecret)
    }

    private static func flaw(of name: ByteRange, _ value: ByteRange) -> OneTimeCodeFlaw? {
        if name.isAlike("secret") {
            // An escaped letter is counted where it stands decoded, which nobody sees.
            return value.firstOffset(of: UInt8(ascii: "%")) == nil ? flaw(ofLetters: value, isInAddress: true) : nil
        }
        if name.isAlike("algorithm") {
            let known = OneTimeCodeParameters.Algorithm.allCases
            return known.contains { value.isAlike($0.rawValue.lowercased()) } ? nil : .algorithm
        }
        if name.isAlike("digits") { return isIn(OneTimeCodeParameters.digitCounts, value) ? nil : .digits }
        if name.isAlike("period") { return isIn(OneTimeCodeParameters.periods, value) ? nil : .period }
        return nil
    }

    private static func isIn(_ range: ClosedRange<Int>, _ value: ByteRange) -> Bool {
        value.number.map { range.contains($0) } ?? false
    }
}
