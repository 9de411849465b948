import DiaryClient

/// What is wrong with a place that somebody typed.
enum PlaceProblem: Error, Equatable, Sendable {
    /// It is neither `59.67, 10.63` nor a name before that.
    case malformed
    /// Only a name, and no entry that is known has a place of that name.
    case unknownName
    /// Beyond the poles or the date line.
    case outside
}

/// A place as it is typed: `59.67, 10.63`, `Drøbak 59.67, 10.63`, or the name of a place that another entry has.
///
/// Degrees are those of WGS 84, north and east; `59.67° N, 10.63° W` is understood as well.
enum PlaceInput {
    /// As it stands in the editor's field, to be changed there.
    static func label(_ place: DiaryPlace?) -> String {
        guard let place else { return "" }
        let degrees = number(place.latitude) + ", " + number(place.longitude)
        return [place.name, degrees].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// - Parameters:
    ///   - former: the place that stood there; where only the name is another, its town and country stay.
    ///   - known: finds a place by its name.
    static func place(
        _ typed: String, former: DiaryPlace?, known: (String) -> DiaryPlace?
    ) throws(PlaceProblem) -> DiaryPlace? {
        let typed = typed.trimmed
        if typed.isEmpty { return nil }
        if let former, typed == label(former) { return former }
        guard let parts = split(typed) else {
            guard !typed.contains(where: \.isNumber) || known(typed) != nil else { throw .malformed }
            guard let found = known(typed) else { throw .unknownName }
            return found
        }
        let name = parts.name.isEmpty ? nil : parts.name
        guard var place = DiaryPlace(latitude: parts.latitude, longitude: parts.longitude, name: name) else {
            throw .outside
        }
        if let former, number(former.latitude) == number(place.latitude),
            number(former.longitude) == number(place.longitude)
        {
            (place.locality, place.region, place.country) = (former.locality, former.region, former.country)
        }
        return place
    }

    private static func split(_ typed: String) -> (name: String, latitude: Double, longitude: Double)? {
        guard let comma = typed.lastIndex(of: ",") else { return nil }
        let longitude = degrees(typed[typed.index(after: comma)...], positive: "E", negative: "W")
        let before = String(typed[..<comma]).trimmed
        // Up to three words are degrees: `59.67`, `59.67°`, `59.67 ° N`.
        let words = before.split(separator: " ")
        for count in [3, 2, 1] where words.count >= count {
            let text = words.suffix(count).joined(separator: " ")
            guard let latitude = degrees(text[...], positive: "N", negative: "S"), let longitude else { continue }
            var name = words.dropLast(count).joined(separator: " ")
            if name.last == "," { name.removeLast() }
            return (name, latitude, longitude)
        }
        return nil
    }

    private static func degrees(_ text: Substring, positive: Character, negative: Character) -> Double? {
        var text = String(text.filter { $0 != "°" && $0 != " " })
        var sign = 1.0
        if let last = text.last, last == positive || last == negative {
            sign = last == negative ? -1 : 1
            text.removeLast()
        }
        // Nothing but digits, a sign and a period: `nan`, `0x1p4` and `1e9` are no degrees that anybody types.
        guard !text.isEmpty, text.allSatisfy({ ("0"..."9").contains($0) || "+-.".contains($0) }) else { return nil }
        return Double(text).map { $0 * sign }
    }

    /// At most six digits behind the period: a tenth of a metre.
    static func number(_ degrees: Double) -> String {
        let millionths = Int((min(max(degrees, -360), 360) * 1_000_000).rounded())
        var text = String(abs(millionths) % 1_000_000)
        text = String(repeating: "0", count: 6 - text.count) + text
        while text.hasSuffix("0") { text.removeLast() }
        let whole = (millionths < 0 ? "-" : "") + String(abs(millionths) / 1_000_000)
        return text.isEmpty ? whole : whole + "." + text
    }

    /// To be read, such as `59.67° N 10.63° E`.
    static func words(_ latitude: Double, _ longitude: Double) -> String {
        degrees(latitude, "N", "S") + " " + degrees(longitude, "E", "W")
    }

    private static func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
        let hundredths = Int((min(abs(value), 360) * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)° " + (value < 0 ? negative : positive)
    }
}
