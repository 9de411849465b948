import DiaryClient

/// A place in words.
enum PagePlace {
    /// The narrowest first; none where it has coordinates alone.
    static func names(of place: DiaryPlace) -> [String] {
        [place.name, place.locality, place.country].compactMap { $0 }.filter { !$0.isEmpty }
    }

    /// `59.913° N 10.752° E`: to about a hundred metres.
    static func degrees(of place: DiaryPlace) -> String {
        degrees(place.latitude, "N", "S") + " " + degrees(place.longitude, "E", "W")
    }

    private static func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
        let thousandths = Int((value * 1000).rounded())
        let fraction = String(abs(thousandths) % 1000)
        let zeros = String(repeating: "0", count: 3 - fraction.count)
        return "\(abs(thousandths) / 1000).\(zeros)\(fraction)° \(thousandths < 0 ? negative : positive)"
    }
}
