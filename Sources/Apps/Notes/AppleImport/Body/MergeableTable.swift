/// A table of Apple Notes, from the form in which it merges edits.
///
/// Objects refer to each other by number. The object of type `com.apple.notes.ICTable` names, by keys, the ordered
/// sets `crRows` and `crColumns` and the dictionary `cellColumns` of dictionaries of cells. A set's order is a list of
/// UUIDs; its `contents` say which further UUIDs stand for the same row. Names of fields: apple_cloud_notes_parser,
/// proto/notestore.proto (MIT).
struct MergeableTable {
    /// Rows of cells in their order; the first column stands first whatever the direction of writing.
    let rows: [[[Paragraph]]]

    static let mostCells = 1 << 18

    /// Reads an unpacked ZMERGEABLEDATA.
    init(_ data: [UInt8]) throws(BodyError) {
        let graph = try MergeableGraph(data)
        let number = graph.types.firstIndex(of: "com.apple.notes.ICTable")
        guard let table = graph.entries.lazy.compactMap(\.fields).first(where: { $0.type == number }) else {
            throw .malformed
        }
        func part(_ key: String) -> MergeableGraph.Entry? {
            let number = graph.keys.firstIndex(of: key)
            return table.fields.first { $0.key == number }?.value.index.flatMap(graph.entry)
        }
        guard let rowSet = part("crRows"), let columnSet = part("crColumns") else { throw .malformed }
        let rowNumbers = try Self.positions(rowSet, graph)
        let columnNumbers = try Self.positions(columnSet, graph)
        guard rowSet.order.count <= Self.mostCells / max(1, columnSet.order.count) else { throw .tooLarge }
        var rows = [[[Paragraph]]](
            repeating: Array(repeating: [], count: columnSet.order.count), count: rowSet.order.count)
        // Each cell has a text of its own: what visits more than there is goes in circles.
        var budget = data.count
        for (column, cells) in part("cellColumns")?.elements ?? [] {
            guard let column = graph.identity(column).flatMap({ columnNumbers[$0] }) else { continue }
            for (row, cell) in graph.entry(cells)?.elements ?? [] {
                budget -= 1
                guard budget >= 0 else { throw .malformed }
                guard let row = graph.identity(row).flatMap({ rowNumbers[$0] }), let note = graph.entry(cell)?.note
                else { continue }
                budget -= note.count
                rows[row][column] = try NoteText(message: note).paragraphs
            }
        }
        self.rows = rows
    }

    /// The place of each row or column, by the number of each UUID that stands for it.
    private static func positions(
        _ set: MergeableGraph.Entry, _ graph: MergeableGraph
    ) throws(BodyError) -> [Int: Int] {
        var positions: [Int: Int] = [:]
        for (position, identifier) in set.order.enumerated() {
            if let number = graph.identifiers[identifier] { positions[number] = position }
        }
        for (key, value) in set.elements {
            guard let key = graph.identity(key), let value = graph.identity(value) else { continue }
            if let position = positions[key] { positions[value] = position }
        }
        return positions
    }
}

/// The objects of a merging document, as far as tables and galleries need them.
struct MergeableGraph {
    /// A value: a number, a text, or another object's number.
    struct Value {
        var number: Int?
        var text: String?
        var index: Int?
    }

    struct Entry {
        /// An object's type and fields.
        var fields: (type: Int, fields: [(key: Int, value: Value)])?
        /// A dictionary's elements, or which UUIDs in an ordered set mean the same.
        var elements: [(key: Int, value: Int)] = []
        /// An ordered set's UUIDs, in order.
        var order: [ArraySlice<UInt8>] = []
        var note: ArraySlice<UInt8>?
    }

    static let mostEntries = 1_000_000

    private(set) var entries: [Entry] = []
    private(set) var keys: [String] = []
    private(set) var types: [String] = []
    /// The number of each UUID.
    private(set) var identifiers: [ArraySlice<UInt8>: Int] = [:]

