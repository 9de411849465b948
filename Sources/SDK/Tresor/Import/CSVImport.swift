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

    /// What was read from an export that is no CSV file.
    ///
    /// - Parameters:
    ///   - format: whose export it is.
    ///   - secrets: all secrets of the entries, one behind the other.
    ///   - entries: in the order of the file.
    ///   - badRows: the entries that can't be read, and why.
    ///   - leftOut: what of the file as a whole no item carries.
    package init(
        _ format: CSVFormat, secrets: consuming SecretBytes, entries: [CSVEntry], badRows: [CSVError] = [],
        leftOut: [String: Int] = [:]
    ) throws {
        plan = try secrets.withBytes { try CSVPlan(format, entries, badRows, leftOut, $0) }
        file = secrets
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
    /// What the keychain has already stays as it is and is reported; so is a login that it has with another address:
    /// the same server and account, and no protocol on one side, or the same secret. When the keychain fails on the
    /// way, what was added until then stays too, and a second run reports it as duplicates.
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
        let items = try await newItems(besides: keychain, &report)
        let known = plan.items.count - items.count
        var next = try makePart(of: items, from: 0, options)
        while !next.items.isEmpty {
            let part = next
            async let answers = Self.add(part, to: keychain, options)
            // The keychain works on these while the next are decoded.
            next = try makePart(of: items, from: part.items.endIndex, options)
            for (item, isAdded) in zip(part.items, try await answers) {
                if isAdded {
                    report.countAdded(item)
                } else {
                    let same = try await hasSameSecret(item, as: ItemQuery(item.kind, item.key), in: keychain)
                    report.duplicates.append(CSVDuplicate(item, of: .keychainItem(sameSecret: same)))
                }
            }
            progress(known + part.items.endIndex, plan.items.count)
        }
        report.duplicates.sort { $0.row < $1.row }
        return report
    }

    /// The items to add: all but the logins that the keychain has with another address, which are reported.
    ///
    /// What goes beside such a login is named after the keychain's, so that it is found with it.
    private borrowing func newItems(
        besides keychain: Keychain, _ report: inout CSVImportReport
    ) async throws -> [CSVItem] {
        guard plan.items.contains(where: { $0.kind == .internetPassword }) else { return plan.items }
        let known = try await KnownLogins(in: keychain)
        var items: [CSVItem] = []
        var labels: [Int: String] = [:]
        for item in plan.items {
            if let (login, same) = try await knownLogin(item, among: known, in: keychain) {
                report.duplicates.append(
                    CSVDuplicate(item, of: .keychainItem(sameSecret: same), hasAnotherAddress: true))
                labels[item.row] = login.label ?? login.server
            } else {
                items.append(labels[item.row].map { item.named(after: $0) } ?? item)
            }
        }
        return items
    }

    /// The keychain's item that is this login under another address, and whether it has the same secret.
    private borrowing func knownLogin(
        _ item: CSVItem, among known: KnownLogins, in keychain: Keychain
    ) async throws -> (login: Item, sameSecret: Bool?)? {
        var other: (login: Item, sameSecret: Bool?)?
        for candidate in known.candidates(for: item) {
            let same = try await hasSameSecret(item, as: ItemQuery(candidate.item.reference), in: keychain)
            if same == true { return (candidate.item, same) }
            if other == nil, !candidate.mustHaveSameSecret { other = (candidate.item, same) }
        }
        return other
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
    private borrowing func makePart(of items: [CSVItem], from first: Int, _ options: Options) throws -> Part {
        let rest = items[first...].prefix(Self.mostAtOnce)
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
    private borrowing func hasSameSecret(
        _ item: CSVItem, as query: ItemQuery, in keychain: Keychain
    ) async throws -> Bool? {
        let wanted = try file.withBytes { try CSVPlan.secret(item, in: $0) }
        do {
            return try await keychain.read(query).equals(wanted)
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
