package import ResidentClient
package import Wire

/// A client's connection to tresor-notes, blocking; it starts the program where it does not run.
package typealias NotesConnection = ResidentConnection<NotesMessages>

/// What is said between tresor-notes and its clients.
package enum NotesMessages: ResidentMessages {
    /// What goes over this connection, as the JSON of a head.
    package typealias Request = NotesRequest
    /// What comes back for each request.
    package typealias Reply = NotesReply
    /// What comes without a request.
    package typealias Event = NotesEvent

    /// The error in an answer; nil where it is none.
    package static func failure(of reply: NotesReply) -> NotesError? {
        if case .error(let error) = reply { return error }
        return nil
    }

    /// What a broken connection means, in the errors of notes.
    package static func failure(_ kind: ConnectionFailure, _ message: String) -> NotesError {
        switch kind {
        case .tooLarge: NotesError(.tooLarge, message)
        case .unavailable: NotesError(.unavailable, message)
        case .noAnswer: NotesError(.noAnswer, message)
        case .ended: NotesError(ended: message)
        }
    }

    /// Whether the answer may take longer than others: much is sealed or opened for it, or a passphrase stretched.
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
    /// Its program, and where it keeps what is its own.
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
