import NotesClient

/// A tresor-notes in a few lines of memory, for the tests to talk to.
struct NotesWorld {
    struct Note {
        var summary: NoteSummary
        var text: String
    }

    struct File {
        let summary: AttachmentSummary
        let bytes: [UInt8]
    }

    var notes: [Note] = []
    var files: [String: [File]] = [:]
    /// Former texts of notes, the oldest first.
    var former: [String: [String]] = [:]
    var session = SessionSummary(isOpen: false, endsIn: nil, hasPassphrase: true)
    var isDeviceLocked = false
    /// Whether the disk is full.
    var isFull = false
    /// Whether a lock has begun and the keys are still there.
    var isTakingLastWords = false
    /// Whether tresor-notes was killed.
    var isGone = false
    var showsLockedTitles = true
    /// Notes that an older passphrase alone opens, and whether that one's session is open.
    var olderNotes: Set<String> = []
    var isOlderOpen = false
    var wrongTries = 0
    /// What no search can look at.
    var unread: [NoteSummary]?
    /// Names of records that cannot be read.
    var damaged: [String] = []
    /// Whether the passphrase that goes with the next question is right.
    var isPassphraseRight = true
    /// Whether the passcode that is typed at the lock screen is right, and how many were not.
    var isPasscodeRight = true
    var wrongPasscodes: UInt32 = 0
    var drafts: [String: String] = [:]
    /// What the next edit of a note becomes, because somebody else has written too.
    var merges: [String: String] = [:]
    private var made = 0

    mutating func add(_ text: String, _ change: (inout NoteSummary) -> Void = { _ in }) {
        made += 1
        var summary = NoteSummary(
            id: "note-\(made)", title: Self.title(of: text), created: 0, modified: Int64(made), revision: 1)
        change(&summary)
        notes.append(Note(summary: summary, text: text))
    }

    mutating func openSession() { session = SessionSummary(isOpen: true, endsIn: 180, hasPassphrase: true) }
    mutating func closeSession() {
        session = SessionSummary(isOpen: false, endsIn: nil, hasPassphrase: true)
        isOlderOpen = false
    }

    mutating func reply(
        to request: NotesRequest, body: [UInt8], hasPassphrase: Bool
    ) throws(NotesError) -> (NotesReply, [UInt8]) {
        // Between a lock's begin and its end, what editors hand in is taken.
        if isDeviceLocked, !isTakingLastWords { throw NotesError(.deviceLocked, "the device is locked") }
        if isFull, request.writesText { throw NotesError(.cannotWrite, "the disk is full; nothing was changed") }
        if hasPassphrase { try checkPassphrase(request) }
        let text = String(decoding: body, as: UTF8.self)
        if let answer = try answerBeside(request, body) { return answer }
        switch request {
        case .status: return (.status(status), [])
        case .folders: return (.folders(folders), [])
        case .list(let filter): return (.list(list(filter)), [])
        case .search(let words, let limit, let offset):
            var found = search(words)
            found.notes = Array(found.notes.dropFirst(offset ?? 0).prefix(limit))
            return (.list(found), [])
        case .show(let id, _):
            let note = try find(id)
            guard shown(note).isOpen else { throw NotesError(.noteLocked, "this note is locked") }
            return (.note(note.summary), Array(note.text.utf8))
        case .create(let new):
            add(text) { $0.folder = new.folder ?? "" }
            return (.note(notes[notes.count - 1].summary), [])
        case .unlock, .lockNow, .setPassphrase, .changePassphrase, .resetPassphrase:
            return (.session(session(after: request)), [])
        case .touch, .handedIn: return (.done, [])
        case .keepDraft(let id, _):
            _ = try find(id)
            drafts[id] = text
            return (.done, [])
        default: return try change(request, text)
        }
    }

    /// Files of notes, and their former texts.
    private mutating func answerBeside(
        _ request: NotesRequest, _ body: [UInt8]
    ) throws(NotesError) -> (NotesReply, [UInt8])? {
        switch request {
        case .attachments(let id): return (.attachments((files[id] ?? []).map(\.summary)), [])
        case .attach(let id, let new):
            let file = AttachmentSummary(
                id: "file-\(body.count)", name: new.name, kind: .image, mediaType: "image/png",
                byteCount: UInt64(body.count), hasThumbnail: false)
            files[id, default: []].append(File(summary: file, bytes: body))
            try update(id) { $0.summary.attachmentCount += 1 }
            return (.attachment(file), [])
        case .attachment(let id, let attachment, _):
            guard let file = files[id]?.first(where: { $0.summary.id == attachment }) else { throw Self.notFound }
            return (.attachment(file.summary), file.bytes)
        case .versions(let id):
            return (
                .versions(
                    (former[id] ?? []).enumerated().map { index, text in
                        VersionSummary(number: index + 1, modified: 0, byteCount: text.utf8.count)
                    }), []
            )
        case .show(let id, let version?):
            guard let texts = former[id], texts.indices.contains(version - 1) else { throw Self.notFound }
            return (.note(try find(id).summary), Array(texts[version - 1].utf8))
        default: return nil
        }
    }

