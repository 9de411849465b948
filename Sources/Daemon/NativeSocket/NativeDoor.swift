import KeychainStore
import Linux
import Logging
import Protection
import Secrets
import Wire

/// Decodes a request, calls one method of an engine, encodes the answer.
///
/// No rule is decided here.
final class NativeDoor {
    private let device: DeviceOwner
    private let callers = CallerIdentifier()
    /// The number of the last connection that was accepted.
    var lastConnection: UInt64 = 0
    private let log: Logger

    init(device: DeviceOwner, log: Logger) {
        self.device = device
        self.log = log
    }

    /// Why a connection is closed.
    enum Closing: Error { case malformed(String) }

    /// What the loop has to do after an answer.
    enum Consequence { case none, activity, stateMayHaveChanged, locked, stop }

    /// Answers one frame's payload by one frame behind `output`.
    ///
    /// - Throws: `Closing` for bytes that are no request, `SecretMemoryError` when there is no memory to answer.
    func answer(
        _ payload: RawSpan, on connection: Connection, into output: inout SecretBuffer
    ) throws -> Consequence {
        var header: NativeRequest.Header?
        let request: NativeRequest
        do {
            request = try NativeRequest.decode(payload, header: &header)
        } catch let error as DecodingError { throw Closing.malformed("\(error)") }
        guard let header else { throw Closing.malformed("header") }
        let start = output.count
        do {
            try answer(request, header.id, connection, &output)
            return header.opcode.consequence
        } catch let error as SecretMemoryError {
            output.truncate(to: start)
            throw error
        } catch {
            output.truncate(to: start)
            let known = (error as? KeychainError) ?? device.meaning(of: error)
            try NativeReply.append(known, id: header.id, to: &output)
            return header.opcode.consequence
        }
    }

    private func answer(
        _ request: consuming NativeRequest, _ id: UInt32, _ connection: Connection, _ output: inout SecretBuffer
    ) throws {
        switch consume request {
        case .identify: return try identify(id, connection, &output)
        case .status: return try reply(id, .status, &output) { try device.status().encode(into: &$0) }
        case .find(let query):
            return try device.store.answerFind(query, id: id, caller: caller(connection), into: &output)
        case .add(let item):
            return try device.store.answerAdd(item, id: id, caller: caller(connection), into: &output)
        case .echo(let payload): return try reply(id, .echo, &output) { try $0.field(payload.bytes) }
        case .update(let update): try device.store.update(update, caller: caller(connection))
        case .remove(let query): try device.store.remove(query, caller: caller(connection))
        case .provePresence(let claim): try device.provePresence(claim.over(connection: connection.id))
        case .subscribe:
            connection.isSubscribed = true
            return try reply(id, .lockState, &output) { try $0.uint8(device.lockState.rawValue) }
        case .setIdleLock(let seconds): try device.setIdleLock(seconds: seconds)
        case .openSession(let offer):
            let session = try device.sessions.open(
                offer.key, milliseconds: offer.milliseconds, owner: connection.id, state: device.lockState)
            return try reply(id, .session, &output) { try $0.uint64(session) }
        case .makeSessionKey(let session):
            let key = try device.sessions.makeKey(session, owner: connection.id)
            return try reply(id, .sessionKey, &output) { try key.encode(into: &$0) }
        case .unwrapSessionKey(let wrap):
            let key = try device.sessions.unwrap(wrap, owner: connection.id)
            return try reply(id, .sessionKey, &output) { try key.encode(into: &$0) }
        case .extendSession(let session, let milliseconds):
            try device.sessions.extend(session, milliseconds: milliseconds, owner: connection.id)
        case .closeSession(let session): try device.sessions.close(session, owner: connection.id)
        case .hold:
            connection.isHolder = true
            connection.isSubscribed = true
            return try reply(id, .lockState, &output) { try $0.uint8(device.lockState.rawValue) }
        case .stop: break
        case .lock:
            try device.lock()
        case .unlock(let passcode):
            try device.perform(.unlock(passcode))
        case .setPasscode(let new):
            try device.perform(.setPasscode(new))
        case .changePasscode(let change):
            try device.perform(.changePasscode(change))
        case .removePasscode(let current):
            try device.perform(.removePasscode(current))
        case .resetPasscode:
            try device.perform(.reset)
        case .changeSettings(let change): try device.perform(.changeSettings(change))
        }
        try NativeReply.appendDone(id: id, to: &output)
    }

    private func caller(_ connection: Connection) throws -> Caller {
        let identity = try identity(of: connection)
        return Caller(connection: connection.id, accessGroups: Self.accessGroups(of: identity))
    }

    private func identity(of connection: Connection) throws -> CallerIdentity {
        try Self.known(callers.identity(of: connection.peer, connection: connection.id))
    }

    private static func known(_ identity: CallerIdentity?) throws -> CallerIdentity {
        // A socket whose maker has ended is another process's now, of which the kernel says nothing here.
        guard let identity else { throw KeychainError(.missingEntitlement) }
        return identity
    }

    /// Our own programs have groups of their own.
    ///
    /// Until others can be registered, they all reach the owner's.
    private static func accessGroups(of identity: CallerIdentity) -> [String] {
        identity.isOurs ? identity.accessGroups : [AccessGroup.owner]
    }

    private func identify(_ id: UInt32, _ connection: Connection, _ output: inout SecretBuffer) throws {
        let identity = try Self.known(callers.look(at: connection.peer, last: lastConnection))
        let answer = CallerReport(
            name: identity.name ?? "", grade: identity.grade, accessGroups: Self.accessGroups(of: identity))
        try reply(id, .identity, &output) { try answer.encode(into: &$0) }
    }

    private func reply(
        _ id: UInt32, _ tag: NativeReply.Tag, _ output: inout SecretBuffer,
        _ body: (inout SecretBuffer) throws -> Void
    ) throws {
        let frame = try NativeReply.begin(id: id, tag, in: &output)
        try body(&output)
        Frame.end(frame, in: &output)
    }
}

extension NativeRequest.Opcode {
    /// What the loop has to do after a request of this kind, whatever its answer was.
    fileprivate var consequence: NativeDoor.Consequence {
        switch self {
        // These show nothing of an owner at work, and so don't put off the idle lock.
        case .status, .echo, .subscribe, .hold, .identify: .none
        // Programs extend sessions by themselves; what their user does is told by the requests that follow.
        case .openSession, .makeSessionKey, .unwrapSessionKey, .extendSession, .closeSession: .none
        case .setIdleLock, .add, .find, .update, .remove: .activity
        // A reset destroys class keys: what they opened is wiped as at a lock.
        case .lock, .resetPasscode: .locked
        case .unlock, .setPasscode, .changePasscode, .removePasscode, .provePresence,
            .changeSettings:
            .stateMayHaveChanged
        case .stop: .stop
        }
    }
}
