import Secrets

/// A password in lower case, in locked memory: what a pattern looks like to who guesses.
struct FoldedPassword: ~Copyable {
    private let text: SecretBytes

    init(_ secret: RawSpan) throws(SecretMemoryError) {
        var buffer = try SecretBuffer(capacity: max(1, secret.byteCount))
        for offset in 0..<secret.byteCount {
            let byte = secret.byte(at: offset)
            try buffer.append(byte: (0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        }
        text = buffer.finish()
    }

    /// Whether it is one to four characters again and again.
    var isRepetition: Bool {
        text.withBytes { text in
            (1...4).contains { period in
                text.byteCount >= 2 * period
                    && (period..<text.byteCount).allSatisfy { text.byte(at: $0) == text.byte(at: $0 - period) }
            }
        }
    }

    /// Rows of keyboards, and what follows in the alphabet and in counting.
    private static let rows = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl",
        "qsdfghjklm", "zxcvbnm", "yxcvbnm", "wxcvbn", "1qaz2wsx3edc4rfv", "1q2w3e4r5t6y7u8i9o0p",
    ].map { Array($0.utf8) }

    /// Whether all of it is runs of three and more neighbours, forwards or backwards, or of one character.
    var isOfRuns: Bool {
        text.withBytes { text in
            var start = 0
            while start < text.byteCount {
                let count = Self.longestRun(text, from: start)
                guard count >= 3 else { return false }
                start += count
            }
            return text.byteCount > 0
        }
    }

    private static func longestRun(_ text: RawSpan, from start: Int) -> Int {
        var longest = 1
        while start + longest < text.byteCount, text.byte(at: start + longest) == text.byte(at: start) { longest += 1 }
        for row in rows {
            for step in [1, -1] {
                guard var place = row.firstIndex(of: text.byte(at: start)) else { continue }
                var count = 1
                while start + count < text.byteCount, row.indices.contains(place + step),
                    row[place + step] == text.byte(at: start + count)
                {
                    place += step
                    count += 1
                }
                longest = max(longest, count)
            }
        }
        return longest
    }

    /// Whether it is one or two common words, with signs for letters or not, and a few digits and signs around them.
    var isOfCommonWords: Bool {
        text.withBytes { text in
            let (start, end) = Self.core(text)
            let isDecorated = text.byteCount - (end - start) <= PasswordJudgement.decoration
            guard isDecorated, end > start else { return false }
            for first in CommonWords.all where Self.has(text, first, at: start, before: end) {
                let rest = start + first.count
                if rest == end { return true }
                for second in CommonWords.all where rest + second.count == end {
                    if Self.has(text, second, at: rest, before: end) { return true }
                }
            }
            return false
        }
    }

    /// Whether a name is in it, and little else.
    ///
    /// - Parameter name: in lower case.
    func isAlmost(_ name: [UInt8]) -> Bool {
        text.withBytes { text in
            guard name.count <= text.byteCount, text.byteCount - name.count <= PasswordJudgement.decoration else {
                return false
            }
            return (0...(text.byteCount - name.count)).contains {
                Self.has(text, name, at: $0, before: text.byteCount)
            }
        }
    }

    /// From the first letter to the last; signs that stand for letters inside belong to it.
    private static func core(_ text: RawSpan) -> (start: Int, end: Int) {
        var (start, end) = (0, text.byteCount)
        while start < end, !isLetter(text.byte(at: start)) { start += 1 }
        while end > start, !isLetter(text.byte(at: end - 1)) { end -= 1 }
        return (start, end)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || byte >= 0x80 }

    private static func has(_ text: RawSpan, _ word: [UInt8], at start: Int, before end: Int) -> Bool {
        guard start + word.count <= end else { return false }
        for (offset, letter) in word.enumerated() {
            let byte = text.byte(at: start + offset)
            guard byte == letter || standsFor(byte, letter) else { return false }
        }
        return true
    }

    /// The signs that people write for letters.
    private static func standsFor(_ sign: UInt8, _ letter: UInt8) -> Bool {
        switch (sign, letter) {
        case (UInt8(ascii: "0"), UInt8(ascii: "o")), (UInt8(ascii: "1"), UInt8(ascii: "i")),
            (UInt8(ascii: "1"), UInt8(ascii: "l")), (UInt8(ascii: "!"), UInt8(ascii: "i")),
            (UInt8(ascii: "3"), UInt8(ascii: "e")), (UInt8(ascii: "4"), UInt8(ascii: "a")),
            (UInt8(ascii: "@"), UInt8(ascii: "a")), (UInt8(ascii: "5"), UInt8(ascii: "s")),
            (UInt8(ascii: "$"), UInt8(ascii: "s")), (UInt8(ascii: "7"), UInt8(ascii: "t")):
            true
        default: false
        }
    }
}
