package import ResidentClient
package import Wire

/// A client's connection to tresor-diary, blocking; it starts the program where it does not run.
package typealias DiaryConnection = ResidentConnection<DiaryMessages>

/// What is said between tresor-diary and its clients.
package enum DiaryMessages: ResidentMessages {
    /// What goes over this connection, as the JSON of a head.
    package typealias Request = DiaryRequest
    /// What comes back for each request.
    package typealias Reply = DiaryReply
    /// What comes without a request.
    package typealias Event = DiaryEvent

    /// The error in an answer; nil where it is none.
    package static func failure(of reply: DiaryReply) -> DiaryError? {
        if case .error(let error) = reply { return error }
        return nil
    }

    /// What a broken connection means, in the diary's own errors.
    package static func failure(_ kind: ConnectionFailure, _ message: String) -> DiaryError {
        switch kind {
        case .tooLarge: DiaryError(.tooLarge, message)
        case .unavailable: DiaryError(.unavailable, message)
        case .noAnswer: DiaryError(.noAnswer, message)
        case .ended: DiaryError(ended: message)
        }
    }

    /// Whether the answer may take longer than others: much is sealed or opened for it, or a password stretched.
    package static func isLong(_ request: DiaryRequest) -> Bool {
        switch request {
        case .stage, .create, .edit, .importEntry, .media, .changePassword, .resetByRecoveryKey, .resetByPasscode,
            .erase, .delete, .outline, .search:
            true
        default: false
        }
    }
}

extension ResidentProgram {
    /// Its program, and where it keeps what is its own.
    package static func diary(_ home: Home) -> ResidentProgram {
        ResidentProgram(name: "tresor-diary", folder: home.diaryFolder, socket: home.diarySocket)
    }
}

extension ResidentConnection<DiaryMessages> {
    /// - Throws: ``DiaryError`` with code `unavailable` when tresor-diary neither runs nor starts.
    package convenience init(home: Home) throws { try self.init(.diary(home), daemon: home.socket) }
}
