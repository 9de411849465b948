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
    private(set) var order: RecordOrder
    private(set) var search = ""
    /// The selected row.
    private(set) var row = 0
    /// Of the chosen keychain and the kind, in their order: made when one of these changes, not with each key.
    private var entries: [RecordEntry] = []
    /// Which of the entries the search lets through.
    private var found: [Int] = []
    /// What is shut, below them.
    private var locked: [LockedGroup] = []

    init(order: RecordOrder = .name) { self.order = order }

    /// What the chosen keychain holds; nil until it is known.
    ///
    /// What is shut may lie in any of the owner's, and so is counted in each.
    var shown: Listing? { choice.isReadOnly ? system : owned.map { choice.part(of: $0) } }

    /// Whether something is known of the chosen keychain.
    var isKnown: Bool { choice.isReadOnly ? system != nil : owned != nil }

    /// Whether all of the owner's that can be read now was read.
    var isComplete: Bool { owned.map { !$0.isPartial } ?? false }

    /// The owner's record of this reference, whatever is chosen.
    func ownRecord(_ reference: PersistentReference) -> Record? {
        owned?.records.first { $0.reference == reference }
    }

    /// Whether the chosen keychain is made of files, and there are none.
    var isEmptyOfFiles: Bool { choice.isReadOnly && system?.records.isEmpty == true }

    /// Whether items of the owner's are shut.
    var hidesSomething: Bool { owned?.locked.isEmpty == false }

    var rowCount: Int { found.count + locked.count }

    /// - Parameter index: below ``rowCount``.
    func row(at index: Int) -> Row {
        index < found.count ? .record(entries[found[index]].record) : .locked(locked[index - found.count])
    }

    /// What the filter and the search let through, then what is shut.
    var rows: [Row] { (0..<rowCount).map { row(at: $0) } }

    var selected: Row? { row < rowCount ? row(at: row) : nil }

    private mutating func rebuild() {
        guard let listing = shown else {
            (entries, found, locked) = ([], [], [])
            return
        }
        entries = order.sorted(filter.records(of: listing).map { RecordEntry($0) })
        locked = listing.locked.filter { filter.mayShow($0.kind) }
        sift()
    }

    private mutating func sift() {
        let words = SoughtWords(search)
        found = entries.indices.filter { words.areIn(entries[$0].text) }
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
        var new = new
        new.joinCodes()
        owned = new
        if case .own = choice, !KeychainChoice.choices(new).contains(choice) { choice = .all }
        rebuild()
        if case .record(let record) = former { select(record.reference) }
        row = min(row, max(0, rowCount - 1))
    }

    /// - Returns: false where another keychain has been chosen meanwhile.
    mutating func accept(_ new: Listing, of keychain: SystemKeychain) -> Bool {
        guard choice == .system(keychain) else { return false }
        system = new
        rebuild()
        row = min(row, max(0, rowCount - 1))
        return true
    }

    /// The owner's keychains could not be read; what is known of them stays.
    mutating func acceptNothing() {
        owned = owned ?? Listing()
        rebuild()
    }

    /// The record of this reference, where it is among those of the chosen keychain and kind.
    func record(_ reference: PersistentReference) -> Record? {
        entries.first { $0.record.reference == reference }?.record
    }

    /// Goes to the record of this reference, where it is listed.
    mutating func select(_ reference: PersistentReference) {
        row = found.firstIndex { entries[$0].record.reference == reference } ?? row
    }

    /// The device was locked: nothing of any item remains.
    mutating func wipe() {
        (owned, search, row) = (nil, "", 0)
        // The owner gave it its name; what belongs to no user stays.
        if case .own = choice { choice = .all }
        rebuild()
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
        case .text("G"), .end: select(rowCount - 1)
        case .tab, .right: turn(by: 1)
        case .backTab, .left: turn(by: -1)
        case .wheel(let notches): select(row + notches * 3)
        case .text("K"): return turnKeychain()
        case .escape: find("")
        default: return nil
        }
        return []
    }

    /// Takes a click on a line of what ``draw(columns:height:date:)`` draws.
    ///
    /// - Returns: false where that row was selected before, and a click opens it.
    mutating func click(_ line: Int, _ column: Int, columns: Int, height: Int) -> Bool {
        if line == 0 {
            if let filter = filter(at: column, columns: columns), filter != self.filter { show(filter) }
            return true
        }
        // Below the headings.
        let index = firstRow(height: height) + line - 2
        guard line >= 2, line < height + 2, index < rowCount else { return true }
        defer { select(index) }
        return index != row
    }

    private mutating func show(_ filter: Filter) {
        (self.filter, row) = (filter, 0)
        rebuild()
    }

    private mutating func select(_ wanted: Int) { row = min(max(wanted, 0), max(0, rowCount - 1)) }

    private mutating func turn(by step: Int) {
        let all = Filter.allCases
        let index = all.firstIndex(of: filter) ?? 0
        show(all[(index + step + all.count) % all.count])
    }

    /// The next keychain: all of the owner's, each of them, and those that belong to no user.
    private mutating func turnKeychain() -> [Effect] {
        let choices = KeychainChoice.choices(owned)
        let index = choices.firstIndex(of: choice) ?? -1
        choice = choices[(index + 1) % choices.count]
        row = 0
        defer { rebuild() }
        guard case .system(let keychain) = choice else { return [] }
        // There are certificates alone.
        filter = .all
        system = nil
        return [.listSystem(keychain)]
    }

    /// Lists what has these words in it.
    mutating func find(_ words: String) {
        guard words != search else { return }
        (search, row) = (words, 0)
        sift()
    }

    /// Lists in the next order; the record that is selected stays so.
    mutating func turnOrder() {
        order = order.next
        let former = selected
        rebuild()
        if case .record(let record) = former { select(record.reference) }
    }
}
