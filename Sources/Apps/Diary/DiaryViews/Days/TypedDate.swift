/// The parts of a date as it was typed: a day that exists, perhaps a time of day, perhaps the name of a zone.
struct TypedDate {
    let day: LocalDay
    let secondOfDay: Int?
    let zone: String?

    init(_ text: String) throws(DiaryDateError) {
        guard text.utf8.count <= 120 else { throw .malformed }
        var rest = Self.trimmed(text.utf8[...])
        day = try Self.takeDay(&rest)
        secondOfDay = try Self.takeTime(&rest)
        let separated = rest.first == 0x20
        rest = Self.trimmed(rest)
        guard !rest.isEmpty else {
            zone = nil
            return
        }
        // An offset or a Z may stand right behind the time, a name may not.
        let name = String(rest) ?? ""
        let isDistance = DiaryZone.fixedOffset(name) != nil
        guard separated || (secondOfDay != nil && isDistance) else { throw .malformed }
        zone = name
    }

    private typealias Rest = Substring.UTF8View

    private static func trimmed(_ bytes: Rest) -> Rest {
        var bytes = bytes.drop { $0 == 0x20 }
        while bytes.last == 0x20 { bytes = bytes.dropLast() }
        return bytes
    }

    /// Exactly so many digits, or nil.
    private static func takeNumber(_ rest: inout Rest, digits: Int) -> Int? {
        let head = rest.prefix(digits)
        guard head.count == digits, head.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(digits)
        return head.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    private static func take(_ byte: UInt8, from rest: inout Rest) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func takeDay(_ rest: inout Rest) throws(DiaryDateError) -> LocalDay {
        guard let year = takeNumber(&rest, digits: 4), year > 0, take(0x2d, from: &rest),
            let month = takeNumber(&rest, digits: 2), take(0x2d, from: &rest),
            let day = takeNumber(&rest, digits: 2), !(rest.first.map { (0x30...0x39).contains($0) } ?? false)
        else {
            throw .malformed
        }
        guard let month = YearMonth(year: year, month: month) else { throw .noSuchMonth }
        guard let day = LocalDay(year: year, month: month.month, day: day) else { throw .noSuchDay }
        return day
    }

    /// Nil where none stands there: the text ends, or goes on with a zone.
    private static func takeTime(_ rest: inout Rest) throws(DiaryDateError) -> Int? {
        var ahead = rest
        if ahead.first == 0x54 || ahead.first == 0x74 {
            ahead = ahead.dropFirst()
            guard ahead.first.map({ (0x30...0x39).contains($0) }) ?? false else { throw .malformed }
        } else if ahead.first == 0x20 {
            ahead = trimmed(ahead)
        }
        guard ahead.first.map({ (0x30...0x39).contains($0) }) ?? false else { return nil }
        guard let hour = takeNumber(&ahead, digits: 2), take(0x3a, from: &ahead),
            let minute = takeNumber(&ahead, digits: 2)
        else {
            throw .malformed
        }
        var second = 0
        if take(0x3a, from: &ahead) {
            guard let seconds = takeNumber(&ahead, digits: 2) else { throw .malformed }
            second = seconds
        }
        guard !(ahead.first.map { (0x30...0x3a).contains($0) } ?? false) else { throw .malformed }
        guard hour < 24, minute < 60, second < 60 else { throw .noSuchTime }
        rest = ahead
        return hour * 3600 + minute * 60 + second
    }
}
