package import Linux
package import SQLite

/// The pages of a SQLite database, read one by one: what is wrong with one says nothing of another.
///
/// Of SQLite's file format (sqlite.org/fileformat2.html) it knows what it takes to read rows: section 1.5, "The
/// Freelist", section 1.6, "B-tree Pages", and section 2.1, "Record Format".
package struct DatabasePages: ~Copyable {
    /// As our stores have it; a database with pages of another size is none of ours.
    package static let pageByteCount = 4096
    /// Of a page, behind which a row goes on elsewhere.
    private static let linkByteCount = 4

    /// The cells of a row, with the page and the number under which it was found; an entry of an index, or of a table
    /// without numbers, has none.
    package struct FoundRow {
        /// From 1 on, as SQLite counts pages.
        package let page: Int
        /// The row's number (rowid), where it has one.
        package let number: Int64?
        /// In the order of the columns.
        package let cells: [DatabaseValue]
    }

    /// The pages that hold rows or entries: of a table only its leaves, of an index all.
    private enum Kind: UInt8 {
        case indexInterior = 2
        case indexLeaf = 10
        case tableLeaf = 13

        var headerByteCount: Int { self == .indexInterior ? 12 : 8 }
        /// Of a cell, in front of what it holds.
        var linkByteCount: Int { self == .indexInterior ? 4 : 0 }
    }

    private let file: FileDescriptor
    /// How many pages the file has, the last one perhaps not whole.
    package let count: Int
    private let free: Set<Int>

    /// - Parameter file: a database whose log is empty.
    package init(_ file: consuming FileDescriptor) throws(LinuxError) {
        let count = (try file.byteCount() + Self.pageByteCount - 1) / Self.pageByteCount
        let header = try file.read(count: 100, at: 0)
        free = Self.freePages(header, file, count)
        self.count = count
        self.file = file
    }

    /// Pages that hold nothing any more: what they held was overwritten, but a part of it may look like a row.
    private static func freePages(_ header: [UInt8], _ file: borrowing FileDescriptor, _ count: Int) -> Set<Int> {
        var free: Set<Int> = []
        guard header.count == 100 else { return free }
        var trunk = Int(integer(header, 32, 4))
        while trunk > 1, trunk <= count, free.insert(trunk).inserted {
            guard let page = try? file.read(count: pageByteCount, at: (trunk - 1) * pageByteCount),
                page.count == pageByteCount
            else { break }
            let leaves = min(Int(integer(page, 4, 4)), pageByteCount / 4 - 2)
            for leaf in 0..<leaves { free.insert(Int(integer(page, 8 + 4 * leaf, 4))) }
            trunk = Int(integer(page, 0, 4))
        }
        return free
    }

    /// The rows of one page, as far as they are whole; none where it holds none.
    ///
    /// - Parameter page: from 1 on.
    package func rows(of page: Int) -> [FoundRow] {
        guard !free.contains(page), let bytes = bytes(of: page) else { return [] }
        let start = page == 1 ? 100 : 0
        guard let kind = Kind(rawValue: bytes[start]) else { return [] }
        let cells = Int(Self.integer(bytes, start + 3, 2))
        return (0..<min(cells, Self.pageByteCount / 4)).compactMap { cell in
            let pointer = start + kind.headerByteCount + 2 * cell
            guard pointer + 2 <= bytes.count else { return nil }
            let place = Int(Self.integer(bytes, pointer, 2)) + kind.linkByteCount
            return row(bytes, place, isTable: kind == .tableLeaf, page)
        }
    }

    private func bytes(of page: Int) -> [UInt8]? {
        guard page > 0, page <= count,
            let bytes = try? file.read(count: Self.pageByteCount, at: (page - 1) * Self.pageByteCount),
            bytes.count == Self.pageByteCount
        else { return nil }
        return bytes
    }

    private func row(_ page: [UInt8], _ start: Int, isTable: Bool, _ pageNumber: Int) -> FoundRow? {
        var place = start
        guard let size = Self.variable(page, &place), size > 0, size <= Int64(count * Self.pageByteCount) else {
            return nil
        }
        var number: Int64?
        if isTable {
            guard let found = Self.variable(page, &place) else { return nil }
            number = found
        }
        guard let payload = payload(page, place, Int(size), isTable: isTable),
            let cells = Self.cells(payload)
        else { return nil }
        return FoundRow(page: pageNumber, number: number, cells: cells)
    }

    /// A row's bytes, with those on further pages; section 1.6, "Cell Payload Overflow Pages".
    private func payload(_ page: [UInt8], _ start: Int, _ size: Int, isTable: Bool) -> [UInt8]? {
        let usable = Self.pageByteCount
        let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
        guard size > most else {
            return start + size <= page.count ? Array(page[start..<start + size]) : nil
        }
        let least = (usable - 12) * 32 / 255 - 23
        let fitting = least + (size - least) % (usable - Self.linkByteCount)
        let local = fitting <= most ? fitting : least
        guard start + local + Self.linkByteCount <= page.count else { return nil }
        var payload = Array(page[start..<start + local])
        var next = Int(Self.integer(page, start + local, Self.linkByteCount))
        while payload.count < size {
            // A chain that comes back to itself ends with the size.
            guard !free.contains(next), let more = bytes(of: next) else { return nil }
            payload += more[Self.linkByteCount...].prefix(size - payload.count)
            next = Int(Self.integer(more, 0, Self.linkByteCount))
        }
        return payload
    }

    // MARK: records

    /// The values of a record; nil where its sizes do not come out.
    static func cells(_ record: [UInt8]) -> [DatabaseValue]? {
        var place = 0
        guard let header = variable(record, &place), header >= 1, header <= record.count else { return nil }
        var types: [Int64] = []
        while place < header {
            guard let type = variable(record, &place), type >= 0 else { return nil }
            types.append(type)
        }
        guard place == header else { return nil }
        var cells: [DatabaseValue] = []
        for type in types {
            guard let count = size(type), place + count <= record.count else { return nil }
            cells.append(value(type, record[place..<place + count]))
            place += count
        }
        return place == record.count ? cells : nil
    }

    private static func size(_ type: Int64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 12...: Int(exactly: (type - 12) / 2)
        default: nil
        }
    }

    private static func value(_ type: Int64, _ bytes: ArraySlice<UInt8>) -> DatabaseValue {
        switch type {
        case 0: .null
        case 8: .integer(0)
        case 9: .integer(1)
        case 7: .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        case 1...6: .integer(signed(bytes))
        case let type where type % 2 == 0: .blob(Array(bytes))
        default: .text(String(decoding: bytes, as: UTF8.self))
        }
    }

    private static func signed(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let start: Int64 = bytes.first.map { $0 & 0x80 != 0 ? -1 : 0 } ?? 0
        return bytes.reduce(start) { $0 << 8 | Int64($1) }
    }

    private static func integer(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
        bytes[start..<start + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// One to nine bytes, big-endian, seven bits of each of the first eight.
    private static func variable(_ bytes: [UInt8], _ place: inout Int) -> Int64? {
        var value: UInt64 = 0
        for count in 1...9 {
            guard place < bytes.count else { return nil }
            let byte = bytes[place]
            place += 1
            if count == 9 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7f)
            if byte & 0x80 == 0 { return Int64(bitPattern: value) }
        }
        return nil
    }
}
