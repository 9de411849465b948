/// Writes a table, or a gallery, as Apple's merging form has it.
struct TableFixture {
    private var entries: [[UInt8]] = []
    private var identifiers: [[UInt8]] = []
    private static let keys = ["self", "crRows", "UUIDIndex", "crColumns", "cellColumns"]
    private static let types = ["com.apple.CRDT.NSUUID", "com.apple.notes.ICTable"]

    /// A packed table of these cells; the order in which cells are written says nothing about their place.
    static func packed(_ rows: [[String]]) -> [UInt8] {
        var fixture = TableFixture()
        fixture.entries.append([])
        let (rowSet, rowObjects) = fixture.orderedSet(count: rows.count)
        let (columnSet, columnObjects) = fixture.orderedSet(count: rows.first?.count ?? 0)
        let columns = columnObjects.enumerated().reversed().map { column, object in
            let cells = rowObjects.enumerated().reversed().map { row, object in
                (object, fixture.add { $0.field(10, BodyFixture.note([.init(text: rows[row][column])])) })
            }
            return (object, fixture.add { $0.field(6, Self.dictionary(cells)) })
        }
        let cellColumns = fixture.add { $0.field(6, Self.dictionary(columns)) }
        fixture.entries[0] = ProtobufWriter.message { entry in
            entry.message(13) { map in
                map.number(1, 1)
                for (key, index) in [(1, rowSet), (3, columnSet), (4, cellColumns)] {
                    map.message(3) { field in
                        field.number(1, key)
                        field.message(2) { $0.number(6, index) }
                    }
                }
            }
        }
        return fixture.packed
    }

    /// A packed gallery of scans.
    static func gallery(_ children: [String]) -> [UInt8] {
        var fixture = TableFixture()
        for child in children {
            fixture.entries.append(
                ProtobufWriter.message { entry in
                    entry.message(13) { map in
                        map.number(1, 0)
                        map.message(3) { field in
                            field.number(1, 0)
                            field.message(2) { $0.text(4, child) }
                        }
                    }
                })
        }
        return fixture.packed
    }

    private var packed: [UInt8] {
        Gzip.pack(
            ProtobufWriter.message { proto in
                proto.message(2) { object in
                    object.message(3) { data in
                        for entry in entries { data.field(3, entry) }
                        for key in Self.keys { data.text(4, key) }
                        for type in Self.types { data.text(5, type) }
                        for identifier in identifiers { data.field(6, identifier) }
                    }
                }
            })
    }

    private mutating func add(_ build: (inout ProtobufWriter) -> Void) -> Int {
        entries.append(ProtobufWriter.message(build))
        return entries.count - 1
    }

    /// An object that holds a new UUID.
    private mutating func identity() -> Int {
        identifiers.append(Array(repeating: UInt8(identifiers.count + 1), count: 16))
        let number = identifiers.count - 1
        return add { entry in
            entry.message(13) { map in
                map.number(1, 0)
                map.message(3) { field in
                    field.number(1, 2)
                    field.message(2) { $0.number(2, number) }
                }
            }
        }
    }

    /// A set whose order is in UUIDs that stand, by its contents, for those that cells use.
    private mutating func orderedSet(count: Int) -> (set: Int, objects: [Int]) {
        let ordered = (0..<count).map { _ in (object: identity(), identifier: identifiers.count - 1) }
        let used = (0..<count).map { _ in identity() }
        let order = ProtobufWriter.message { ordering in
            ordering.message(1) { array in
                for (_, identifier) in ordered { array.message(2) { $0.field(2, identifiers[identifier]) } }
            }
            ordering.field(2, Self.dictionary(Array(zip(ordered.map(\.object), used))))
        }
        return (add { $0.message(16) { $0.field(1, order) } }, used)
    }

    private static func dictionary(_ elements: [(Int, Int)]) -> [UInt8] {
        ProtobufWriter.message { dictionary in
            for (key, value) in elements {
                dictionary.message(1) { element in
                    element.message(1) { $0.number(6, key) }
                    element.message(2) { $0.number(6, value) }
                }
            }
        }
    }
}
