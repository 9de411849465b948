package import ResidentClient
package import Wire

/// A client's connection to tresor-notes, blocking; it starts the program where it does not run.
package typealias NotesConnection = ResidentConnection<NotesMessages>

/// What is said between tresor-notes and its clients.
package enum NotesMessages: ResidentMessages {
    package typealias Request = NotesRequest
    package typealias Reply = NotesReply
    package typealias Event = NotesEvent

    package static func failure(of reply: NotesReply) -> NotesError? {
        if case .error(let error) = reply { return error }
        return nil
    }

    package static func failure(_ kind: ConnectionFailure, _ message: String) -> NotesError {
        switch kind {
        case .tooLarge: NotesError(.tooLarge, message)
        case .unavailable: NotesError(.unavailable, message)
        case .noAnswer: NotesError(.noAnswer, message)
        case .ended: NotesError(ended: message)
        }
    }

    package static func isLong(_ request: NotesRequest) -> Bool {
        switch request {
        case .create, .edit, .keepDraft, .attach, .attachment, .lock, .removeLock, .changePassphrase,
            .changeSettings, .importNote, .importAttachment, .delete, .search:
            true
        default: false
        }
    }
}

extension ResidentProgram {
    package static func notes(_ home: Home) -> ResidentProgram {
        ResidentProgram(name: "tresor-notes", folder: home.notesFolder, socket: home.notesSocket)
    }
}

extension ResidentConnection<NotesMessages> {
    /// - Throws: ``NotesError`` with code `unavailable` when tresor-notes neither runs nor starts.
    package convenience init(home: Home) throws { try self.init(.notes(home), daemon: home.socket) }

    /// All notes that a filter lets through.
    package func all(_ filter: NoteFilter) throws -> [NoteSummary] {
        var notes: [NoteSummary] = []
        _ = try askForRows(.listAll(filter), of: NoteSummary.self) { notes.append($0) }
        return notes
    }

    /// From now on ``nextEvent()`` has something to say.
    package func subscribe() throws { try ask(.subscribe) }
}
