import DiaryClient
import DiaryViews

/// Where a diary's entries were written, as a drawing inside a page.
///
/// The coasts are ours: the page asks nobody for a map, and nobody learns which.
struct PageMap {
    private struct Spot {
        let place: DiaryPlace
        let link: String
    }

    private var spots: [Spot] = []

    private static let width = 1000
    private static let height = 500
    private static let mostNames = 5

    /// - Parameter link: to the entry.
    mutating func add(_ place: DiaryPlace?, link: String) {
        if let place { spots.append(Spot(place: place, link: link)) }
    }

    /// Empty where no entry has a place.
    func html(in language: DiaryLanguage) -> String {
        guard !spots.isEmpty else { return "" }
        let map = VectorMap(of: spots.map(\.place), width: Self.width, height: Self.height)
        let name = PageText.escaped(DiaryPhrase.map.text(in: language))
        var html = "<h2>\(name)</h2>\n<svg class=\"map\" viewBox=\"0 0 \(map.width) \(map.height)\" role=\"group\" "
        html += "aria-label=\"\(name)\">\n<path class=\"coast\" d=\"\(map.path)\"/>\n"
        html += map.markers.map(marker).joined()
        return html + "</svg>\n"
    }

    /// A circle that leads to the first of its entries, and is larger for more of them.
    private func marker(_ marker: MapMarker) -> String {
        guard let first = marker.places.first else { return "" }
        let radius = min(6 + Double(marker.places.count).squareRoot(), 16)
        let circle =
            "<circle cx=\"\(Self.number(marker.x))\" cy=\"\(Self.number(marker.y))\" r=\"\(Self.number(radius))\">"
        let title = PageText.escaped(names(marker.places))
        return "<a href=\"\(spots[first].link)\">\(circle)<title>\(title)</title></circle></a>\n"
    }

    /// Each name once, where there is none the degrees, and how many entries there are, if it is several.
    private func names(_ numbers: [Int]) -> String {
        var names: [String] = []
        for number in numbers where names.count < Self.mostNames {
            let place = spots[number].place
            if let name = PagePlace.names(of: place).first, !names.contains(name) { names.append(name) }
        }
        if names.isEmpty, let first = numbers.first { names = [PagePlace.degrees(of: spots[first].place)] }
        let count = numbers.count > 1 ? " (\(numbers.count))" : ""
        return names.joined(separator: ", ") + count
    }

    /// With at most one digit behind the point.
    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths.isMultiple(of: 10) ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }
}
