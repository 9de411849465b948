import NotesClient
import Secrets

/// The headers of all notes in memory, in the order of lists: pinned first, then by the last change.
struct NoteIndex {
    private struct Place: Comparable {
        let isPinned: Bool
        let modified: Int64
        let note: Identifier

        init(_ note: Identifier, _ header: NoteHeader) {
            isPinned = header.isPinned
            modified = header.modified
            self.note = note
        }

        static func < (one: Place, other: Place) -> Bool {
            if one.isPinned != other.isPinned { return one.isPinned }
            if one.modified != other.modified { return one.modified > other.modified }
            return (one.note.high, one.note.low) < (other.note.high, other.note.low)
        }
    }

    /// What a transaction did.
    enum Change {
        case header(NoteHeader, of: Identifier)
        case gone(Identifier)
        case lock(Identifier, under: Identifier)
        case lockGone(Identifier)
    }

    private var headers: [Identifier: NoteHeader] = [:]
    private var places: [Place] = []
    /// While many are being loaded, the order is made once at the end.
    private var isSorted = true
    private(set) var sources: [String: Identifier] = [:]
    /// Under which passphrase each lock is.
    var locks: [Identifier: Identifier] = [:]
    private(set) var lockedCount = 0
    private(set) var trashedCount = 0

    var count: Int { headers.count }

    subscript(note: Identifier) -> NoteHeader? { headers[note] }

    mutating func apply(_ change: Change) {
        switch change {
        case .header(let header, let note): set(header, of: note)
        case .gone(let note): remove(note)
        case .lock(let lock, let lockKey): locks[lock] = lockKey
        case .lockGone(let lock): locks[lock] = nil
        }
    }

    /// So many are about to be loaded.
    mutating func reserve(_ count: Int) {
        headers.reserveCapacity(count)
        places.reserveCapacity(count)
    }

    /// Adds one of many; ``sort()`` follows.
    mutating func load(_ header: NoteHeader, of note: Identifier) {
        if headers[note] != nil { return set(header, of: note) }
        headers[note] = header
        places.append(Place(note, header))
        isSorted = false
        count(header, note, by: 1)
    }

    mutating func sort() {
        guard !isSorted else { return }
        places.sort()
        isSorted = true
    }

    mutating func set(_ header: NoteHeader, of note: Identifier) {
        sort()
        remove(note)
        headers[note] = header
        let place = Place(note, header)
        places.insert(place, at: lowerBound(place))
        count(header, note, by: 1)
    }

    mutating func remove(_ note: Identifier) {
        sort()
        guard let old = headers.removeValue(forKey: note) else { return }
        let at = lowerBound(Place(note, old))
        if at < places.count, places[at].note == note { places.remove(at: at) }
        count(old, note, by: -1)
    }

    private mutating func count(_ header: NoteHeader, _ note: Identifier, by step: Int) {
        if header.isLocked { lockedCount += step }
        if header.deleted != nil { trashedCount += step }
        guard !header.source.isEmpty else { return }
        sources[header.source] = step > 0 ? note : nil
    }

    private func lowerBound(_ place: Place) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Notes in the order of lists.
    var ordered: some Sequence<(note: Identifier, header: NoteHeader)> {
        places.lazy.compactMap { place in headers[place.note].map { (note: place.note, header: $0) } }
    }

    var notes: some Collection<Identifier> { headers.keys }

    func identifiers(beginningWith digits: String) -> [Identifier] {
        headers.keys.filter { $0.description.hasPrefix(digits) }
    }
}
