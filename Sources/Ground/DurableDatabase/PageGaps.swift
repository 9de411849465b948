package import Linux

/// The free middle of a database's pages, where SQLite leaves what lay there before.
///
/// When SQLite puts a page in order it moves rows, and `secure_delete` overwrites a row's last place alone: of one that
/// is replaced or deleted later a piece can stay where it lay before. SQLite never reads that middle (its file format,
/// section 1.6), so it is overwritten in the file itself, behind a checkpoint and before the log that says which pages
/// were written is emptied: a crash in between leaves the log, and with it the list.
package struct PageGaps: ~Copyable {
    /// Stays open as long as the database is: the end of any of a process's descriptors of a file would let go of the
    /// locks that SQLite has on it (fcntl(2)).
    private let file: FileDescriptor
    private let path: String

    /// - Parameter path: of a database that is there.
    package init(_ path: String) throws(LinuxError) {
        self.path = path
        file = try FileDescriptor.open(path, FileFlags.readWrite)
    }

    /// Overwrites those of the pages that stand in the log, and waits until that is on the disk.
    ///
    /// - Throws: also where a page cannot be read.
    package borrowing func clearWritten() throws(LinuxError) {
        guard let layout = try Layout(file) else { return }
        var isChanged = false
        for page in try pagesInLog(layout) where try clear(page, layout) { isChanged = true }
        if isChanged { try file.syncData() }
    }

    /// The same for all pages; those that the disk does not give are left.
    package borrowing func clearAll() throws(LinuxError) {
        guard let layout = try Layout(file) else { return }
        var isChanged = false
        for page in 0..<layout.pageCount where (try? clear(page, layout)) == true { isChanged = true }
        if isChanged { try file.syncData() }
    }

    /// - Parameter page: by its place in the file, from 0 on.
    /// - Returns: whether there was anything to overwrite.
    private borrowing func clear(_ page: Int, _ layout: Layout) throws(LinuxError) -> Bool {
        let bytes = try file.read(count: layout.pageByteCount, at: page * layout.pageByteCount)
        guard let gap = layout.gap(in: bytes, isFirst: page == 0), bytes[gap].contains(where: { $0 != 0 }) else {
            return false
        }
        try file.write([UInt8](repeating: 0, count: gap.count), at: page * layout.pageByteCount + gap.lowerBound)
        return true
    }

    /// Each page of which the log has a frame, of an earlier round of the log too, in order and once.
    private borrowing func pagesInLog(_ layout: Layout) throws(LinuxError) -> [Int] {
        guard try FileSystem.status(path + "-wal") != nil else { return [] }
        let log = try FileDescriptor.open(path + "-wal", FileFlags.read)
        let end = try log.byteCount()
        var pages: Set<Int> = []
        for frame in stride(from: Layout.logHeader, to: end, by: Layout.frameHeader + layout.pageByteCount) {
            let number = try log.read(count: 4, at: frame)
            guard number.count == 4 else { break }
            let page = number.reduce(0) { $0 << 8 | Int($1) } - 1
            if (0..<layout.pageCount).contains(page) { pages.insert(page) }
        }
        return pages.sorted()
    }
}

/// Where things lie in a database's file; SQLite's file format, sections 1.3, 1.6 and 4.1.
private struct Layout {
    static let (logHeader, frameHeader) = (32, 24)
    private static let databaseHeader = 100

    let pageByteCount: Int
    let pageCount: Int
    private let usableByteCount: Int

    /// - Returns: nil for a file whose pages cannot be told apart for certain: not one of SQLite's, with pages that map
    ///   others, or one so large that the number in front of an overflow page may look like a kind of page.
    init?(_ file: borrowing FileDescriptor) throws(LinuxError) {
        let header = try file.read(count: Self.databaseHeader, at: 0)
        guard header.count == Self.databaseHeader, header.starts(with: "SQLite format 3\0".utf8) else { return nil }
        let size = Int(header[16]) << 8 | Int(header[17])
        pageByteCount = size == 1 ? 65_536 : size
        usableByteCount = pageByteCount - Int(header[20])
        let mapsPages = header[52..<56].contains { $0 != 0 }
        guard pageByteCount >= 512, pageByteCount.nonzeroBitCount == 1, !mapsPages else { return nil }
        pageCount = try file.byteCount() / pageByteCount
        guard pageCount < 2 << 24 else { return nil }
    }

    /// What lies between a page's list of cells and its first cell; nil for a page that has none, or whose header is
    /// damaged: where a cell lies in front of the first, what lies there is somebody's row.
    func gap(in page: [UInt8], isFirst: Bool) -> Range<Int>? {
        guard page.count == pageByteCount else { return nil }
        let start = isFirst ? Self.databaseHeader : 0
        let headerByteCount: Int
        switch page[start] {
        // Within a tree, of an index and of a table.
        case 2, 5: headerByteCount = 12
        // At its end.
        case 10, 13: headerByteCount = 8
        default: return nil
        }
        let cells = Int(page[start + 3]) << 8 | Int(page[start + 4])
        let content = Int(page[start + 5]) << 8 | Int(page[start + 6])
        let lower = start + headerByteCount + 2 * cells
        let upper = content == 0 ? 65_536 : content
        guard lower < upper, upper <= usableByteCount else { return nil }
        let isWhole = stride(from: start + headerByteCount, to: lower, by: 2).allSatisfy { place in
            (upper..<usableByteCount).contains(Int(page[place]) << 8 | Int(page[place + 1]))
        }
        return isWhole ? lower..<upper : nil
    }
}
