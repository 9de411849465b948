package import DiaryClient

/// A map for a page of HTML: the `d` of an SVG path with the coasts, and where the markers stand.
///
/// ```swift
/// let map = VectorMap(of: places, width: 1000, height: 500)
/// let style = "fill:none; stroke:currentColor; stroke-linecap:round"
/// let svg = "<svg viewBox=\"0 0 1000 500\"><path style=\"\(style)\" d=\"\(map.path)\"/></svg>"
/// ```
package struct VectorMap: Sendable, Equatable {
    package let frame: MapFrame
    /// Units of the picture, to be the view box.
    package let width: Int
    package let height: Int
    /// Digits, points, blanks and the letters M and L: it needs no escaping.
    ///
    /// Islands smaller than a unit are lines without length, which round ends make dots. Empty where no coast is in the
    /// picture.
    package var path: String { lines.map(Self.path).joined() }
    /// The coasts, in units of the picture: what ``path`` draws.
    package let lines: [[MapPoint]]
    package let markers: [MapMarker]

    /// - Parameters:
    ///   - places: of the entries; one may stand there more than once.
    ///   - width: units, from 50 to 5000; other numbers become the nearest.
    ///   - height: units, from 50 to 5000.
    ///   - cell: the side of the squares whose places become one marker, in units; from 1.
    ///   - frame: what to show; all places where nil.
    package init(of places: [DiaryPlace], width: Int, height: Int, cell: Int = 24, frame: MapFrame? = nil) {
        self.width = min(max(width, 50), 5000)
        self.height = min(max(height, 50), 5000)
        let chosen = frame ?? MapFrame(fitting: places)
        let projection = MapProjection(chosen, width: Double(self.width), height: Double(self.height))
        self.frame = chosen
        lines = projection.coast().map(Self.thinned)
        let side = Double(max(cell, 1))
        markers = MapMarker.markers(of: places, on: projection, cellWidth: side, cellHeight: side)
    }

    /// Points nearer than a unit to the one before add length and nothing to see.
    private static func thinned(_ line: [MapPoint]) -> [MapPoint] {
        var kept: [MapPoint] = []
        for (index, point) in line.enumerated() {
            if let last = kept.last, index < line.count - 1, abs(point.x - last.x) < 1, abs(point.y - last.y) < 1 {
                continue
            }
            kept.append(point)
        }
        return kept
    }

    private static func path(_ line: [MapPoint]) -> String {
        line.enumerated().map { "\($0 == 0 ? "M" : "L")\(number($1.x)) \(number($1.y))" }.joined()
    }

    /// With at most one digit behind the point, whatever the locale.
    private static func number(_ value: Double) -> String {
        let tenths = Int((max(value, 0) * 10).rounded())
        return tenths.isMultiple(of: 10) ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }
}
