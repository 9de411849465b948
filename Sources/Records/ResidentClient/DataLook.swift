/// Where a look at all that a program keeps goes on.
package struct LookPlace: Codable, Sendable, Equatable {
    /// The last record that was looked at as a whole; 0 before the first.
    package var record: Int64
    /// How many chunks of the next one's files were looked at.
    package var chunk: Int

    /// - Parameters:
    ///   - record: the last that was looked at as a whole.
    ///   - chunk: of the next one's files.
    package init(record: Int64, chunk: Int) {
        self.record = record
        self.chunk = chunk
    }

    /// Before the first record.
    package static let start = LookPlace(record: 0, chunk: 0)
}

/// What a part of a look at all that a program keeps has found.
package struct DataLook: Codable, Sendable, Equatable {
    /// Where the next part begins; nil behind the last.
    package var next: LookPlace?
    /// Records that were opened in this part.
    package var records = 0
    /// Of files that were read in it.
    package var bytes: UInt64 = 0
    /// What is said as long as nothing was looked at: how many records there are.
    package var total: Int?
    /// What of them is locked by more than the device, so that its files were not looked at.
    package var shut = 0
    /// What does not open, in the order in which it was met.
    package var damage: [FoundDamage] = []
    /// What was damaged or lost, and was taken from an earlier copy; nil where there is none to take from.
    package var taken: [FoundDamage]?

    /// A part in which nothing was looked at yet.
    package init() {}
}

/// Something that does not open.
package struct FoundDamage: Codable, Sendable, Hashable {
    /// What it is, or what it belongs to.
    ///
    /// A `note`, `entry`, `item`, `template` and so on.
    package var kind: String
    /// 32 hexadecimal digits; empty where nobody can tell.
    package var id: String
    /// Where it can be read.
    package var title: String?
    /// What of it.
    ///
    /// Its `head`, `text`, `file` and so on.
    package var part: String

    /// - Parameters:
    ///   - kind: such as `note`.
    ///   - id: 32 hexadecimal digits, or empty.
    ///   - title: where it can be read.
    ///   - part: such as `text`.
    package init(kind: String, id: String, title: String? = nil, part: String) {
        self.kind = kind
        self.id = id
        self.title = title
        self.part = part
    }
}
