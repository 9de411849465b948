public import Protection
public import Secrets
import Wire

/// Brings the CSV export of a browser or a password manager into a keychain.
///
/// The whole file is read and checked first. Passwords, notes and one-time code secrets stay in its locked memory; each
/// is decoded when it is added, and wiped behind that.
///
///     let plan = try CSVImport(file)
///     let report = try await plan.run(into: keychain)
///     print(report.added, report.duplicates.count)
///
/// A row with an http or https address becomes an internet password, any other a password whose service is its title.
/// Notes, one-time code secrets and custom fields are secret, and become passwords of their own with the service
/// `<label> (notes)`, `<label> (one-time code)` and `<label> (custom fields)`, and the same account.
/// docs/guides/importing.md has the whole table.
public struct CSVImport: ~Copyable, Sendable {
    /// How to import.
    public struct Options: Sendable {
        /// Leave bad rows out and report them, rather than import nothing.
        public var skipsBadRows = false
        /// Look for duplicates and write nothing.
        public var isDryRun = false
        /// The class of the new items; ``ProtectionClass/whenUnlocked`` where it is nil.
        public var protectionClass: ProtectionClass?

        /// Imports all rows or none, for good, as class `whenUnlocked`.
        public init() {}
    }

    private let file: SecretBytes
    private let plan: CSVPlan

    /// Reads and checks a file, and writes nothing.
    ///
    /// - Parameter file: the whole export, UTF-8.
    /// - Throws: ``CSVError`` when its header is that of no known export; `SecretMemoryError`. Bad rows don't throw
    ///   here: they are in ``badRows``.
    public init(_ file: consuming SecretBytes) throws {
        plan = try file.withBytes { try CSVPlan($0) }
        self.file = file
    }

    /// Whose export it is.
    public var format: CSVFormat { plan.format }
    /// How many rows there are below the header, bad ones included.
    public var rowCount: Int { plan.rowCount }
    /// How many items the rows become: a login with notes is two.
    public var itemCount: Int { plan.items.count }
    /// The rows that can't be imported, and why.
    public var badRows: [CSVError] { plan.badRows }

    /// Adds the items.
    ///
    /// What the keychain has already stays as it is and is reported. When the keychain fails on the way, what was added
    /// until then stays too, and a second run reports it as duplicates.
    ///
    /// - Parameters:
    ///   - keychain: where the items go.
    ///   - options: how.
    ///   - progress: gets the number of items done and of all items, as they are done: some together.
    /// - Returns: what became of every row.
    /// - Throws: the first of ``badRows``, before anything is written, unless they are to be skipped; ``TresorError``.
    public borrowing func run(
        into keychain: Keychain, _ options: Options = Options(), progress: (Int, Int) -> Void = { _, _ in }
    ) async throws -> CSVImportReport {
        if !options.skipsBadRows, let bad = plan.badRows.first { throw bad }
        var report = CSVImportReport(plan)
        var next = try makePart(from: 0, options)
        while !next.items.isEmpty {
            let part = next
            async let answers = Self.add(part, to: keychain, options)
            // The keychain works on these while the next are decoded.
            next = try makePart(from: part.items.endIndex, options)
            for (item, isAdded) in zip(part.items, try await answers) {
                if isAdded {
                    report.countAdded(item)
                } else {
                    let same = try await hasSameSecret(item, in: keychain)
                    report.duplicates.append(CSVDuplicate(item, of: .keychainItem(sameSecret: same)))
                }
            }
            progress(part.items.endIndex, plan.items.count)
        }
        report.duplicates.sort { $0.row < $1.row }
        return report
    }

    /// How many items, and bytes of their secrets, are decoded at a time.
    private static let (mostAtOnce, mostBytesAtOnce) = (512, 64 * 1024)

    /// Items that go together.
    private struct Part: Sendable {
        let items: ArraySlice<CSVItem>
        /// Empty in a dry run.
        let new: [NewItem]
    }

    /// Decodes the next items, as many as go together; none behind the last.
    private borrowing func makePart(from first: Int, _ options: Options) throws -> Part {
        let rest = plan.items[first...].prefix(Self.mostAtOnce)
        guard !options.isDryRun else { return Part(items: rest, new: []) }
        var new: [NewItem] = []
        var count = 0
        for item in rest {
            guard count < Self.mostBytesAtOnce else { break }
            var attributes = item.attributes
            attributes.protectionClass = options.protectionClass
            let secret = try file.withBytes { try CSVPlan.secret(item, in: $0) }
            count += secret.count
            new.append(NewItem(item.kind, attributes, secret: secret))
        }
        return Part(items: rest.prefix(new.count), new: new)
    }

    /// - Returns: for each item whether it was added, or would be in a dry run; false where its primary key is taken.
    private static func add(_ part: Part, to keychain: Keychain, _ options: Options) async throws -> [Bool] {
        guard options.isDryRun else { return try await keychain.add(part.new) }
        var isNew: [Bool] = []
        for item in part.items { isNew.append(try await !exists(item, in: keychain)) }
        return isNew
    }

