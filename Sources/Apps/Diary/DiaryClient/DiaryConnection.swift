package import ResidentClient
package import Wire

/// A client's connection to tresor-diary, blocking; it starts the program where it does not run.
package typealias DiaryConnection = ResidentConnection<DiaryMessages>

/// What is said between tresor-diary and its clients.
package enum DiaryMessages: ResidentMessages {
    package typealias Request = DiaryRequest
    package typealias Reply = DiaryReply
    package typealias Event = DiaryEvent

    package static func failure(of reply: DiaryReply) -> DiaryError? {
        if case .error(let error) = reply { return error }
        return nil
    }

    package static func failure(_ kind: ConnectionFailure, _ message: String) -> DiaryError {
        switch kind {
        case .tooLarge: DiaryError(.tooLarge, message)
        case .unavailable: DiaryError(.unavailable, message)
        case .noAnswer: DiaryError(.noAnswer, message)
        case .ended: DiaryError(ended: message)
        }
    }

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
    package static func diary(_ home: Home) -> ResidentProgram {
        ResidentProgram(name: "tresor-diary", folder: home.diaryFolder, socket: home.diarySocket)
    }
}

extension ResidentConnection<DiaryMessages> {
    /// - Throws: ``DiaryError`` with code `unavailable` when tresor-diary neither runs nor starts.
    package convenience init(home: Home) throws { try self.init(.diary(home), daemon: home.socket) }
}
