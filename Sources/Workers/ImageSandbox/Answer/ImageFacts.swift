/// What a photo's metadata says of when, where and how it was taken, in the units of its wire format.
///
/// It comes from a process that has read hostile bytes: each value is in its range, and none need be true.
package struct ImageFacts: Equatable, Sendable {
    /// The wall clock of the camera: seconds since 1970 as if it had stood in UTC.
    package var wallClock: Int64?
    /// Minutes by which that clock was ahead of UTC; nil where the camera did not say.
    package var offsetMinutes: Int?
    /// Where the camera was; nil where the file does not say, or says something impossible.
    package var place: ImagePlace?
    /// The eight orientations of TIFF 6.0, 1 for upright.
    package var orientation = 1
    /// Pixels, upright.
    package var width: Int
    /// Pixels, upright.
    package var height: Int
    /// Maker and model, on one line.
    package var camera: String?

    /// - Parameters:
    ///   - width: pixels, upright.
    ///   - height: pixels, upright.
    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// A place on the earth, in billionths of a degree: a tenth of a millimetre.
package struct ImagePlace: Equatable, Sendable {
    /// Units of ``latitude`` and ``longitude`` to a degree.
    package static let unitsPerDegree = 1_000_000_000.0
    /// North is positive, in billionths of a degree.
    package let latitude: Int64
    /// East is positive, in billionths of a degree.
    package let longitude: Int64

    /// North is positive.
    package var latitudeDegrees: Double { Double(latitude) / Self.unitsPerDegree }
    /// East is positive.
    package var longitudeDegrees: Double { Double(longitude) / Self.unitsPerDegree }

    /// Nil for what is not on the globe.
    package init?(latitude: Int64, longitude: Int64) {
        guard (-90_000_000_000...90_000_000_000).contains(latitude),
            (-180_000_000_000...180_000_000_000).contains(longitude)
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension ImageFacts {
    /// Seconds between the years 1 and 9999: whatever a camera's four digits can say.
    static let clocks: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
    /// From a day behind to a day ahead; the zones in use lie between −12 and +14 hours.
    static let offsets = -1439...1439
    static let sides = 1...65_535
    static let longestCamera = 128

    private enum Presence {
        static let wallClock: UInt8 = 1
        static let offset: UInt8 = 2
        static let place: UInt8 = 4
        static let all: UInt8 = 7
    }

    func append(to writer: inout FormatWriter) {
        let presence =
            (wallClock == nil ? 0 : Presence.wallClock) | (offsetMinutes == nil ? 0 : Presence.offset)
            | (place == nil ? 0 : Presence.place)
        writer.integer(presence)
        writer.integer(wallClock ?? 0)
        writer.integer(Int16(clamping: offsetMinutes ?? 0))
        writer.integer(place?.latitude ?? 0)
        writer.integer(place?.longitude ?? 0)
        writer.integer(UInt8(clamping: orientation))
        writer.integer(UInt16(clamping: width))
        writer.integer(UInt16(clamping: height))
        let name = Array((camera ?? "").utf8.prefix(Self.longestCamera))
        writer.integer(UInt8(clamping: name.count))
        writer.raw(name)
    }

    init(from reader: inout FormatReader) throws(ImageError) {
        let presence = try reader.integer(UInt8.self)
        let clock = try reader.integer(Int64.self)
        let offset = Int(try reader.integer(Int16.self))
        let latitude = try reader.integer(Int64.self)
        let longitude = try reader.integer(Int64.self)
        let orientation = Int(try reader.integer(UInt8.self))
        let (width, height) = (Int(try reader.integer(UInt16.self)), Int(try reader.integer(UInt16.self)))
        let name = Array(try reader.raw(Int(try reader.integer(UInt8.self))))
        guard presence & ~Presence.all == 0, (1...8).contains(orientation), Self.sides.contains(width),
            Self.sides.contains(height), Self.clocks.contains(clock), Self.offsets.contains(offset),
            name.isEmpty || CameraName.isClean(name)
        else { throw .badAnswer }
        self.init(width: width, height: height)
        self.orientation = orientation
        wallClock = try Self.value(clock, if: presence & Presence.wallClock != 0)
        offsetMinutes = try Self.value(offset, if: presence & Presence.offset != 0)
        if presence & Presence.place != 0 {
            guard let place = ImagePlace(latitude: latitude, longitude: longitude) else { throw .badAnswer }
            self.place = place
        } else {
            guard latitude == 0, longitude == 0 else { throw .badAnswer }
        }
        camera = name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    /// What is absent is written as 0, and as nothing else.
    private static func value<Value: BinaryInteger>(_ value: Value, if isPresent: Bool) throws(ImageError) -> Value? {
        guard isPresent || value == 0 else { throw .badAnswer }
        return isPresent ? value : nil
    }
}
