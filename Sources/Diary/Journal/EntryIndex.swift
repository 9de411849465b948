import DiaryClient
import Secrets

/// The headers of all entries, in memory, the newest first.
struct EntryIndex {
    private var headers: [Identifier: EntryHeader] = [:]
    /// By date, descending; equal dates by name, so that pages never overlap.
    private(set) var ordered: [Identifier] = []
    private var isSorted = true
    /// Where imported entries came from.
    private var sources: [String: Identifier] = [:]

    var count: Int { headers.count }

    subscript(entry: Identifier) -> EntryHeader? { headers[entry] }

    /// Takes a header in as it is read; ``sort()`` follows.
    mutating func load(_ header: EntryHeader, of entry: Identifier) {
        // A reading that was cut short begins again where it was.
        if headers.updateValue(header, forKey: entry) == nil { ordered.append(entry) }
        if !header.source.isEmpty { sources[header.source] = entry }
    }

    mutating func sort() {
        let known = headers
        ordered.sort { Self.precedes($0, $1, known) }
    }

    /// Adds a header, or replaces the one that was there.
    mutating func put(_ header: EntryHeader, of entry: Identifier) {
        if let old = headers[entry] {
            if !old.source.isEmpty { sources[old.source] = nil }
            if old.head.date != header.head.date { ordered.remove(at: place(of: entry)) }
        }
        let isNew = headers[entry] == nil || headers[entry]?.head.date != header.head.date
        headers[entry] = header
        if !header.source.isEmpty { sources[header.source] = entry }
        if isNew { ordered.insert(entry, at: place(of: entry)) }
    }

    mutating func remove(_ entry: Identifier) {
        guard let old = headers[entry] else { return }
        ordered.remove(at: place(of: entry))
        headers[entry] = nil
        if !old.source.isEmpty { sources[old.source] = nil }
    }

    func entry(from source: String) -> Identifier? { sources[source] }

    /// The entry of this name, or of a name that begins so.
    ///
    /// - Parameter text: at least four hexadecimal digits.
    func find(_ text: String) throws(DiaryError) -> Identifier {
        if let exact = Identifier(text) {
            guard headers[exact] != nil else { throw .noSuchEntry }
            return exact
        }
        let beginning = text.lowercased()
        guard beginning.utf8.count >= 4, beginning.allSatisfy(\.isHexDigit) else { throw .noSuchEntry }
        let matches = ordered.filter { $0.description.hasPrefix(beginning) }
        guard let only = matches.first else { throw .noSuchEntry }
        guard matches.count == 1 else { throw DiaryError(.ambiguous, "several entries begin so; give more digits") }
        return only
    }

    /// Where an entry stands or belongs, by halving.
    private func place(of entry: Identifier) -> Int {
        var (low, high) = (0, ordered.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(ordered[middle], entry, headers) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func precedes(
        _ left: Identifier, _ right: Identifier, _ headers: [Identifier: EntryHeader]
    ) -> Bool {
        let (first, second) = (headers[left]?.head.date ?? 0, headers[right]?.head.date ?? 0)
        return first == second ? left.bytes.lexicographicallyPrecedes(right.bytes) : first > second
    }
}
