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
        DiaryError(kind == .tooLarge ? .tooLarge : .unavailable, message)
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
