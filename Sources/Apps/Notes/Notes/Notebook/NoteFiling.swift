import Envelopes
import Localization
import NotesClient
import Secrets
import Zones

/// Where notes are: their folders, tags and pins.
final class NoteFiling {
    private let heads: NoteHeads
    private let keys: NoteKeys
    private let parts: SealedParts
    private let search: NoteSearch

    init(_ heads: NoteHeads, _ keys: NoteKeys, _ parts: SealedParts, _ search: NoteSearch) {
        self.heads = heads
        self.keys = keys
        self.parts = parts
        self.search = search
    }

    /// - Parameter path: names parted by `/`; empty for none.
    static func folder(_ path: String) throws -> String {
        let names = path.split(separator: "/").map { $0.trimmingSpaces() }.filter { !$0.isEmpty }
        guard names.count <= 32, path.utf8.count <= 1024 else {
            throw NotesError(.invalid, marked("a folder's path has at most 32 names and 1024 bytes"))
        }
        return names.joined(separator: "/")
    }

    static func tag(_ text: String) throws -> String {
        var tag = text.trimmingSpaces()
        if tag.hasPrefix("#") { tag.removeFirst() }
        guard !tag.isEmpty, tag.utf8.count <= 256 else {
            throw NotesError(.invalid, marked("a tag has 1 to 256 bytes"))
        }
        return tag
    }

    /// Each once, in the order in which they were given.
    static func tags(_ texts: [String]) throws -> [String] {
        var known: Set<String> = []
        return try texts.map(tag).filter { known.insert($0).inserted }
    }

    /// Changes what the head alone says.
    func update(_ note: Identifier, _ body: (inout NoteHeader) throws -> Void) throws {
        var header = try heads.header(note)
        let before = header
        try body(&header)
        guard header != before else { return }
        try heads.change { try heads.put(header, of: note, $0) }
    }

    func move(_ note: Identifier, to folder: String) throws {
        try update(note) { $0.folder = try Self.folder(folder) }
    }

    func pin(_ note: Identifier, _ isPinned: Bool) throws { try update(note) { $0.isPinned = isPinned } }

    /// A locked note's tags are sealed with its text: they change only while its session is open.
    func tag(_ note: Identifier, add: [String], remove: [String]) throws {
        let added = try Self.tags(add)
        let removed = Set(try remove.map(Self.tag))
        let header = try heads.header(note)
        let key = try keys.key(of: note, header)
        var body = try parts.whole(note, header, key)
        let tags = body.tags.filter { !removed.contains($0) }
        body.tags = tags + added.filter { !tags.contains($0) }
        var next = header
        let filled = parts.fill(&next, with: body, isLocked: header.isLocked)
        try heads.change { writer in
            if header.isLocked {
                try parts.store(
                    filled.encoded, in: header.body, type: RecordType.body, as: .body(of: note, header), key,
                    writer)
            }
            try heads.put(next, of: note, writer)
        }
        try search.indexAnew(note, next, filled)
    }

    /// The owner has put both sides of a conflict in order.
    func resolve(_ note: Identifier) throws { try update(note) { $0.hasConflict = false } }
}

extension StringProtocol {
    fileprivate func trimmingSpaces() -> String {
        var text = Substring(self)
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
