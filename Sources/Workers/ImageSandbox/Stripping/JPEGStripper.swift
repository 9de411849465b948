/// A JPEG's segments; ITU-T T.81, annex B.
struct JPEGStripper {
    private var reader: ImageReader
    private var kept: [UInt8] = []
    private var orientation: Int?
    private var hasScan = false

    /// Up to the end of the first image: phones put a second one, or a film, behind it.
    static func strip(_ image: [UInt8]) throws(ImageRefusal) -> [UInt8] {
        var stripper = JPEGStripper(image)
        return try stripper.strip()
    }

    private init(_ image: [UInt8]) {
        reader = ImageReader(image, from: 2)
        kept.reserveCapacity(image.count)
    }

    private mutating func strip() throws(ImageRefusal) -> [UInt8] {
        while true {
            let marker = try nextMarker()
            switch marker {
            case Marker.endOfImage: return try finished()
            case Marker.startOfScan:
                kept += [0xFF, marker] + (try segment())
                kept += try reader.takeScan()
                hasScan = true
            case Marker.application: keepJFIF(try segment())
            case Marker.application + 1: readExif(try segment())
            case Marker.application + 2: keep(marker, try segment(), ifItBegins: Array("ICC_PROFILE".utf8) + [0])
            case Marker.application + 14: keepAdobe(try segment())
            case Marker.application...(Marker.application + 15), Marker.comment: _ = try segment()
            case Marker.restartInterval:
                let interval = try segment()
                guard interval.count == 4 else { throw .damaged }
                kept += [0xFF, marker] + interval
            case let marker where Marker.drawing.contains(marker): kept += [0xFF, marker] + (try segment())
            default: throw .damaged
            }
        }
    }

    private enum Marker {
        static let startOfScan: UInt8 = 0xDA
        static let endOfImage: UInt8 = 0xD9
        static let application: UInt8 = 0xE0
        static let comment: UInt8 = 0xFE
        static let restartInterval: UInt8 = 0xDD
        /// SOF0 to SOF15 with DHT and DAC among them (C8 is reserved), and DQT, DNL, DRI.
        static let drawing = Set<UInt8>(0xC0...0xCF).subtracting([0xC8]).union([0xDB, 0xDC, 0xDD])
    }

    /// Fill bytes may stand before a marker; B.1.1.2.
    private mutating func nextMarker() throws(ImageRefusal) -> UInt8 {
        guard try reader.byte() == 0xFF else { throw .damaged }
        var marker = try reader.byte()
        while marker == 0xFF { marker = try reader.byte() }
        return marker
    }

    /// A segment's length, which counts itself, and its content.
    private mutating func segment() throws(ImageRefusal) -> ArraySlice<UInt8> {
        var ahead = reader
        let count = try ahead.bigEndian(2)
        guard count >= 2 else { throw .damaged }
        return try reader.take(count)
    }

    private mutating func keep(_ marker: UInt8, _ segment: ArraySlice<UInt8>, ifItBegins start: [UInt8]) {
        if segment.dropFirst(2).starts(with: start) { kept += [0xFF, marker] + segment }
    }

    /// Version, units and density; the thumbnail that may follow is dropped.
    private mutating func keepJFIF(_ segment: ArraySlice<UInt8>) {
        let content = segment.dropFirst(2)
        guard content.count >= 14, content.starts(with: Array("JFIF".utf8) + [0]) else { return }
        kept += [0xFF, Marker.application, 0, 16] + content.prefix(12) + [0, 0]
    }

    /// Which transform the colours have; nothing behind its twelve bytes.
    private mutating func keepAdobe(_ segment: ArraySlice<UInt8>) {
        let content = segment.dropFirst(2)
        guard content.count >= 12, content.starts(with: "Adobe".utf8) else { return }
        kept += [0xFF, Marker.application + 14, 0, 14] + content.prefix(12)
    }

    /// The first Exif segment counts, as it does for those who show the picture.
    private mutating func readExif(_ segment: ArraySlice<UInt8>) {
        let content = segment.dropFirst(2)
        guard orientation == nil, content.starts(with: ExifOrientation.prefix) else { return }
        orientation = ExifOrientation.read(content)
    }

    private func finished() throws(ImageRefusal) -> [UInt8] {
        guard hasScan else { throw .damaged }
        let turned = orientation.flatMap { $0 == 1 ? nil : $0 }
        let exif = turned.map { ExifOrientation.prefix + ExifOrientation.tiff($0) } ?? []
        let segment = exif.isEmpty ? [] : [0xFF, Marker.application + 1, 0, UInt8(exif.count + 2)] + exif
        // JFIF wants to be first of all.
        let jfif = kept.starts(with: [0xFF, Marker.application]) ? 18 : 0
        return [0xFF, 0xD8] + kept.prefix(jfif) + segment + kept.dropFirst(jfif) + [0xFF, Marker.endOfImage]
    }
}
