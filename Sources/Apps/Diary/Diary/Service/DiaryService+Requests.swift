import DiaryClient
import FoundationEssentials
import Linux
import Localization
import Protection
import Resident
import ResidentClient
import Secrets
import Tresor
import Wire
import Zones

// What becomes of a client's frames.
extension DiaryService {
    /// A request's head, or a part of its body.
    func take(_ frame: consuming MessageFrame, from peer: DiaryPeer) throws {
        let whole = try peer.assemble(frame) {
            try begin($0, peer)
        } add: {
            try add($0, to: $1)
        } meaning: {
            DiaryError($0)
        }
        if let whole { try answer(whole, to: peer) }
    }

    /// A file is sealed as it comes; a text is kept until it is whole.
    private func begin(_ request: DiaryPeer.Request, _ peer: DiaryPeer) throws {
        guard case .stage(let new) = request.request else { return }
        guard peer.staged.count < DiaryPeer.mostStaged else {
            throw DiaryError(.tooLarge, marked("an entry has at most \(DiaryPeer.mostStaged) files"))
        }
        request.incoming = try IncomingMedia(new, session.openJournal(isEnding: isEnding))
    }

    private func add(_ bytes: [UInt8], to request: DiaryPeer.Request) throws {
        if let incoming = request.incoming { return try incoming.append(bytes) }
        guard request.body.count + bytes.count <= DiaryPeer.textLimit else {
            throw DiaryError(.tooLarge, marked("an entry's text has at most \(DiaryPeer.textLimit >> 20) MiB"))
        }
        guard incomingBytes + bytes.count <= DiaryPeer.textsLimit else {
            throw DiaryError(.unavailable, marked("too many texts come at once; try again"))
        }
        request.body += bytes
    }

    private func answer(_ request: DiaryPeer.Request, to peer: DiaryPeer) throws {
        defer { Stack.wipeShallow() }
        // Whatever it is answered: what was staged for it is nobody else's.
        if request.request.takesStaged { request.staged = peer.takeStaged() }
        do {
            if let failure = request.failure { throw failure }
            if request.request.isInput { autoLock.touch(hasProven: peer.hasProven) }
            if try answerAtDoor(request, to: peer) { return }
            try answerInside(request, to: peer)
        } catch {
            let meaning = DiaryError(error)
            if meaning.code == .unavailable || meaning.code == .storage { Log.error("a request failed", error) }
            if case ZoneError.replaced = error { lockReplaced() }
            try peer.send(.error(meaning), id: request.id)
        }
    }

    /// What is open here is of files that have no name any more: it goes as at any lock, and so does all else.
    private func lockReplaced() {
        guard lockLink == nil else { return }
        lockLink = try? DaemonLink(home)
        try? lockLink?.beginLock()
    }

    // MARK: Inside

    private func answerInside(_ request: DiaryPeer.Request, to peer: DiaryPeer) throws {
        if case .look = request.request, session.journal == nil { try session.lookFromOutside() }
        let journal = try session.openJournal(isEnding: isEnding)
        // An open diary must not outlive its end by one request, but for what is handed in.
        guard !isEnding || request.request.isHandIn else { throw DiaryError.signedOut }
        peer.wasInside = true
        switch request.request {
        case .stage:
            guard let incoming = request.incoming else { throw DiaryError(.invalid, marked("the file is missing")) }
            return try files.stage(incoming, journal, peer, id: request.id, mayWait: !isEnding)
        case .show(let id):
            let entry = try journal.find(id)
            let whole = try journal.entries.whole(entry)
            return try peer.send(.entry(whole.summary), id: request.id, body: .bytes(Array(whole.text.utf8)))
        case .template(let name):
            let found = try journal.templates.read(name)
            return try peer.send(.template(found.head), id: request.id, body: .bytes(Array(found.text.utf8)))
        case .media(let id, let media, let size):
            return try files.send(
                journal.entries.media(media, of: journal.find(id)), size, journal, peer, id: request.id)
        case .glance(let id, let media):
            return try files.send(
                journal.entries.media(media, of: journal.find(id)), .thumbnail, journal, peer, id: request.id)
        case .listAll(let filter):
            let (list, rows) = try journal.lists.listAll(filter)
            let body = MessageBody.parts(rows.nextPart) { DiaryReply.error(DiaryError($0)) }
            return try peer.send(.list(list), id: request.id, body: body)
        case .outline:
            let outline = try journal.lists.outline()
            var reply = DiaryReply.done
            if let unread = journal.heads.headlessEntries {
                reply = .list(EntryList(entries: [], total: outline.count, unread: unread))
            }
            return try peer.send(reply, id: request.id, body: .bytes(Array(try JSONEncoder().encode(outline))))
        default: break
        }
        let reply = try change(request, journal, peer) ?? look(request.request, journal)
        try peer.send(reply, id: request.id)
    }