    private mutating func session(after request: NotesRequest) -> SessionSummary {
        if request == .lockNow { closeSession() } else { openSession() }
        if case .unlock(let id?) = request, olderNotes.contains(id) { isOlderOpen = true }
        return session
    }

    private mutating func change(_ request: NotesRequest, _ text: String) throws(NotesError) -> (NotesReply, [UInt8]) {
        switch request {
        case .edit(let id, let base, _):
            drafts[id] = nil
            let before = try find(id)
            let merged = merges.removeValue(forKey: id) ?? text
            if merged != before.text {
                try update(id) {
                    $0.text = merged
                    $0.summary.title = Self.title(of: merged)
                    $0.summary.revision += 1
                }
            }
            var summary = try find(id).summary
            summary.isMerged = merged != text || base > before.summary.revision ? true : nil
            return (.note(summary), [])
        case .pin(let id, let isPinned): try update(id) { $0.summary.isPinned = isPinned }
        case .delete(let id, let forever):
            if forever { notes.removeAll { $0.summary.id == id } } else { try update(id) { $0.summary.deleted = 1 } }
        case .restore(let id): try update(id) { $0.summary.deleted = nil }
        case .lock(let id): try update(id) { $0.summary.isLocked = true }
        case .removeLock(let id): try update(id) { $0.summary.isLocked = false }
        case .discardDraft(let id): drafts[id] = nil
        case .move(let id, let folder): try update(id) { $0.summary.folder = folder }
        case .tag(let id, let add, let remove):
            try update(id) { $0.summary.tags = $0.summary.tags.filter { !remove.contains($0) } + add }
        case .detach(let id, let attachment): files[id]?.removeAll { $0.summary.id == attachment }
        case .revert(let id, let version):
            let texts = former[id] ?? []
            guard texts.indices.contains(version - 1) else { throw Self.notFound }
            try update(id) {
                $0.text = texts[version - 1]
                $0.summary.revision += 1
            }
        default: throw NotesError(.invalid, "not in this world")
        }
        return (.done, [])
    }

    private mutating func checkPassphrase(_ request: NotesRequest) throws(NotesError) {
        guard isPassphraseRight else {
            wrongTries += 1
            let older: String? = if case .unlock(let id?) = request, olderNotes.contains(id) { id } else { nil }
            throw NotesError(
                .wrongPassphrase, "this is not the passphrase", hint: wrongTries > 2 ? "the cat" : nil,
                olderNote: older)
        }
        openSession()
    }

    private mutating func update(_ id: String, _ change: (inout Note) -> Void) throws(NotesError) {
        guard let index = notes.firstIndex(where: { $0.summary.id == id }) else { throw Self.notFound }
        change(&notes[index])
    }

    private func find(_ id: String) throws(NotesError) -> Note {
        guard let note = notes.first(where: { $0.summary.id == id }) else { throw Self.notFound }
        return note
    }

    private static let notFound = NotesError(.notFound, "there is no such note")

    private func shown(_ note: Note) -> NoteSummary {
        var summary = note.summary
        let isOlder = olderNotes.contains(summary.id)
        summary.isOpen = !summary.isLocked || (isOlder ? isOlderOpen : session.isOpen)
        summary.hasOlderPassphrase = isOlder ? true : nil
        if summary.isLocked && !summary.isOpen && !showsLockedTitles { summary.title = "" }
        return summary
    }

    private func list(_ filter: NoteFilter) -> NoteList {
        let found = notes.filter { note in
            (note.summary.deleted != nil) == filter.isInTrash
                && (filter.folder.map { note.summary.folder == $0 || note.summary.folder.hasPrefix($0 + "/") } ?? true)
        }
        let sorted = found.sorted {
            if $0.summary.isPinned != $1.summary.isPinned { return $0.summary.isPinned }
            return filter.order == .title && $0.summary.title < $1.summary.title
        }
        let page = sorted.dropFirst(filter.offset).prefix(filter.limit)
        return NoteList(notes: page.map(shown), total: found.count)
    }

    private func search(_ words: String) -> NoteList {
        let found = notes.filter { shown($0).isOpen && $0.text.contains(words) }
        let hits = found.map { note in
            var summary = shown(note)
            summary.excerpt = note.text.split(separator: "\n").first { $0.contains(words) }.map { String($0) }
            return summary
        }
        return NoteList(notes: hits, total: hits.count, unread: unread)
    }

    private var folders: [FolderSummary] {
        let paths = Set(notes.map(\.summary.folder)).subtracting([""]).sorted()
        return paths.map { path in FolderSummary(path: path, count: notes.count { $0.summary.folder == path }) }
    }

    private var status: NotesStatus {
        NotesStatus(
            session: session, account: "On this device", notes: notes.count,
            locked: notes.count { $0.summary.isLocked }, trashed: notes.count { $0.summary.deleted != nil },
            damaged: damaged, indexed: notes.count, settings: NotesSettings(), process: 1)
    }

    private static func title(of text: String) -> String {
        let line = text.split(separator: "\n").first.map { String($0) } ?? ""
        return String(line.drop { $0 == "#" || $0 == " " })
    }
}

extension NotesRequest {
    fileprivate var writesText: Bool {
        switch self {
        case .create, .edit, .keepDraft: true
        default: false
        }
    }
}
