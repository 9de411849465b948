/// What NSKeyedArchiver writes: a property list whose `$objects` refer to each other by UID.
///
/// A cursor stands on one object and moves one step at a time, so that references in a circle do no harm.
struct KeyedArchive {
    struct Cursor {
        fileprivate let archive: KeyedArchive
        fileprivate let index: Int

        private var object: ArchivedObjects.Object? { archive.list.object(index) }

        /// The value of a field.
        subscript(key: String) -> Cursor? {
            archive.list.reference(key, of: index).map(archive.resolve)
        }

        /// The items of an array, or of what NSArray or NSDictionary keep in one.
        var items: [Cursor] {
            guard case .array(let references)? = object else { return [] }
            return references.map(archive.resolve)
        }

        var bytes: [UInt8]? {
            if case .data(let bytes)? = object { return bytes }
            guard case .data(let bytes)? = self["NS.data"]?.object else { return nil }
            return bytes
        }

        var text: String? {
            if case .string(let text)? = object { return text }
            guard case .string(let text)? = self["NS.string"]?.object else { return nil }
            return text
        }

        var integer: Int64? {
            guard case .integer(let integer)? = object else { return nil }
            return integer
        }

        /// What an archived dictionary has under `key`.
        func entry(_ key: String) -> Cursor? {
            guard let keys = self["NS.keys"]?.items, let values = self["NS.objects"]?.items,
                let position = keys.firstIndex(where: { $0.text == key }), position < values.count
            else { return nil }
            return values[position]
        }
    }

    fileprivate let list: ArchivedObjects
    private let table: [Int]
    private let top: Int

    init(_ bytes: [UInt8]) throws(ArchiveError) {
        list = try ArchivedObjects(bytes)
        guard list["$archiver"] == .string("NSKeyedArchiver"), case .array(let table)? = list["$objects"],
            let top = list.reference("$top", of: list.root)
        else { throw ArchiveError() }
        self.table = table
        self.top = top
    }

    /// The archived object itself.
    var root: Cursor? { Cursor(archive: self, index: top)["root"] }

    /// What a reference means: a UID is a number in the archive's table, all else stands for itself.
    fileprivate func resolve(_ index: Int) -> Cursor {
        guard case .uid(let number)? = list.object(index), table.indices.contains(number) else {
            return Cursor(archive: self, index: index)
        }
        return Cursor(archive: self, index: table[number])
    }
}
