import Certificates
import TerminalScreen
import Tresor

/// What is listed: of which keychain, of which kind, with which words in it, and the row that is selected.
struct RecordList: Sendable {
    enum Row: Equatable, Sendable {
        case record(Record)
        case locked(LockedGroup)

        func isRecord(_ reference: PersistentReference) -> Bool {
            if case .record(let record) = self { record.reference == reference } else { false }
        }
    }

    /// What the owner's keychains hold; nil until it is read.
    private var owned: Listing?
    /// What the chosen keychain holds where it is made of files; nil until it is read.
    private var system: Listing?
    private(set) var choice = KeychainChoice.all
    private(set) var filter = Filter.all
    private(set) var search = ""
    /// The selected row.
    private(set) var row = 0

    init() {}

    /// What the chosen keychain holds; nil until it is known.
    ///
    /// What is shut may lie in any of the owner's, and so is counted in each.
    var shown: Listing? { choice.isReadOnly ? system : owned.map { choice.part(of: $0) } }

    /// What the filter and the search let through, then what is shut.
    var rows: [Row] {
        guard let listing = shown else { return [] }
        let records = filter.records(of: listing).filter { $0.matches(search) }
        return records.map { .record($0) } + listing.locked.filter { filter.mayShow($0.kind) }.map { .locked($0) }
    }

    var selected: Row? {
        let rows = self.rows
        return rows.indices.contains(row) ? rows[row] : nil
    }

    /// What has to be read, so that all of it is known anew.
    var reading: [Effect] {
        if case .system(let keychain) = choice { [.list, .listSystem(keychain)] } else { [.list] }
    }

    /// What goes when a record is deleted.
    func removal(of record: Record) -> [PersistentReference] { owned?.removal(of: record) ?? [record.reference] }

    // MARK: What was read

    mutating func accept(_ new: Listing) {
        let former = selected
        owned = new
        if case .own = choice, !KeychainChoice.choices(new).contains(choice) { choice = .all }
        let rows = self.rows
        if case .record(let record) = former, let index = rows.firstIndex(where: { $0.isRecord(record.reference) }) {
            row = index
        }
        row = min(row, max(0, rows.count - 1))
    }

    /// - Returns: false where another keychain has been chosen meanwhile.
    mutating func accept(_ new: Listing, of keychain: SystemKeychain) -> Bool {
        guard choice == .system(keychain) else { return false }
        system = new
        row = min(row, max(0, rows.count - 1))
        return true
    }

    /// The owner's keychains could not be read; what is known of them stays.
    mutating func acceptNothing() { owned = owned ?? Listing() }

    /// The device was locked: nothing of any item remains.
    mutating func wipe() {
        (owned, search, row) = (nil, "", 0)
        // The owner gave it its name; what belongs to no user stays.
        if case .own = choice { choice = .all }
    }

    // MARK: Keys

    /// - Parameter height: rows that are seen.
    /// - Returns: what follows; nil for a key that neither moves nor chooses.
    mutating func press(_ key: Key, height: Int) -> [Effect]? {
        switch key {
        case .text("j"), .down: select(row + 1)
        case .text("k"), .up: select(row - 1)
        case .pageDown, .text(" "): select(row + height)
        case .pageUp: select(row - height)
        case .text("g"), .home: select(0)
        case .text("G"), .end: select(rows.count - 1)
        case .tab, .right: turn(by: 1)
        case .backTab, .left: turn(by: -1)
        case .text("K"): return turnKeychain()
        case .escape: find("")
        default: return nil
        }
        return []
    }

    private mutating func select(_ wanted: Int) { row = min(max(wanted, 0), max(0, rows.count - 1)) }

    private mutating func turn(by step: Int) {
        let all = Filter.allCases
        let index = all.firstIndex(of: filter) ?? 0
        filter = all[(index + step + all.count) % all.count]
        row = 0
    }

    /// The next keychain: all of the owner's, each of them, and those that belong to no user.
    private mutating func turnKeychain() -> [Effect] {
        let choices = KeychainChoice.choices(owned)
        let index = choices.firstIndex(of: choice) ?? -1
        choice = choices[(index + 1) % choices.count]
        row = 0
        guard case .system(let keychain) = choice else { return [] }
        // There are certificates alone.
        filter = .all
        system = nil
        return [.listSystem(keychain)]
    }

    /// Lists what has these words in it.
    mutating func find(_ words: String) { (search, row) = (words, 0) }
}
