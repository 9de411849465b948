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
    private let callers: CallerIdentifier
    private let desk: AppDesk
    private let keychains: KeychainDesk
    let fingers: FingerprintDesk
    /// Accepts whoever waits, and returns the number of the last connection; nil where that failed.
    var acceptWaiting: () -> UInt64? = { nil }
    private let log: Logger

    init(device: DeviceOwner, fingers: FingerprintDesk, log: Logger) {
        self.fingers = fingers
        self.device = device
        self.log = log
        callers = CallerIdentifier { device.apps }
        desk = AppDesk(device: device)
        keychains = KeychainDesk(device: device)
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
            switch header.opcode.topic {
            case .apps: try answerOwner(request, header.id, connection, &output)
            case .keychains: try answerKeychains(request, header.id, connection, &output)
            case .securityKeys: try answerSecurityKeys(request, header.id, connection, &output)
            case .sessions: try answerSession(request, header.id, connection, &output)
            case .device: try answer(request, header.id, connection, &output)
            }
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
        case .identifiers:
            let report = try desk.identifiers(of: identity(of: connection), callers.settled(connection))
            return try reply(id, .identifiers, &output) { try report.encode(into: &$0) }
        case .status: return try reply(id, .status, &output) { try device.status().encode(into: &$0) }
        case .find(let query):
            return try withCaller(connection, query.attributes) {
                try device.store.answerFind(query, id: id, caller: $0, into: &output)
            }
        case .add(let item):
            return try withCaller(connection, item.attributes) {
                try device.store.answerAdd(item, id: id, caller: $0, into: &output)
            }
        case .echo(let payload): return try reply(id, .echo, &output) { try $0.field(payload.bytes) }
        case .update(let update):
            try withCaller(connection, update.query.attributes) { try device.store.update(update, caller: $0) }
        case .remove(let query):
            try withCaller(connection, query.attributes) { try device.store.remove(query, caller: $0) }
        case .useKey(let use):
            return try withCaller(connection, Attributes()) { caller in
                let result = try device.store.use(use, caller: caller)
                try reply(id, .keyResult, &output) { try $0.field(result) }
            }
        case .biometry: return try reply(id, .biometry, &output) { try fingers.report().encode(into: &$0) }
        case .proveBiometry(let claim): return try fingers.begin(claim, id: id, over: connection)
        case .provePresence(let claim): try device.provePresence(claim.over(connection: connection.id))
        case .subscribe:
            connection.isSubscribed = true
            return try reply(id, .lockState, &output) { try $0.uint8(device.lockState.rawValue) }
        case .setIdleLock(let seconds): try device.setIdleLock(seconds: seconds)
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
        default: throw KeychainError(.parameter, .malformedRequest)
        }
        try NativeReply.appendDone(id: id, to: &output)
    }

    /// What programs want of sessions.
    private func answerSession(
        _ request: consuming NativeRequest, _ id: UInt32, _ connection: Connection, _ output: inout SecretBuffer
    ) throws {
        switch consume request {
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
        default: throw KeychainError(.parameter, .malformedRequest)
        }
        try NativeReply.appendDone(id: id, to: &output)
    }

    /// What the owner says of programs.
    private func answerOwner(
        _ request: consuming NativeRequest, _ id: UInt32, _ connection: Connection, _ output: inout SecretBuffer
    ) throws {
        switch consume request {
        case .registerApp(let registration): try owner(connection) { try desk.register(registration) }
        case .removeApp(let removal): try owner(connection) { try desk.remove(removal) }
        case .changeGrant(let change): try owner(connection) { try desk.change(change) }
        case .purgeGroup(let purge): try owner(connection) { try desk.purge(purge) }
        case .changeAdvertising(let change):
            try owner(connection) {
                try device.apps.changeAdvertising(resets: change.resets, allowsTracking: change.allowsTracking)
            }
        case .apps(let after):
            let report = try owner(connection) { device.apps.report(after: after, wishes: desk.wishes) }
            return try reply(id, .apps, &output) { try report.encode(into: &$0) }
        case .groups:
            let report = try owner(connection) { try desk.groups() }
            return try reply(id, .groups, &output) { try report.encode(into: &$0) }
        default: throw KeychainError(.parameter, .malformedRequest)
        }
        try NativeReply.appendDone(id: id, to: &output)
    }

    /// What the owner says of keychains.
    private func answerKeychains(
        _ request: consuming NativeRequest, _ id: UInt32, _ connection: Connection, _ output: inout SecretBuffer
    ) throws {
        switch consume request {
        case .keychains:
            let report = try owner(connection) { try keychains.report() }
            return try reply(id, .keychains, &output) { try report.encode(into: &$0) }
        case .createKeychain(let creation): try owner(connection) { try keychains.create(creation) }
        case .deleteKeychain(let deletion): try owner(connection) { try keychains.delete(deletion) }
        case .chooseKeychain(let name): try owner(connection) { try keychains.choose(name) }
        case .openKeychain(let opening): try owner(connection) { try keychains.open(opening) }
        case .closeKeychain(let name): try owner(connection) { try keychains.close(name) }
        case .changeKeychainPasscode(let change): try owner(connection) { try keychains.changePasscode(change) }
        default: throw KeychainError(.parameter, .malformedRequest)
        }
        try NativeReply.appendDone(id: id, to: &output)
    }

    /// What is said of security keys and items' own passwords; what changes something takes the passcode.
    private func answerSecurityKeys(
        _ request: consuming NativeRequest, _ id: UInt32, _ connection: Connection, _ output: inout SecretBuffer
    ) throws {
        guard !(try identity(of: connection).accessGroups.isEmpty) else {
            throw KeychainError(.missingEntitlement, .unknownProgram)
        }
        let desk = SecurityKeyDesk(device: device)
        switch consume request {
        case .securityKeys:
            let report = try desk.report()
            return try reply(id, .securityKeys, &output) { try report.encode(into: &$0) }
        case .enrolSecurityKey(let enrolment): try desk.enrol(enrolment)
        case .removeSecurityKey(let removal): try desk.remove(removal)
        case .proveSecurityKey(let claim): try desk.prove(claim, over: connection.id)
        case .giveItemPassword(let password):
            defer { Stack.wipe() }
            try device.send(.giveItemPassword(password.over(connection: connection.id)))
        default: throw KeychainError(.parameter, .malformedRequest)
        }
        try NativeReply.appendDone(id: id, to: &output)
    }

    /// Does what the owner says, who speaks through the command `tresor` alone.
    private func owner<Result>(_ connection: Connection, _ body: () throws -> Result) throws -> Result {
        try desk.admit(identity(of: connection))
        return try body()
    }

    /// Runs a call for who made the connection; a group that is refused them is noted, for the owner to decide.
    private func withCaller(
        _ connection: Connection, _ attributes: Attributes, _ body: (Caller) throws -> Void
    ) throws {
        let identity = try identity(of: connection)
        guard !identity.accessGroups.isEmpty else { throw KeychainError(.missingEntitlement, .unknownProgram) }
        do { try body(Caller(connection: connection.id, accessGroups: identity.accessGroups)) } catch {
            if (error as? KeychainError)?.status == .missingEntitlement, let group = attributes.string(.accessGroup) {
                desk.note(identity, wants: group)
            }
            throw error
        }
    }

    private func identity(of connection: Connection) throws -> CallerIdentity {
        // A socket whose maker has ended is another process's now, of which the kernel says nothing here.
        guard let identity = callers.identity(of: connection) else {
            throw KeychainError(.missingEntitlement, .unknownProgram)
        }
        return identity
    }

    private func identify(_ id: UInt32, _ connection: Connection, _ output: inout SecretBuffer) throws {
        guard let seen = callers.look(at: connection, acceptWaiting: acceptWaiting) else {
            throw KeychainError(.missingEntitlement, .unknownProgram)
        }
        let answer = CallerReport(
            name: seen.identity.name ?? "", grade: seen.identity.grade, accessGroups: seen.identity.accessGroups,
            holdsHere: seen.holdsHere)
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
    fileprivate enum Topic { case device, sessions, apps, keychains, securityKeys }

    fileprivate var topic: Topic {
        switch self {
        case .registerApp, .removeApp, .apps, .changeGrant, .groups, .purgeGroup, .changeAdvertising: .apps
        case .openSession, .makeSessionKey, .unwrapSessionKey, .extendSession, .closeSession: .sessions
        case .keychains, .createKeychain, .deleteKeychain, .chooseKeychain, .openKeychain, .closeKeychain,
            .changeKeychainPasscode:
            .keychains
        case .securityKeys, .enrolSecurityKey, .removeSecurityKey, .proveSecurityKey, .giveItemPassword: .securityKeys
        default: .device
        }
    }

    /// What the loop has to do after a request of this kind, whatever its answer was.
    fileprivate var consequence: NativeDoor.Consequence {
        switch self {
        // These show nothing of an owner at work, and so don't put off the idle lock.
        case .status, .echo, .subscribe, .hold, .identify, .apps, .groups, .identifiers, .biometry, .keychains,
            .securityKeys:
            .none
        // Programs extend sessions by themselves; what their user does is told by the requests that follow.
        case .openSession, .makeSessionKey, .unwrapSessionKey, .extendSession, .closeSession: .none
        case .setIdleLock, .add, .find, .update, .remove, .useKey, .createKeychain, .chooseKeychain, .openKeychain,
            .closeKeychain, .changeKeychainPasscode:
            .activity
        // A reset destroys class keys: what they opened is wiped as at a lock.
        case .lock, .resetPasscode: .locked
        case .unlock, .setPasscode, .changePasscode, .removePasscode, .provePresence,
            .changeSettings, .registerApp, .removeApp, .changeGrant, .purgeGroup, .changeAdvertising,
            .proveBiometry, .deleteKeychain, .enrolSecurityKey, .removeSecurityKey, .proveSecurityKey,
            .giveItemPassword:
            .stateMayHaveChanged
        case .stop: .stop
        }
    }
}
