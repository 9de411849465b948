import NotesClient
import Secrets
import TextIndex

/// The words of one note, for the index.
struct SearchText {
    let note: Identifier
    /// Whether the words may be in memory only as long as a session is open.
    let isLocked: Bool
    let isTitleOnly: Bool
    let title: String
    let text: String

    /// What may be found of a locked note without a session: its title, where that is shown.
    init(titleOf note: Identifier, _ header: NoteHeader) {
        self.note = note
        isLocked = false
        isTitleOnly = true
        title = header.title
        text = ""
    }

    init(_ note: Identifier, _ header: NoteHeader, _ body: NoteBody) {
        self.note = note
        isLocked = header.isLocked
        isTitleOnly = false
        title = header.isLocked ? body.title : header.title
        let tags = header.isLocked ? body.tags : header.tags
        text = ([Markdown.searchText(body.markdown)] + tags.map { "#\($0)" }).joined(separator: "\n")
    }

    fileprivate var indexed: IndexedText { IndexedText(id: note, title: title, text: text, isTitleOnly: isTitleOnly) }
}

/// Full text in memory: one database for open notes, one for locked ones, which goes away with their sessions.
///
/// What is deleted from a database lives on in its buffers. Where that must not be, because a note has been locked, a
/// fresh database is filled beside the old one and takes its place, and the old one's memory is given back and wiped.
final class SearchIndex {
    private var open: SearchTable
    private var fresh: SearchTable?
    private var locked: SearchTable?
    /// Whether words of removed texts may still be in memory.
    private(set) var isStale = false

    init() throws { open = try SearchTable() }

    /// Notes that can be found by their text.
    var count: Int { open.count + (locked?.count ?? 0) }

    /// Adds notes, or replaces what was known of them.
    func add(_ texts: [SearchText]) throws {
        let shown = texts.filter { !$0.isLocked }
        try open.replace(shown.map(\.indexed))
        if open.isStale { isStale = true }
        try renew(shown)
        let secret = texts.filter(\.isLocked)
        guard !secret.isEmpty else { return }
        let table = try locked ?? SearchTable()
        locked = table
        try table.replace(secret.map(\.indexed))
    }

    func remove(_ note: Identifier) throws {
        for table in [open, locked] { try table?.remove(note) }
        do { try fresh?.remove(note) } catch { try abandonRenewal(error) }
        if open.isStale { isStale = true }
    }

    /// Whether the table of locked notes is worth being made anew: ``forgetLocked()``, and all of them added again.
    var isLockedStale: Bool { locked?.isStale ?? false }

    /// A session has ended: nothing of any locked note stays in memory.
    func forgetLocked() {
        locked?.close()
        locked = nil
    }

    // MARK: A fresh database

    /// What is left in memory of removed texts is to go as well: one of them belongs to a note that has been locked.
    func forgetRemoved() { isStale = true }

    var isRenewing: Bool { fresh != nil }

    /// Begins a fresh database; all open notes are to be added to it with ``renew(_:)``.
    func beginRenewal() throws {
        fresh?.close()
        fresh = try SearchTable()
        isStale = false
    }

    func renew(_ texts: [SearchText]) throws {
        do { try fresh?.replace(texts.filter { !$0.isLocked }.map(\.indexed)) } catch { try abandonRenewal(error) }
    }

    /// A database that lacks something must not take the other's place: another is begun.
    private func abandonRenewal(_ error: any Error) throws {
        fresh?.close()
        fresh = nil
        isStale = true
        throw error
    }

    /// The fresh database has all there is: the old one goes.
    func endRenewal() {
        guard let fresh = fresh.take() else { return }
        open.close()
        open = fresh
    }

    func close() {
        forgetLocked()
        fresh?.close()
        open.close()
    }

    /// Notes that contain all of a query's words, best first.
    func find(_ query: SearchQuery, limit: Int) throws -> [SearchHit] {
        let sealed = try locked?.find(query, limit: limit) ?? []
        let known = Set(sealed.map(\.id))
        let found = try open.find(query, limit: limit).filter { !known.contains($0.id) } + sealed
        return Array(found.sorted { $0.rank < $1.rank }.prefix(limit))
    }
}