    /// Whether the keychain's item has the secret of the file; nil where it cannot be read now.
    private borrowing func hasSameSecret(_ item: CSVItem, in keychain: Keychain) async throws -> Bool? {
        let wanted = try file.withBytes { try CSVPlan.secret(item, in: $0) }
        do {
            return try await keychain.read(ItemQuery(item.kind, item.key)).equals(wanted)
        } catch let error as TresorError
            where [.locked, .presenceRequired, .damaged, .notFound].contains(error.code)
        {
            return nil
        }
    }

    private static func exists(_ item: CSVItem, in keychain: Keychain) async throws -> Bool {
        do {
            _ = try await keychain.find(ItemQuery(item.kind, item.key))
            return true
        } catch let error as TresorError where error.code == .notFound {
            return false
        }
    }
}

/// What became of the rows of an import.
///
/// It holds row numbers and names of columns, and nothing else of the file.
public struct CSVImportReport: Sendable {
    /// How many logins and secure notes were added, or would be in a dry run.
    public internal(set) var added = 0
    /// How many items were added, or would be, for what has no place in a login.
    public internal(set) var carriedApart: [CSVPart: Int] = [:]
    /// The items that were not added because their primary key is taken, by row.
    public internal(set) var duplicates: [CSVDuplicate]
    /// The bad rows that were skipped.
    public let skipped: [CSVError]
    /// In how many rows a column had content that no item carries.
    public let leftOut: [String: Int]

    init(_ plan: CSVPlan) {
        duplicates = plan.duplicates
        skipped = plan.badRows
        leftOut = plan.leftOut
    }

    mutating func countAdded(_ item: CSVItem) {
        if item.part == .entry { added += 1 } else { carriedApart[item.part, default: 0] += 1 }
    }

    /// The rows of which at least one item was not added, ascending.
    public var duplicateRows: [Int] { Set(duplicates.map(\.row)).sorted() }
}

/// An item of an import whose primary key was taken.
public struct CSVDuplicate: Hashable, Sendable {
    /// What took the key.
    public enum Origin: Hashable, Sendable {
        /// An item that the keychain had before, with the same secret or another one; nil where it could not be read.
        case keychainItem(sameSecret: Bool?)
        /// An earlier row of the file, with the same secret or another one.
        case earlierRow(Int, sameSecret: Bool)
    }

    /// The row, 1 being the first below the header.
    public let row: Int
    /// The line on which it begins.
    public let line: Int
    /// Which item of the row.
    public let part: CSVPart
    /// What took its key.
    public let origin: Origin

    init(_ item: CSVItem, of origin: Origin) {
        row = item.row
        line = item.line
        part = item.part
        self.origin = origin
    }
}

/// The items that a file becomes, found by reading it once.
struct CSVPlan: Sendable {
    let format: CSVFormat
    private(set) var rowCount = 0
    private(set) var items: [CSVItem] = []
    private(set) var duplicates: [CSVDuplicate] = []
    private(set) var badRows: [CSVError] = []
    private(set) var leftOut: [String: Int] = [:]
    /// Where in `items` each primary key is.
    private var taken: [Key: Int] = [:]

    private struct Key: Hashable {
        let kind: ItemKind
        let attributes: ItemAttributes
    }

    init(_ file: RawSpan) throws {
        var reader = CSVReader(file)
        guard let header = try reader.next() else { throw CSVError(row: 0, line: 1, .emptyFile) }
        let layout = try CSVLayout(header, in: file)
        format = layout.format
        var isAtEnd = false
        while !isAtEnd {
            do {
                if let row = try reader.next() { try add(row, layout, file) } else { isAtEnd = true }
            } catch let error as CSVError {
                badRows.append(error)
            }
        }
        rowCount = reader.rowCount - 1
        taken = [:]
    }

    private mutating func add(_ row: CSVRow, _ layout: CSVLayout, _ file: RawSpan) throws {
        var entry = try layout.entry(row, in: file)
        let items = try entry.items()
        for column in entry.leftOut { leftOut[column, default: 0] += 1 }
        for item in items { try add(item, file) }
    }

    /// Two rows may have one primary key: the first is imported, the second reported.
    private mutating func add(_ item: CSVItem, _ file: RawSpan) throws {
        let key = Key(kind: item.kind, attributes: item.key)
        guard let index = taken[key] else {
            taken[key] = items.count
            return items.append(item)
        }
        let secret = try Self.secret(item, in: file)
        let same = try Self.secret(items[index], in: file).equals(secret)
        duplicates.append(CSVDuplicate(item, of: .earlierRow(items[index].row, sameSecret: same)))
    }

    static func secret(_ item: CSVItem, in file: RawSpan) throws(SecretMemoryError) -> SecretBytes {
        let empty = CSVField(start: 0, end: 0, doubledQuotes: 0)
        return try (item.secret ?? empty).secret(in: file)
    }
}