    /// Nil for a request that changes nothing.
    private func change(
        _ request: DiaryPeer.Request, _ journal: Journal, _ peer: DiaryPeer
    ) throws -> DiaryReply? {
        let text = String(decoding: request.body, as: UTF8.self)
        let reply: DiaryReply
        switch request.request {
        case .create(let new):
            let entry = try journal.entries.create(new, text: text, staged: request.staged)
            lookAtPhotos(of: entry)
            reply = .entry(try journal.summary(of: entry))
        case .edit(let id, let base, let head, let media, let isDraft):
            let entry = try journal.find(id)
            try journal.entries.edit(
                entry, base: base, head: head, media: media, isDraft: isDraft, text: text,
                staged: request.staged)
            lookAtPhotos(of: entry)
            reply = .entry(try journal.summary(of: entry))
        case .importEntry(let head):
            let outcome = try journal.entries.importEntry(head, text: text, staged: request.staged)
            if outcome.change == .added, let entry = Identifier(outcome.id) { lookAtPhotos(of: entry) }
            reply = .imported(outcome)
        case .delete(let id, let forever, let base):
            try journal.entries.delete(journal.find(id), forever: forever, base: base)
            reply = .done
        case .restore(let id):
            reply = .entry(try journal.summary(of: journal.entries.restore(id)))
        case .setTemplate(let template):
            try journal.templates.set(template, text: text)
            reply = .done
        case .removeTemplate(let name):
            try journal.templates.remove(name)
            reply = .done
        case .changeSettings(let changes):
            try journal.settings.change(changes)
            if let isExcluded = changes.isExcludedFromBackup { try markForBackup(isExcluded) }
            reply = .status(try status)
        default: return nil
        }
        tell(.changed, except: peer)
        return reply
    }

    /// Says to backups, by the folder's extended attribute, whether they are to leave the diary out
    /// (`user.xdg.robots.backup`, freedesktop.org, "Common Extended Attributes").
    private func markForBackup(_ isExcluded: Bool) throws {
        let folder = try FileDescriptor.open(home.diaryFolder, FileFlags.ask)
        if isExcluded {
            try folder.setAttribute("user.xdg.robots.backup", Array("false".utf8))
        } else {
            try folder.removeAttribute("user.xdg.robots.backup")
        }
    }

    private func look(_ request: DiaryRequest, _ journal: Journal) throws -> DiaryReply {
        switch request {
        case .list(let filter): .list(try journal.lists.list(filter))
        case .find(let id): .entry(try journal.summary(of: journal.find(id)))
        case .search(let text, let limit, let offset):
            .list(try journal.lists.find(text, limit: min(max(limit, 1), EntryLists.mostListed), offset: offset))
        case .tags: .tags(try journal.lists.tags(), unread: journal.heads.headlessEntries)
        case .templates: .templates(try journal.templates.list())
        case .look(let place): .look(try journal.damage.look(from: place, until: Turn().isOver))
        case .knownSources(let sources): .sources(try journal.lists.known(sources))
        default: throw DiaryError(.invalid, marked("this request is not for an open diary"))
        }
    }
}

extension DiaryRequest {
    /// Whether it takes the files that were staged on its connection.
    fileprivate var takesStaged: Bool {
        switch self {
        case .create, .edit, .importEntry: true
        default: false
        }
    }

    /// Whether what was typed may come with it.
    fileprivate var isHandIn: Bool {
        switch self {
        case .stage, .create, .edit: true
        default: false
        }
    }

    /// Whether a person at work is behind it, so that the diary stays open.
    fileprivate var isInput: Bool {
        switch self {
        case .status, .subscribe, .follow, .stop, .lock, .handedIn, .list, .listAll, .outline, .tags, .find, .glance,
            .look:
            false
        default: true
        }
    }
}