    init(_ data: [UInt8]) throws(BodyError) {
        guard let object = try ProtobufReader.message(2, in: data[...]),
            let contents = try ProtobufReader.message(3, in: object)
        else { throw .malformed }
        var reader = ProtobufReader(contents)
        var identifierCount = 0
        while let (field, value) = try reader.next() {
            guard let bytes = value.bytes else { continue }
            switch field {
            case 3: entries.append(try Self.entry(bytes))
            case 4: keys.append(String(decoding: bytes, as: UTF8.self))
            case 5: types.append(String(decoding: bytes, as: UTF8.self))
            case 6:
                identifiers[bytes] = identifierCount
                identifierCount += 1
            default: break
            }
            guard entries.count <= Self.mostEntries else { throw .tooLarge }
        }
    }

    func entry(_ index: Int) -> Entry? { entries.indices.contains(index) ? entries[index] : nil }

    /// The number of the UUID that object `index` holds.
    func identity(_ index: Int) -> Int? { entry(index)?.fields?.fields.first?.value.number }

    private static func entry(_ message: ArraySlice<UInt8>) throws(BodyError) -> Entry {
        var entry = Entry()
        var reader = ProtobufReader(message)
        while let (field, value) = try reader.next() {
            guard let bytes = value.bytes else { continue }
            switch field {
            case 6: entry.elements = try elements(bytes)
            case 10: entry.note = bytes
            case 13: entry.fields = try fields(bytes)
            case 16:
                guard let ordering = try ProtobufReader.message(1, in: bytes),
                    let array = try ProtobufReader.message(1, in: ordering)
                else { continue }
                entry.order = try order(array)
                let contents = try ProtobufReader.message(2, in: ordering)
                if let contents { entry.elements = try elements(contents) }
            default: break
            }
        }
        return entry
    }

    private static func fields(
        _ message: ArraySlice<UInt8>
    ) throws(BodyError) -> (type: Int, fields: [(key: Int, value: Value)]) {
        var type = 0
        var fields: [(key: Int, value: Value)] = []
        var reader = ProtobufReader(message)
        while let (field, content) = try reader.next() {
            if field == 1 { type = content.count ?? -1 }
            guard field == 3, let bytes = content.bytes else { continue }
            var key = 0
            var value = Value()
            var parts = ProtobufReader(bytes)
            while let (field, part) = try parts.next() {
                if field == 1 { key = part.count ?? -1 }
                if field == 2, let bytes = part.bytes { value = try Self.value(bytes) }
            }
            fields.append((key, value))
        }
        return (type, fields)
    }

    private static func elements(_ message: ArraySlice<UInt8>) throws(BodyError) -> [(key: Int, value: Int)] {
        var elements: [(key: Int, value: Int)] = []
        var reader = ProtobufReader(message)
        while let (field, element) = try reader.next() {
            guard field == 1, let bytes = element.bytes, let key = try ProtobufReader.message(1, in: bytes),
                let value = try ProtobufReader.message(2, in: bytes), let keyIndex = try Self.value(key).index,
                let valueIndex = try Self.value(value).index
            else { continue }
            elements.append((keyIndex, valueIndex))
        }
        return elements
    }

    private static func order(_ message: ArraySlice<UInt8>) throws(BodyError) -> [ArraySlice<UInt8>] {
        var order: [ArraySlice<UInt8>] = []
        var reader = ProtobufReader(message)
        while let (field, item) = try reader.next() {
            guard field == 2, let bytes = item.bytes, let identifier = try ProtobufReader.message(2, in: bytes) else {
                continue
            }
            order.append(identifier)
        }
        return order
    }

    private static func value(_ message: ArraySlice<UInt8>) throws(BodyError) -> Value {
        var value = Value()
        var reader = ProtobufReader(message)
        while let (field, part) = try reader.next() {
            switch field {
            case 2: value.number = part.count
            case 4: value.text = part.text
            case 6: value.index = part.count
            default: break
            }
        }
        return value
    }
}
