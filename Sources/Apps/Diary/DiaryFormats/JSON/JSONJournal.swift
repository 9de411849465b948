import Codecs

/// A journal as Day One and jrnl write one, an object with a list of entries: its bytes, and where the entries are.
struct JSONJournal {
    let name: String
    let bytes: [UInt8]
    /// Each an object.
    private(set) var entries: [Range<Int>] = []
    /// Whether there is a list of entries at all.
    private(set) var isJournal = false
    /// Whether it ends before it should; the entries so far are there.
    private(set) var isBroken = false

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        var reader = JSONReader(bytes)
        guard reader.next() == UInt8(ascii: "{") else { return }
        do {
            try reader.eachMember { (member, reader) throws(JSONError) in
                guard member == "entries", reader.next() == UInt8(ascii: "[") else {
                    return try reader.skip()
                }
                isJournal = true
                try reader.eachElement { (reader) throws(JSONError) in
                    _ = reader.next()
                    let start = reader.position
                    try reader.skip()
                    entries.append(start..<reader.position)
                }
            }
            isBroken = reader.next() != nil
        } catch { isBroken = true }
    }

    func entry(_ range: Range<Int>) -> JSONObject? { (try? JSONReader.read(bytes, in: range))?.object }
}
