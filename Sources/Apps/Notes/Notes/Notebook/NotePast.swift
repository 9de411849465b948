import Envelopes
import Secrets
import Zones

/// What becomes of a note's former texts, before it is stored.
struct NotePast {
    private(set) var history: NoteHistory
    /// Texts that became versions.
    private(set) var versions: [(entry: NoteHistory.Entry, body: NoteBody)] = []
    private(set) var dropped: [NoteHistory.Entry] = []

    init(_ history: NoteHistory) { self.history = history }

    /// The text that `header` has becomes a version, and the next has another revision.
    mutating func keep(_ body: NoteBody, _ modified: Int64, of header: inout NoteHeader) {
        let size = header.isLocked ? 0 : UInt32(clamping: body.blocks.byteCount)
        let entry = NoteHistory.Entry(
            version: .makeRandom(), modified: modified, revision: header.textRevision, byteCount: size)
        history.entries.append(entry)
        versions.append((entry: entry, body: body))
        header.textRevision += 1
        // One that does not open is kept: its successor names it.
        if header.history.map({ name in history.entries.contains { $0.version == name } }) ?? true {
            header.history = .makeRandom()
        }
    }

    /// Drops the oldest, but neither the text that a later import begins from nor what names a lost list.
    mutating func trim(to count: Int, keeping revision: UInt64) {
        dropped = history.trim(to: count, keeping: revision)
    }
}
