/// Where a look at all that a program keeps goes on.
package struct LookPlace: Codable, Sendable, Equatable {
    package var record: Int64
    package var chunk: Int

    package init(record: Int64, chunk: Int) {
        self.record = record
        self.chunk = chunk
    }

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
    package var damage: [FoundDamage] = []
    /// What was damaged or lost, and was taken from an earlier copy; nil where there is none to take from.
    package var taken: [FoundDamage]?

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

    package init(kind: String, id: String, title: String? = nil, part: String) {
        self.kind = kind
        self.id = id
        self.title = title
        self.part = part
    }
}
