/// Dates as ISO 8601 writes them: a day, or a day and a time, with or without an offset; in microseconds since 1970.
package enum ISODate {
    /// What of ISO 8601 is taken.
    package struct Grammar: Sendable {
        /// Between the day and the time.
        private(set) var separators: [Unicode.Scalar] = ["T"]
        /// Before the fraction of a second, of which digits after the sixth are dropped.
        private(set) var fractionMarks: [Unicode.Scalar] = ["."]
        /// For an offset of none.
        private(set) var zulu: [Unicode.Scalar] = ["Z"]
        /// Whether other offsets are taken.
        private(set) var hasOffsets = true
        /// Whether a day alone is taken, a time without seconds or offset, which counts as UTC, an offset without
        /// minutes or colon, and a leap second, which counts as the one before it.
        private(set) var isPartial = false
        /// Whether a space may stand before the offset.
        private(set) var hasSpaces = false

        /// Whatever programs of notes and their owners write.
        package static let loose: Grammar = {
            var grammar = Grammar()
            grammar.separators = ["T", "t", " "]
            grammar.fractionMarks = [".", ","]
            grammar.zulu = ["Z", "z"]
            (grammar.isPartial, grammar.hasSpaces) = (true, true)
            return grammar
        }()
        /// What diaries write.
        package static let plain: Grammar = {
            var grammar = Grammar()
            grammar.separators = ["T", " "]
            grammar.isPartial = true
            return grammar
        }()
        /// RFC 3339, section 5.6, without leap seconds.
        package static let rfc3339: Grammar = {
            var grammar = Grammar()
            grammar.separators = ["T", "t"]
            grammar.zulu = ["Z", "z"]
            return grammar
        }()
        /// `2026-12-31T23:59:59Z`, the one form that XML property lists have.
        package static let propertyList: Grammar = {
            var grammar = Grammar()
            (grammar.fractionMarks, grammar.hasOffsets) = ([], false)
            return grammar
        }()
    }

    /// Microseconds since 1970 of what ``Grammar/loose`` takes; nil for anything else.
    package static func parse(_ text: String) -> Int64? { parse(text, as: .loose) }

    /// Microseconds since 1970 of a day from the year 1 on; nil for anything else.
    ///
    /// An offset may lead out of the years 1 to 9999.
    package static func parse(_ text: String, as grammar: Grammar) -> Int64? {
        var reader = DateReader(text, grammar)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), year >= 1, (1...12).contains(month),
            (1...CivilCalendar.dayCount(of: month, in: year)).contains(day)
        else { return nil }
        let midnight = Int64(CivilCalendar.dayNumber(year: year, month: month, day: day)) * 86_400 * CivilTime.second
        if reader.isAtEnd { return grammar.isPartial ? midnight : nil }
        guard reader.take(grammar.separators), let time = reader.time(), let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        return midnight + time - offset * CivilTime.second
    }

    /// `2024-01-31T10:20:30.000001Z`; the fraction only where there is one.
    ///
    /// - Parameter microseconds: that are ``isWritable(_:)``.
    package static func format(_ microseconds: Int64) -> String {
        let time = CivilTime(wall: microseconds)
        let fraction = microseconds - CivilTime.floorDivision(microseconds, CivilTime.second) * CivilTime.second
        return "\(time.date)T\(time.clock)\(fraction == 0 ? "" : "." + CivilTime.padded(fraction, 6))Z"
    }

    /// Whether ``format(_:)`` writes what ``parse(_:)`` reads: the years 1 to 9999.
    package static func isWritable(_ microseconds: Int64) -> Bool { CivilTime.writable.contains(microseconds) }
}

/// Reads numbers of fixed width, and what stands between them.
private struct DateReader {
    private var rest: Substring.UnicodeScalarView
    private let grammar: ISODate.Grammar

    init(_ text: String, _ grammar: ISODate.Grammar) {
        rest = text.unicodeScalars[...]
        self.grammar = grammar
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool { take([scalar]) }

    mutating func take(_ scalars: [Unicode.Scalar]) -> Bool {
        guard let first = rest.first, scalars.contains(first) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(_ count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    private mutating func digit() -> Int? {
        guard let scalar = rest.first, ("0"..."9").contains(scalar) else { return nil }
        rest.removeFirst()
        return Int(scalar.value) - 48
    }

    /// Microseconds of the day.
    mutating func time() -> Int64? {
        guard let hour = number(2), take(":"), let minute = number(2), hour < 24, minute < 60 else { return nil }
        var (second, fraction) = (0, 0)
        if take(":") {
            guard let read = number(2), read <= (grammar.isPartial ? 60 : 59) else { return nil }
            second = min(read, 59)
            if take(grammar.fractionMarks) {
                guard let read = microseconds() else { return nil }
                fraction = read
            }
        } else if !grammar.isPartial {
            return nil
        }
        return Int64((hour * 60 + minute) * 60 + second) * CivilTime.second + Int64(fraction)
    }

    private mutating func microseconds() -> Int? {
        guard var number = digit() else { return nil }
        var count = 1
        while let digit = digit() {
            guard count < 6 else { continue }
            number = number * 10 + digit
            count += 1
        }
        for _ in count..<6 { number *= 10 }
        return number
    }

    /// Seconds east of UTC; 0 where nothing is said.
    mutating func offset() -> Int64? {
        if grammar.hasSpaces { _ = take(" ") }
        if take(grammar.zulu) || grammar.isPartial && isAtEnd { return 0 }
        let isWest = rest.first == "-"
        guard grammar.hasOffsets, take(["+", "-"]), let hours = number(2), hours < 24 else { return nil }
        guard take(":") || grammar.isPartial else { return nil }
        guard let minutes = grammar.isPartial && isAtEnd ? 0 : number(2), minutes < 60 else { return nil }
        return Int64(hours * 60 + minutes) * (isWest ? -60 : 60)
    }
}
