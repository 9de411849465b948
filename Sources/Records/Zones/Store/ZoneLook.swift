package import Secrets

/// A part of a look at everything in a zone: every record is opened, every file read, and all of it thrown away.
package struct ZoneLook {
    /// Where a look goes on.
    package struct Place: Equatable, Sendable {
        /// The last record that was looked at as a whole.
        package var record: Int64
        /// How many chunks of the next one's files were looked at; behind the last record, which row of the copy that
        /// is taken from.
        package var chunk: Int

        /// - Parameters:
        ///   - record: the last that was looked at as a whole; 0 before the first.
        ///   - chunk: of the next one's files.
        package init(record: Int64, chunk: Int) {
            self.record = record
            self.chunk = chunk
        }
    }

    /// What does not open.
    package enum Damage: Equatable, Sendable {
        /// The type is what its row says, nil where that says nothing.
        case record(Identifier, type: UInt16?)
        /// A file that a record names.
        case file(AssetReference, of: Identifier, type: UInt16)
        /// A page of the database: nobody can tell how many records stood on it.
        case page
    }

    /// Nil at the end.
    package var next: Place?
    /// Records that were opened in this part.
    package var records = 0
    /// Of files.
    package var bytes: UInt64 = 0
    /// What does not open, in the order in which it was met.
    package var damage: [Damage] = []
    /// What was damaged or lost, and was taken from an earlier copy.
    package var taken: [Damage] = []
}

/// Which texts a look has seen, and which of them a head has named: a text without its head is all that is left of
/// something.
package struct TextCensus {
    /// The names of texts that were met.
    package var seen: Set<Identifier> = []
    /// The names of texts that heads point to.
    package var named: Set<Identifier> = []
    /// Heads that do not open: each has left a text behind, and is named itself.
    package var lostHeads = 0

    /// A census before the first record.
    package init() {}

    /// Texts of which more are left than there are lost heads; none where each of them may belong to one.
    package var headless: Set<Identifier> {
        let found = seen.subtracting(named)
        return found.count > lostHeads ? found : []
    }
}
