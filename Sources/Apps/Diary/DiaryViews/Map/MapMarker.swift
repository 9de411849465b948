import DiaryClient

/// Where on a map something was written: one entry, or several too near to each other to be told apart.
package struct MapMarker: Sendable, Equatable {
    /// Cells of the map's grid from the left and from the top, from 0.
    package let column: Int
    package let row: Int
    /// Units of the picture: the middle of its places.
    package let x: Double
    package let y: Double
    /// Which of the places that the map was made of, in their order.
    package let places: [Int]

    /// `●` for one, its number for up to nine, `+` for more.
    package var symbol: Character {
        switch places.count {
        case ...1: "●"
        case 2...9: Character(String(places.count))
        default: "+"
        }
    }

    /// Places by cells, from top left to bottom right; those outside the picture are left out.
    static func markers(
        of places: [DiaryPlace], on projection: MapProjection, cellWidth: Double, cellHeight: Double
    ) -> [MapMarker] {
        struct Cell: Hashable {
            let row: Int
            let column: Int
        }
        var cells: [Cell: [(index: Int, point: MapPoint)]] = [:]
        for (index, place) in places.enumerated() where place.isOnEarth {
            guard let point = projection.point(longitude: place.longitude, latitude: place.latitude) else { continue }
            let cell = Cell(row: Int(point.y / cellHeight), column: Int(point.x / cellWidth))
            cells[cell, default: []].append((index, point))
        }
        return cells.map { cell, members in
            MapMarker(
                column: cell.column, row: cell.row, x: members.reduce(0) { $0 + $1.point.x } / Double(members.count),
                y: members.reduce(0) { $0 + $1.point.y } / Double(members.count), places: members.map(\.index))
        }
        .sorted { ($0.row, $0.column) < ($1.row, $1.column) }
    }
}
