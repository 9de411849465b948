/// Exif as a camera writes it, made by hand: TIFF 6.0, big-endian.
struct ExifBlock {
    enum Value {
        case text(String)
        case short(UInt16)
        case fractions([(UInt32, UInt32)])
    }

    var main: [UInt16: Value] = [:]
    var camera: [UInt16: Value] = [:]
    var place: [UInt16: Value] = [:]
    /// Makes the second directory the first one again.
    var isCyclic = false

    enum Tag {
        static let make: UInt16 = 0x010F
        static let model: UInt16 = 0x0110
        static let orientation: UInt16 = 0x0112
        static let dateTime: UInt16 = 0x0132
        static let dateTimeOriginal: UInt16 = 0x9003
        static let offsetTime: UInt16 = 0x9010
        static let offsetTimeOriginal: UInt16 = 0x9011
        static let cameraDirectory: UInt16 = 0x8769
        static let placeDirectory: UInt16 = 0x8825
    }

    static func photo(orientation: UInt16 = 1) -> ExifBlock {
        var exif = ExifBlock()
        exif.main = [Tag.make: .text("Maker"), Tag.model: .text("Model 5"), Tag.orientation: .short(orientation)]
        exif.camera = [
            Tag.dateTimeOriginal: .text("2026:07:04 23:59:58"), Tag.offsetTimeOriginal: .text("-03:30"),
        ]
        exif.place = [
            1: .text("S"), 2: .fractions([(33, 1), (51, 1), (3_540, 100)]),
            3: .text("E"), 4: .fractions([(151, 1), (12, 1), (0, 1)]),
        ]
        return exif
    }

    var tiff: [UInt8] {
        var bytes: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
        var pointers = main.mapValues { [$0] }
        if !camera.isEmpty { pointers[Tag.cameraDirectory] = [] }
        if !place.isEmpty { pointers[Tag.placeDirectory] = [] }
        // The two others follow the first, whose length is known only when it is written: written twice.
        var offsets: [UInt16: UInt32] = [:]
        for _ in 0..<2 {
            bytes = Array(bytes.prefix(8))
            append(main, offsets, next: isCyclic ? 8 : 0, to: &bytes)
            for (tag, directory) in [(Tag.cameraDirectory, camera), (Tag.placeDirectory, place)]
            where !directory.isEmpty {
                offsets[tag] = isCyclic ? 8 : UInt32(bytes.count)
                append(directory, [:], next: isCyclic ? 8 : 0, to: &bytes)
            }
        }
        return bytes
    }

    private func append(_ values: [UInt16: Value], _ pointers: [UInt16: UInt32], next: UInt32, to bytes: inout [UInt8])
    {
        let isFirst = bytes.count == 8
        var tags = Array(values.keys)
        if isFirst {
            tags += (camera.isEmpty ? [] : [Tag.cameraDirectory]) + (place.isEmpty ? [] : [Tag.placeDirectory])
        }
        var rest: [UInt8] = []
        let end = bytes.count + 2 + 12 * tags.count + 4
        bytes += Self.bytes(UInt16(tags.count))
        for tag in tags.sorted() {
            let (type, count, content) = Self.content(values[tag], pointers[tag] ?? 0)
            bytes += Self.bytes(tag) + Self.bytes(type) + Self.bytes(count)
            if content.count <= 4 {
                bytes += content + [UInt8](repeating: 0, count: 4 - content.count)
            } else {
                bytes += Self.bytes(UInt32(end + rest.count))
                rest += content
            }
        }
        bytes += Self.bytes(next) + rest
    }

    private static func content(_ value: Value?, _ pointer: UInt32) -> (UInt16, UInt32, [UInt8]) {
        switch value {
        case .text(let text): (2, UInt32(text.utf8.count + 1), Array(text.utf8) + [0])
        case .short(let number): (3, 1, bytes(number))
        case .fractions(let fractions):
            (5, UInt32(fractions.count), fractions.flatMap { bytes($0.0) + bytes($0.1) })
        case nil: (4, 1, bytes(pointer))
        }
    }

    static func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        stride(from: Value.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// Files put together from their parts.
enum Files {
    static let exifPrefix = Array("Exif".utf8) + [0, 0]

    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + ExifBlock.bytes(UInt16(content.count + 2)) + content
    }

    /// Puts segments behind a JPEG's first marker.
    static func jpeg(_ jpeg: [UInt8] = Pictures.jpeg, with segments: [UInt8]...) -> [UInt8] {
        Array(jpeg.prefix(2)) + segments.flatMap { $0 } + Array(jpeg.dropFirst(2))
    }

    static func jpeg(_ exif: ExifBlock) -> [UInt8] { jpeg(with: segment(0xE1, exifPrefix + exif.tiff)) }

    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        let sum = ~body.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
        return ExifBlock.bytes(UInt32(content.count)) + body + ExifBlock.bytes(sum)
    }

    /// Puts chunks behind a PNG's header.
    static func png(_ png: [UInt8] = Pictures.transparentPNG, with chunks: [UInt8]...) -> [UInt8] {
        Array(png.prefix(33)) + chunks.flatMap { $0 } + Array(png.dropFirst(33))
    }

    static func webpChunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Array(type.utf8) + ExifBlock.bytes(UInt32(content.count).byteSwapped) + content
            + (content.count % 2 == 1 ? [0] : [])
    }

    /// A WebP's container around its chunks.
    static func webp(_ chunks: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + ExifBlock.bytes(UInt32(chunks.count + 4).byteSwapped) + Array("WEBP".utf8) + chunks
    }

    /// The chunks of the picture that has transparency, without its Exif, which is its last.
    static let webpPicture: [UInt8] = {
        let image = Pictures.transparentWebP
        let exif = image.indices.last { image[$0...].starts(with: "EXIF".utf8) } ?? image.count
        return Array(image[12..<exif])
    }()
}

extension Collection where Element == UInt8 {
    func holds(_ text: String) -> Bool {
        let searched = Array(text.utf8)
        return indices.contains { self[$0...].starts(with: searched) }
    }
}
