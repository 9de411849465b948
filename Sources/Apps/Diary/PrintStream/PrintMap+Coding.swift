import Secrets

/// The bytes of a map's body; see specs/print-stream.md.
extension PrintMap {
    init(_ reader: inout ByteReader) throws(DecodingError) {
        title = try reader.line(PrintLimits.line, 1...)
        caption = try reader.line(PrintLimits.facts, 0...)
        width = try reader.uint16()
        height = try reader.uint16()
        guard width > 0, height > 0 else { throw .invalid }
        (coast, dots) = ([], [])
        let lineCount = Int(try reader.uint16())
        guard lineCount <= PrintLimits.mapLines else { throw .tooLong }
        var room = PrintLimits.mapPoints
        for _ in 0..<lineCount {
            let count = Int(try reader.uint16())
            guard count > 1 else { throw .invalid }
            room -= count
            guard room >= 0 else { throw .tooLong }
            var line: [Point] = []
            for _ in 0..<count { line.append(try point(&reader)) }
            coast.append(line)
        }
        let dotCount = Int(try reader.uint16())
        guard dotCount <= PrintLimits.mapDots else { throw .tooLong }
        for _ in 0..<dotCount {
            let dot = Dot(try point(&reader), count: try reader.uint16())
            guard dot.count > 0 else { throw .invalid }
            dots.append(dot)
        }
    }

    private func point(_ reader: inout ByteReader) throws(DecodingError) -> Point {
        let point = Point(x: try reader.uint16(), y: try reader.uint16())
        guard point.x <= width, point.y <= height else { throw .invalid }
        return point
    }

    func write(to writer: inout ByteWriter) {
        writer.field(title)
        writer.field(caption)
        writer.uint16(width)
        writer.uint16(height)
        writer.uint16(UInt16(clamping: coast.count))
        for line in coast {
            writer.uint16(UInt16(clamping: line.count))
            for point in line { Self.write(point, to: &writer) }
        }
        writer.uint16(UInt16(clamping: dots.count))
        for dot in dots {
            Self.write(dot.point, to: &writer)
            writer.uint16(dot.count)
        }
    }

    private static func write(_ point: Point, to writer: inout ByteWriter) {
        writer.uint16(point.x)
        writer.uint16(point.y)
    }
}
