import Localization

extension AppleNoteStore {
    /// Reads one note.
    ///
    /// What is wrong with its content stands in the note's problems; only a row that the database itself cannot give
    /// is an error.
    ///
    /// - Parameter index: below ``noteCount``; the order is that in which Notes made them.
    package func note(at index: Int) throws(AppleImportError) -> ImportedNote {
        guard self.index.notes.indices.contains(index) else {
            throw AppleImportError(.damaged, localized("There is no note of this number."))
        }
        let entry = self.index.notes[index]
        guard let row = try database.object(entry.key) else {
            throw AppleImportError(.damaged, localized("A note that the database lists is not in it."))
        }
        let account = self.index.accountIdentifier(entry.account)
        let folder = row.integer(.folder)
        var note = ImportedNote(
            sourceID: "apple:\(account)/\(row.text(.identifier) ?? "note-\(entry.key)")", title: row.text(.title) ?? "")
        note.folderPath = self.index.path(folder: folder, account: entry.account)
        note.created = row.microseconds(.created)
        note.modified = row.microseconds(.modified)
        note.isPinned = row.isSet(.isPinned)
        note.isDeleted = row.isSet(.isMarkedForDeletion) || self.index.isTrash(folder)
        let body: NoteDatabase.Body?
        do { body = try entry.body.flatMap { (key) throws(AppleImportError) in try database.body(key) } } catch {
            note.problems.append(localized("The note's text could not be read: the database is damaged there."))
            return note
        }
        if entry.isLocked {
            readLocked(&note, LockedBody(row: row, body: body), account: account)
        } else if let body {
            read(&note, body.data, account: account, lock: nil)
        } else if !note.isDeleted {
            note.problems.append(
                localized("The note's text is not in this copy: iCloud had not sent it to the Mac yet."))
        }
        return note
    }

    private func readLocked(_ note: inout ImportedNote, _ body: LockedBody, account: String) {
        switch body {
        case .missing: note.lock = .closed(reason: localized("its text is not in this copy"), hint: nil)
        case .damaged: note.lock = .closed(reason: localized("its lock is damaged, or of an unknown form"), hint: nil)
        case .device:
            note.lock = .closed(
                reason: localized(
                    """
                    it is locked with the device passcode, whose key never leaves the owner's Apple devices; in Notes, \
                    lock it with a password of its own, then copy the database again
                    """), hint: nil)
        case .passphrase(let candidates):
            let hint = candidates.lazy.compactMap(\.hint).first
            switch keyring.open(candidates) {
            case .opened(let bytes):
                note.lock = .opened
                read(&note, bytes, account: account, lock: candidates.first?.parameters)
            case .closed:
                note.lock = .closed(reason: reasonOfClosed(candidates), hint: hint)
            case .wrongKey: note.lock = .closed(reason: localized("it is locked with another passphrase"), hint: hint)
            case .damaged:
                note.lock = .closed(reason: localized("it is damaged: it does not open with its own key"), hint: hint)
            case .noMemory:
                note.lock = .closed(reason: localized("there is no locked memory left for its key"), hint: hint)
            }
        }
    }

    private func reasonOfClosed(_ candidates: [SealedObject]) -> String {
        if keyring.hasRefused(candidates) {
            return localized("the passphrase that was given does not open it, or its key is damaged")
        }
        let isCostly = candidates.contains { $0.parameters.map(locks.refused.contains) ?? false }
        return isCostly
            ? localized("its lock asks for far more computing than Apple's, and was not tried")
            : localized("its passphrase was not given")
    }

    /// Turns an unlocked body into Markdown.
    private func read(_ note: inout ImportedNote, _ data: [UInt8], account: String, lock: LockParameters?) {
        let paragraphs: [Paragraph]
        do { paragraphs = try NoteText(document: Gunzip.unpack(data)).paragraphs } catch {
            note.problems.append(localized("The note's text could not be read: \(error.reason)."))
            return
        }
        let reader = AttachmentReader(
            database: database, index: index, keyring: keyring, files: files, account: account,
            lock: note.lock == .opened ? .passphrase(lock) : .none)
        note.markdown = MarkdownWriter.render(paragraphs, embed: reader.embed)
        note.attachments = reader.attachments
        note.problems += reader.problems
        if note.title.isEmpty { note.title = Self.title(paragraphs) }
    }

    /// The first line that has text, as Notes names a note.
    private static func title(_ paragraphs: [Paragraph]) -> String {
        for paragraph in paragraphs {
            let text = paragraph.pieces.map { piece in
                guard case .text(let text, _) = piece else { return "" }
                return text
            }.joined()
            let line = text.drop(while: \.isWhitespace).prefix { !$0.isNewline }.prefix(longestTitle)
            if !line.isEmpty { return String(line) }
        }
        return ""
    }

    private static let longestTitle = 120
}
