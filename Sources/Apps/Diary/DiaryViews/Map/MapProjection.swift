import Glibc

/// Turns degrees into units of a picture: right and down from its upper left corner.
///
/// The projection is the equirectangular one with the frame's middle latitude as its true parallel (Snyder, Map
/// Projections: A Working Manual, 1987, chapter 12): distances are right along that parallel and along meridians. North
/// is up. A picture of another shape than the frame shows more than it, to the sides or above and below; where that
/// would be the Earth a second time, or beyond a pole, the picture stays empty.
struct MapProjection {
    let frame: MapFrame
    let width: Double
    let height: Double
    /// Units for one degree of longitude, and of latitude.
    private let eastward: Double
    private let northward: Double

    init(_ frame: MapFrame, width: Double, height: Double) {
        self.frame = frame
        self.width = width
        self.height = height
        let narrowing = Self.narrowing(at: frame.latitude)
        northward = min(width / (2 * frame.halfWidth * narrowing), height / (2 * frame.halfHeight))
        eastward = northward * narrowing
    }

    /// How much narrower a degree of longitude is than one of latitude.
    ///
    /// At the poles it has no width; a quarter still draws something.
    static func narrowing(at latitude: Double) -> Double { max(cos(latitude * .pi / 180), 0.25) }

    /// Where a place lies; nil outside the picture.
    func point(longitude: Double, latitude: Double) -> MapPoint? {
        let point = point(
            MapPoint(x: frame.longitude + MapFrame.wrapped(longitude - frame.longitude), y: latitude))
        guard (0...width).contains(point.x), (0...height).contains(point.y) else { return nil }
        // What lies on the edge itself, as a pole does on the world's, belongs to the last cell.
        return MapPoint(x: min(point.x, width.nextDown), y: min(point.y, height.nextDown))
    }

    /// - Parameter degrees: with a longitude that runs on from the frame's.
    private func point(_ degrees: MapPoint) -> MapPoint {
        MapPoint(
            x: width / 2 + (degrees.x - frame.longitude) * eastward,
            y: height / 2 - (degrees.y - frame.latitude) * northward)
    }

    /// The coast inside the picture, as lines in its units.
    func coast() -> [[MapPoint]] {
        let sideways = min(180, width / 2 / eastward)
        let box = ClippingBox(
            west: frame.longitude - sideways, east: frame.longitude + sideways,
            south: max(-90, frame.latitude - height / 2 / northward),
            north: min(90, frame.latitude + height / 2 / northward))
        var pieces: [[MapPoint]] = []
        for line in CoastData.lines where line.north >= box.south && line.south <= box.north {
            // A frame over the date line sees the coasts beyond it one turn of the Earth further.
            for turn in [-360.0, 0, 360] where line.east + turn >= box.west && line.west + turn <= box.east {
                pieces += box.pieces(of: line.points.map { MapPoint(x: $0.x + turn, y: $0.y) })
            }
        }
        return pieces.map { $0.map(point) }
    }
}
