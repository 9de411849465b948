/// Writes Apple's binary property lists, and archives in them.
indirect enum PropertyListWriter {
    case integer(Int)
    case string(String)
    case data([UInt8])
    case uid(Int)
    case array([PropertyListWriter])
    case dictionary([(String, PropertyListWriter)])

    var bytes: [UInt8] {
        var objects: [[UInt8]] = []
        _ = Self.add(self, to: &objects)
        var result = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += Self.bigEndian(result.count, 4)
            result += object
        }
        let table = result.count
        result += offsets + [0, 0, 0, 0, 0, 0, 4, 2]
        return result + Self.bigEndian(objects.count, 8) + Self.bigEndian(0, 8) + Self.bigEndian(table, 8)
    }

    /// An archive whose root is a dictionary of these fields, each an object of its own.
    static func archive(_ fields: [(String, PropertyListWriter)]) -> [UInt8] {
        let references = fields.enumerated().map { ($0.element.0, uid($0.offset + 2)) }
        let objects = [string("$null"), dictionary(references)] + fields.map(\.1)
        return dictionary([
            ("$version", integer(100_000)), ("$archiver", string("NSKeyedArchiver")),
            ("$top", dictionary([("root", uid(1))])), ("$objects", array(objects)),
        ]).bytes
    }

    private static func add(_ value: PropertyListWriter, to objects: inout [[UInt8]]) -> Int {
        let index = objects.count
        objects.append([])
        switch value {
        case .integer(let number): objects[index] = [0x13] + bigEndian(number, 8)
        case .string(let text): objects[index] = header(5, text.utf8.count) + text.utf8
        case .data(let data): objects[index] = header(4, data.count) + data
        case .uid(let number): objects[index] = [0x81] + bigEndian(number, 2)
        case .array(let items):
            let references = items.map { add($0, to: &objects) }
            objects[index] = header(0xA, items.count) + references.flatMap { bigEndian($0, 2) }
        case .dictionary(let entries):
            let keys = entries.map { add(.string($0.0), to: &objects) }
            let values = entries.map { add($0.1, to: &objects) }
            objects[index] = header(0xD, entries.count) + (keys + values).flatMap { bigEndian($0, 2) }
        }
        return index
    }

    private static func header(_ kind: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 0xF, 0x13] + bigEndian(count, 8)
    }

    private static func bigEndian(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
