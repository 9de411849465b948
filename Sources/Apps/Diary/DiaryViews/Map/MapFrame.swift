package import DiaryClient

/// The part of the Earth that a map shall show at least.
///
/// Longitudes of a frame run on beyond 180°, so that one over the date line is in one piece.
package struct MapFrame: Sendable, Equatable {
    /// Degrees east and north.
    package let longitude: Double
    package let latitude: Double
    /// Degrees from the middle to the sides, and to top and bottom.
    package let halfWidth: Double
    package let halfHeight: Double

    /// Every coast but the ice of the far south.
    package static let world = MapFrame(longitude: 0, latitude: 12, halfWidth: 180, halfHeight: 72)

    init(longitude: Double, latitude: Double, halfWidth: Double, halfHeight: Double) {
        self.longitude = MapFrame.wrapped(longitude)
        self.latitude = min(max(latitude, -90), 90)
        self.halfWidth = min(max(halfWidth, Self.least), 180)
        self.halfHeight = min(max(halfHeight, Self.least), 90)
    }

    /// Half a degree is 55 km: below that the coast is drawn too coarsely to be one.
    private static let least = 0.5

    /// The frame around places, with an eighth to spare on each side, and with some coast in it to tell where it is;
    /// the world where there are no places.
    ///
    /// Places over the date line stay together: the frame leaves out the widest stretch without any.
    package init(fitting places: [DiaryPlace]) {
        let real = places.filter(\.isOnEarth)
        guard let south = real.map(\.latitude).min(), let north = real.map(\.latitude).max() else {
            self = .world
            return
        }
        let longitudes = real.map(\.longitude).sorted()
        var west = longitudes[0]
        var east = longitudes[longitudes.count - 1]
        var widest = west + 360 - east
        for (left, right) in zip(longitudes, longitudes.dropFirst()) where right - left > widest {
            widest = right - left
            west = right
            east = left + 360
        }
        var frame = MapFrame(
            longitude: (west + east) / 2, latitude: (south + north) / 2,
            halfWidth: max((east - west) / 2 * 1.25, 3), halfHeight: max((north - south) / 2 * 1.25, 3))
        while !frame.hasCoast, frame.halfWidth < 180 || frame.halfHeight < 90 { frame = frame.zoomed(by: 1 / 1.5) }
        self = frame
    }

    /// The same with a place in its middle.
    package func centered(on place: DiaryPlace) -> MapFrame {
        guard place.isOnEarth else { return self }
        return MapFrame(
            longitude: place.longitude, latitude: place.latitude, halfWidth: halfWidth, halfHeight: halfHeight)
    }

    /// - Parameter factor: above 1 to see less and larger, below 1 to see more.
    package func zoomed(by factor: Double) -> MapFrame {
        guard factor > 0, factor.isFinite else { return self }
        return MapFrame(
            longitude: longitude, latitude: latitude, halfWidth: halfWidth / factor, halfHeight: halfHeight / factor)
    }

    /// - Parameters:
    ///   - right: in widths of the frame, negative to the left.
    ///   - up: in heights of the frame, negative down; the poles are the end.
    package func moved(right: Double, up: Double) -> MapFrame {
        guard right.isFinite, up.isFinite else { return self }
        return MapFrame(
            longitude: longitude + right * 2 * halfWidth, latitude: latitude + up * 2 * halfHeight,
            halfWidth: halfWidth, halfHeight: halfHeight)
    }

    private var hasCoast: Bool {
        // A picture of the frame's own shape shows no more than the frame.
        let width = 2 * halfWidth * MapProjection.narrowing(at: latitude)
        return !MapProjection(self, width: width, height: 2 * halfHeight).coast().isEmpty
    }

    /// From −180 up to 180.
    static func wrapped(_ degrees: Double) -> Double {
        let rest = (degrees + 180).truncatingRemainder(dividingBy: 360)
        return (rest < 0 ? rest + 360 : rest) - 180
    }
}

extension DiaryPlace {
    /// False for what a decoder let through and no globe has.
    var isOnEarth: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }
}
