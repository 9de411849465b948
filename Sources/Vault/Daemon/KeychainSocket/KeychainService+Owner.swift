import KeychainStore
import Protection
import Secrets
import Wire

/// What the owner says of the device, and what programs have counted and kept for them.
extension KeychainService {
    /// What changes the device: the command `tresor` alone.
    func answerOwnersDevice(
        _ request: consuming KeychainRequest, _ id: UInt32, _ connection: Connection, _ output: inout SecretBuffer
    ) throws {
        try admitOwner(connection)
        switch consume request {
        case .setIdleLock(let seconds): try device.setIdleLock(seconds: seconds)
        // That it may be said is all that there is to it.
        case .stop: break
        case .ownerInput: break
        case .setPasscode(let new): try device.perform(.setPasscode(new))
        case .changePasscode(let change): try device.perform(.changePasscode(change))
        case .removePasscode(let current): try device.perform(.removePasscode(current))
        case .resetPasscode: try device.perform(.reset)
        case .changeSettings(let change): try device.perform(.changeSettings(change))
        default: throw KeychainError(.parameter, .malformedRequest)
        }
        try KeychainReply.appendDone(id: id, to: &output)
    }

    /// Whose count it is: the caller's own group, which no other program has first.
    func countingGroup(_ connection: Connection) throws -> (name: String, isOurs: Bool) {
        let identity = try identity(of: connection)
        guard let group = identity.accessGroups.first else {
            throw KeychainError(.missingEntitlement, .unknownProgram)
        }
        return (name: group, isOurs: identity.isOurs)
    }

    /// A process has passwords waiting over this many connections at a time; the one that gave longest ago gives way.
    private static var givingConnections: Int { 4 }

    func noteGiving(_ connection: Connection) {
        let giving = connections().filter { $0.process == connection.process && $0.gavePassword > 0 }
        if connection.gavePassword == 0, giving.count >= Self.givingConnections,
            let first = giving.min(by: { $0.gavePassword < $1.gavePassword })
        {
            device.forgetGiven(first)
        }
        givings += 1
        connection.gavePassword = givings
        connection.isKnownToEnclave = true
    }
}
