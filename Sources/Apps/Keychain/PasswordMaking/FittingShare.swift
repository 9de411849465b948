import Glibc

/// How many of the texts of a length, drawn evenly from an alphabet, are as rules demand: a share from 0 to 1.
///
/// Counted, and not estimated: all texts, less those without one class, plus those without two, and so on.
enum FittingShare {
    /// - Parameters:
    ///   - length: of the texts, from 1.
    ///   - alphabet: of one character at least.
    ///   - required: a character of each has to be there; so few classes that their subsets can be gone through.
    ///   - maximumRun: how often a character may stand in a row, from 1.
    static func of(
        _ length: Int, from alphabet: CharacterClass, required: [CharacterClass], maximumRun: Int?
    ) -> Double {
        var share = 0.0
        var known: [Int: Double] = [:]
        for subset in 0..<(1 << required.count) {
            var left = alphabet
            for (number, one) in required.enumerated() where subset >> number & 1 == 1 { left = left.subtracting(one) }
            let without =
                known[left.count]
                ?? shareOfTexts(of: left.count, outOf: alphabet.count, length, maximumRun: maximumRun ?? length)
            known[left.count] = without
            share += subset.nonzeroBitCount.isMultiple(of: 2) ? without : -without
        }
        return min(max(share, 0), 1)
    }

    /// The share of texts that are of some characters alone, in runs that are short enough.
    private static func shareOfTexts(of kept: Int, outOf total: Int, _ length: Int, maximumRun: Int) -> Double {
        guard maximumRun < length else { return pow(Double(kept) / Double(total), Double(length)) }
        let weights = (1...maximumRun).map { pow(1 / Double(total), Double($0)) }
        // By the length: a text ends with a run, and what is before it ends with another character.
        var shares = [1.0]
        for end in 1...length {
            let parts = (1...min(maximumRun, end)).map { run in
                shares[end - run] * Double(run == end ? kept : kept - 1) * weights[run - 1]
            }
            shares.append(parts.reduce(0, +))
        }
        return shares[length]
    }
}
