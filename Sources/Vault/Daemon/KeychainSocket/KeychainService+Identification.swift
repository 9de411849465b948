import KeychainStore
import Linux
import Protection
import Secrets
import Wire

/// Programs that say who they are, and wait until they were looked at.
extension KeychainService {
    func identify(_ id: UInt32, _ connection: Connection, _ output: inout SecretBuffer) throws {
        try report(callers.look(at: connection, acceptWaiting: acceptWaiting), id, connection, &output)
    }

    private func report(
        _ look: CallerIdentifier.Look, _ id: UInt32, _ connection: Connection, _ output: inout SecretBuffer
    ) throws {
        switch look {
        case .gone: throw KeychainError(.missingEntitlement, .unknownProgram)
        case .failed(let error): throw tryAgain(error)
        case .unread(let content):
            let end = SystemClock.bootMilliseconds() + IdentificationQueue.longest.wholeMilliseconds
            looks.begin(content, id: id, for: connection, end: end)
        case .known(let identity, let holdsHere):
            let answer = CallerReport(
                name: identity.name ?? "", grade: identity.grade, accessGroups: identity.accessGroups,
                holdsHere: holdsHere)
            try reply(id, .identity, &output) { try answer.encode(into: &$0) }
        }
    }

    /// Nothing is done for a program that could not be looked up: it might be taken for another one.
    func tryAgain(_ error: LinuxError) -> KeychainError {
        quiet.warning("a caller could not be looked up", code: error.description)
        return KeychainError(.notAvailable, .tryAgain)
    }

    /// Whether a program's file is still being read.
    var isLooking: Bool { !looks.isEmpty }

    /// Reads on for a turn, and says who can be answered now.
    func goOnLooking() -> [LateAnswer] {
        looks.isEmpty
            ? []
            : looks.goOn(at: SystemClock.bootMilliseconds()).map { look in
                LateAnswer(connection: look.connection) { [self] output in try finish(look, &output) }
            }
    }

    private func finish(_ look: IdentificationQueue.Look, _ output: inout SecretBuffer) throws {
        let start = output.count
        do {
            let seen = callers.look(at: look.connection, content: look.content, acceptWaiting: acceptWaiting)
            try report(seen, look.id, look.connection, &output)
        } catch let error as KeychainError {
            output.truncate(to: start)
            try KeychainReply.append(error, id: look.id, to: &output)
        }
    }

    /// An answer to a request that had to wait.
    struct LateAnswer {
        let connection: Connection
        fileprivate let body: (inout SecretBuffer) throws -> Void

        func encode(into output: inout SecretBuffer) throws { try body(&output) }
    }

    /// Whether a process runs a program of ours.
    func isOurs(_ peer: borrowing PeerProcess) -> Bool { callers.isOurs(peer) }
}
