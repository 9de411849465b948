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
        text = Self.text(body.markdown, header, body)
    }

    /// What is searched for the line around a hit: no more than the beginning of its Markdown, which bounds the time.
    static func beginning(of markdown: String, _ header: NoteHeader, _ body: NoteBody) -> String {
        text(String(decoding: markdown.utf8.prefix(60_000), as: UTF8.self), header, body)
    }

    private static func text(_ markdown: String, _ header: NoteHeader, _ body: NoteBody) -> String {
        let tags = header.isLocked ? body.tags : header.tags
        return ([Markdown.searchText(markdown)] + tags.map { "#\($0)" }).joined(separator: "\n")
    }

    fileprivate var indexed: IndexedText { IndexedText(id: note, title: title, text: text, isTitleOnly: isTitleOnly) }
}

/// Full text in memory: one database for open notes, one for locked ones, which goes away with their sessions.
///
/// The words of what is replaced or removed stay in a table. Where that must not be, because a note has been locked,
/// and where they have become too many, a fresh table is filled beside the old one and takes its place, and the old
/// one's memory is given back and wiped.
final class SearchIndex {
    private var open: SearchTable
    private var fresh: SearchTable?
    private var locked: SearchTable?
    /// Whether words of removed texts are still in memory that have to go.
    private(set) var isStale = false
    /// Whether words of a removed note are still among those of locked ones, and whether they have to go.
    private var (isLeftInLocked, isToLeaveLocked) = (false, false)

    private let makeTable: () throws -> SearchTable

    /// - Parameter makeTable: makes an empty table.
    init(makeTable: @escaping () throws -> SearchTable = { try SearchTable() }) throws {
        self.makeTable = makeTable
        open = try makeTable()
    }

    /// Notes that can be found by their text.
    var count: Int { open.count + (locked?.count ?? 0) }

    /// Adds notes, or replaces what was known of them.
    func add(_ texts: [SearchText]) throws {
        let shown = texts.filter { !$0.isLocked }
        try open.replace(shown.map(\.indexed))
        noteStaleness()
        try renew(shown)
        let secret = texts.filter(\.isLocked)
        guard !secret.isEmpty else { return }
        let table = try locked ?? makeTable()
        locked = table
        try table.replace(secret.map(\.indexed))
    }

    func remove(_ note: Identifier) throws {
        if locked?.contains(note) == true { isLeftInLocked = true }
        for table in [open, locked] { try table?.remove(note) }
        do { try fresh?.remove(note) } catch { try abandonRenewal(error) }
        noteStaleness()
    }

    /// A fresh table that is being filled has none of it.
    private func noteStaleness() { if fresh == nil, open.isStale { isStale = true } }

    /// Whether the table of locked notes is worth being made anew: ``forgetLocked()``, and all of them added again.
    var isLockedStale: Bool { locked.map { $0.isStale || isToLeaveLocked } ?? false }

    /// A session has ended: nothing of any locked note stays in memory.
    func forgetLocked() {
        locked?.close()
        locked = nil
        (isLeftInLocked, isToLeaveLocked) = (false, false)
    }

    // MARK: A fresh database

    /// What is left in memory of removed texts is to go as well: one of them belongs to a note that has been locked.
    func forgetRemoved() {
        isStale = true
        isToLeaveLocked = isLeftInLocked
    }

    var isRenewing: Bool { fresh != nil }

    /// Begins a fresh database; all open notes are to be added to it with ``renew(_:)``.
    func beginRenewal() throws {
        fresh?.close()
        fresh = try makeTable()
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
