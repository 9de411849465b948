import Localization
import NotesClient
import Resident
import ResidentClient
import Secrets
import Zones

/// What a request is answered with.
enum NotesAnswer {
    case reply(NotesReply)
    /// A text follows in the body.
    case text(NotesReply, [UInt8])
    /// A file follows in the body.
    case file(NotesReply, AssetFile)
    /// Rows follow in the body.
    case rows(NotesReply, RowBody)
}

/// A file on its way to a client, chunk by chunk.
final class AssetFile {
    private let reader: AssetReader
    private var next = 0

    init(_ reader: AssetReader) { self.reader = reader }

    /// The next chunk; nil at the end.
    func nextChunk() throws -> [UInt8]? {
        guard next < reader.chunkCount else { return nil }
        defer { next += 1 }
        return try reader.chunk(next)
    }
}

// From a request to one call of the notebook, and from its result to the answer. No rule is decided here.
extension Notebook {
    /// Answers a request whose body, if it has one, has come in as a text.
    func answer(
        _ request: NotesRequest, secrets: borrowing MessageSecrets, body: [UInt8]
    ) throws -> NotesAnswer {
        switch request {
        case .list(let filter): return .reply(.list(try lists.list(filter)))
        case .listAll(let filter): return try lists.listAll(filter)
        case .folders: return .reply(.folders(try lists.folders()))
        case .search(let text, let limit, let offset):
            let most = min(max(limit, 1), NoteLists.mostListed)
            return .reply(.list(try lists.find(text, limit: most, offset: max(offset ?? 0, 0))))
        case .show(let id, let version): return try show(find(id), version)
        case .find(let id): return .reply(.note(try summary(of: find(id))))
        case .create(let new): return .reply(.note(try summary(of: texts.create(new, markdown: Self.text(body)))))
        case .look(let place): return .reply(.look(try damage.look(from: place, until: Turn().isOver)))
        case .importSources: return .reply(.importSources(try sources.list()))
        case .beginImport(let source):
            try sources.begin(source)
            return .reply(.done)
        case .hint: return .reply(.hint(try passphrases.hint()))
        case .lockNow:
            _ = handle(.lockNow)
            return .reply(.session(session))
        case .unlock(let id): return try unlock(id, secrets)
        case .setPassphrase(let hint): try passphrases.set(Self.first(secrets), hint: hint)
        case .changePassphrase(let hint):
            try passphrases.change(from: Self.first(secrets), to: Self.second(secrets), hint: hint)
        case .resetPassphrase(let hint): try passphrases.reset(Self.second(secrets), hint: hint)
        case .changeSettings(let changes): try settings.change(changes)
        default: return try answerAboutOne(request, secrets: secrets, body: body)
        }
        return .reply(.session(session))
    }

    private func answerAboutOne(
        _ request: NotesRequest, secrets: borrowing MessageSecrets, body: [UInt8]
    ) throws -> NotesAnswer {
        switch request {
        case .edit(let id, let base, _):
            let note = try find(id)
            let isMerged = try edits.edit(note, base: base, markdown: Self.text(body))
            var summary = try summary(of: note)
            summary.isMerged = isMerged ? true : nil
            return .reply(.note(summary))
        case .keepDraft(let id, let base):
            try edits.keepDraft(of: find(id), base: base, markdown: Self.text(body))
            return .reply(.done)
        case .discardDraft(let id): return try changed(find(id)) { try edits.discardDraft(of: $0) }
        case .move(let id, let folder): return try changed(find(id)) { try filing.move($0, to: folder) }
        case .tag(let id, let add, let remove):
            return try changed(find(id)) { try filing.tag($0, add: add, remove: remove) }
        case .pin(let id, let isPinned): return try changed(find(id)) { try filing.pin($0, isPinned) }
        case .delete(let id, let forever):
            try trash.delete(find(id), forever: forever)
            return .reply(.done)
        case .restore(let id): return .reply(.note(try summary(of: trash.restore(find(id)))))
        case .resolve(let id): return try changed(find(id)) { try filing.resolve($0) }
        case .versions(let id): return .reply(.versions(try texts.versions(of: find(id))))
        case .revert(let id, let version): return try changed(find(id)) { try edits.revert($0, to: version) }
        case .attachments(let id): return .reply(.attachments(try attachments.list(of: find(id))))
        case .attachment(let id, let attachment, let isThumbnail):
            let found = try attachments.read(attachment, of: find(id), isThumbnail: isThumbnail)
            return .file(.attachment(found.summary), AssetFile(found.reader))
        case .detach(let id, let attachment):
            return try changed(find(id)) { try attachments.detach(attachment, from: $0) }
        case .lock(let id):
            let note = try find(id)
            try openSession(for: nil, secrets)
            return try changed(note) { try locks.lock($0) }
        case .removeLock(let id):
            let note = try find(id)
            try openSession(for: note, secrets)
            return try changed(note) { try locks.removeLock($0) }
        default: throw NotesError(.invalid, marked("this request is not for a notebook"))
        }
    }

    private func changed(_ note: Identifier, _ body: (Identifier) throws -> Void) throws -> NotesAnswer {
        try body(note)
        return .reply(.note(try summary(of: note)))
    }

    private func show(_ note: Identifier, _ version: Int?) throws -> NotesAnswer {
        let text = try texts.markdown(of: note, version: version)
        var summary = try summary(of: note)
        do { summary.frontMatter = try imports.frontMatter(of: note) } catch let error as NotesError
            where error.code == .damaged
        {
            // The text is whole.
            summary.damage = (summary.damage ?? []) + [.origin]
        }
        return .text(.note(summary), Array(text.utf8))
    }

    private func unlock(_ id: String?, _ secrets: borrowing MessageSecrets) throws -> NotesAnswer {
        try passphrases.unlock(try id.map(find), with: Self.first(secrets))
        return .reply(.session(session))
    }

    /// A passphrase that came with a request opens its session first.
    private func openSession(for note: Identifier?, _ secrets: borrowing MessageSecrets) throws {
        switch secrets.first {
        case .some(let passphrase): try passphrases.unlock(note, with: passphrase)
        case .none: break
        }
    }

    /// Text as it came.
    ///
    /// - Throws: where bytes are no UTF-8. To put others in their place would change what was written.
    static func text(_ body: [UInt8]) throws -> String {
        guard let text = String(validating: body, as: UTF8.self) else {
            throw NotesError(
                .invalid, marked("the text is not UTF-8, and nothing was changed; 'iconv -t UTF-8' converts it"))
        }
        return text
    }

    private static func first(_ secrets: borrowing MessageSecrets) throws -> SecretBytes {
        switch secrets.first {
        case .some(let secret): return try secret.copy()
        case .none: throw NotesError(.invalid, marked("the request lacks its passphrase"))
        }
    }

    private static func second(_ secrets: borrowing MessageSecrets) throws -> SecretBytes {
        switch secrets.second {
        case .some(let secret): return try secret.copy()
        case .none: throw NotesError(.invalid, marked("the request lacks its new passphrase"))
        }
    }
}
