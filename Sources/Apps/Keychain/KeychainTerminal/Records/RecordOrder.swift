import Localization

/// In which order records are listed.
enum RecordOrder: CaseIterable, Equatable, Sendable {
    case name, changed, kind, added

    /// What is said when it is chosen.
    var words: String {
        switch self {
        case .name: localized("Sorted by name.")
        case .changed: localized("Sorted by change, the latest first.")
        case .kind: localized("Sorted by kind, then by name.")
        case .added: localized("Sorted as they were added.")
        }
    }

    var next: RecordOrder {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }

    /// The entries in this order; those that are alike stay as they are.
    func sorted(_ entries: [RecordEntry]) -> [RecordEntry] {
        switch self {
        case .name: entries.sorted { FoldedText.precedes($0.name, $1.name) }
        case .changed: entries.sorted { $0.record.changed > $1.record.changed }
        case .kind:
            entries.sorted { one, other in
                let (left, right) = (Self.rank(one), Self.rank(other))
                return left == right ? FoldedText.precedes(one.name, other.name) : left < right
            }
        case .added: entries
        }
    }

    private static func rank(_ entry: RecordEntry) -> Int { ranks[entry.record.kind] ?? 0 }

    private static let ranks = Dictionary(
        uniqueKeysWithValues: Record.Kind.allCases.enumerated().map { ($0.element, $0.offset) })
}

/// A record with what it is searched and sorted by.
struct RecordEntry: Sendable {
    let record: Record
    let name: FoldedText
    let text: FoldedText

    init(_ record: Record) {
        self.record = record
        name = FoldedText(record.label)
        text = record.searchedText
    }
}
