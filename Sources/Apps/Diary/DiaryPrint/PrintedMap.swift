import DiaryClient
import DiaryViews
import PrintStream

/// Where a book's entries were written, for a page of its own.
enum PrintedMap {
    /// Units of the picture, and how many of a page's there are in each.
    private static let (width, height, finer) = (850, 560, 10.0)
    private static let mostNames = 12

    /// Nil without places.
    static func of(_ places: [DiaryPlace], title: String) -> PrintMap? {
        guard !places.isEmpty else { return nil }
        let map = VectorMap(of: places, width: width, height: height, cell: 16)
        // A map of dots that all lie beyond it says nothing.
        guard !map.markers.isEmpty else { return nil }
        var coast: [[PrintMap.Point]] = []
        var room = PrintLimits.mapPoints
        for line in map.lines.prefix(PrintLimits.mapLines) where line.count > 1 && line.count <= room {
            room -= line.count
            coast.append(line.map { point($0.x, $0.y) })
        }
        let dots = map.markers.prefix(PrintLimits.mapDots).map { marker in
            PrintMap.Dot(
                point(marker.x, marker.y), count: UInt16(clamping: max(marker.places.count, 1)))
        }
        return PrintMap(
            title: PrintWords.line(title), caption: caption(places), width: UInt16(Double(width) * finer),
            height: UInt16(Double(height) * finer), coast: coast, dots: dots)
    }

    private static func point(_ x: Double, _ y: Double) -> PrintMap.Point {
        func units(_ value: Double, _ most: Int) -> UInt16 {
            UInt16(min(max(value, 0), Double(most)) * finer)
        }
        return PrintMap.Point(x: units(x, width), y: units(y, height))
    }

    /// The places with a name, those with most entries first: `Oslo (12) · Bergen`.
    private static func caption(_ places: [DiaryPlace]) -> String {
        var counts: [String: Int] = [:]
        for place in places {
            let names = [place.name, place.locality, place.country].compactMap { $0 }.filter { !$0.isEmpty }
            if let name = names.first { counts[name, default: 0] += 1 }
        }
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let names = sorted.prefix(mostNames).map { $0.value > 1 ? "\($0.key) (\($0.value))" : $0.key }
        return PrintWords.line(names.joined(separator: " · "), limit: PrintLimits.facts)
    }
}
