/// Cuts lines off at the edges of a box, by Liang and Barsky's algorithm (ACM Transactions on Graphics 3, 1984).
struct ClippingBox {
    let west: Double
    let east: Double
    let south: Double
    let north: Double

    /// What of a line lies in the box: one piece for each time that it comes in.
    func pieces(of line: [MapPoint]) -> [[MapPoint]] {
        var pieces: [[MapPoint]] = []
        var piece: [MapPoint] = []
        for (start, end) in zip(line, line.dropFirst()) {
            guard let part = part(from: start, to: end) else { continue }
            if piece.last != part.start {
                if piece.count > 1 { pieces.append(piece) }
                piece = [part.start]
            }
            piece.append(part.end)
        }
        if piece.count > 1 { pieces.append(piece) }
        return pieces
    }

    private func part(from start: MapPoint, to end: MapPoint) -> (start: MapPoint, end: MapPoint)? {
        let dx = end.x - start.x
        let dy = end.y - start.y
        var first = 0.0
        var last = 1.0
        let edges = [
            (-dx, start.x - west), (dx, east - start.x), (-dy, start.y - south), (dy, north - start.y),
        ]
        for (towards, distance) in edges {
            if towards == 0 {
                guard distance >= 0 else { return nil }
            } else if towards < 0 {
                first = max(first, distance / towards)
            } else {
                last = min(last, distance / towards)
            }
        }
        guard first < last else { return nil }
        func point(_ share: Double) -> MapPoint { MapPoint(x: start.x + share * dx, y: start.y + share * dy) }
        return (first == 0 ? start : point(first), last == 1 ? end : point(last))
    }
}
