import KeychainStore
import Linux
import Protection
import Secrets
import Wire

/// Decodes a request, calls one method of an engine, encodes the answer.
///
/// No rule is decided here.
final class KeychainService {
    let device: DeviceOwner
    let callers: CallerIdentifier
    private let appAdministration: AppAdministration
    private let keychains: KeychainAdministration
    let fingers: FingerprintVerification
    var looks = IdentificationQueue()
    private var tries = TryCounts()
    var givings: UInt64 = 0
    /// Everybody who is connected.
    var connections: () -> [Connection] = { [] }
    /// Accepts whoever waits, and returns the number of the last connection; nil where that failed.
    var acceptWaiting: () -> UInt64? = { nil }
    /// Locks the device.
    var lock: () throws -> Void = {}
    /// Is told when the owner has shown that they are there.
    var ownerIsActive: () -> Void = {}
    let quiet: QuietLog

    init(device: DeviceOwner, fingers: FingerprintVerification, quiet: QuietLog) {
        self.fingers = fingers
        self.device = device
        self.quiet = quiet
        callers = CallerIdentifier { device.apps }
        appAdministration = AppAdministration(device: device)
        keychains = KeychainAdministration(device: device)
    }

    /// Why a connection is closed.
    enum Closing: Error { case malformed(String) }

    /// What the loop has to do before an answer is sent: nothing, wait for whoever has to wipe, or end.
    enum Consequence { case none, locked, stop }

    /// Answers one frame's payload by one frame behind `output`.
    ///
    /// - Throws: `Closing` for bytes that are no request, `SecretMemoryError` when there is no memory to answer.
    func answer(
        _ payload: RawSpan, on connection: Connection, into output: inout SecretBuffer
    ) throws -> Consequence {
        let consequence = try answerBelow(payload, on: connection, into: &output)
        // Who locks wipes what lies below itself. The frames between it and this one were those of earlier requests,
        // too, and have their words in the gaps.
        if consequence == .locked { Stack.wipe() }
        return consequence
    }

    /// Not a part of its caller's frame, which is not wiped.
    @inline(never)
    private func answerBelow(
        _ payload: RawSpan, on connection: Connection, into output: inout SecretBuffer
    ) throws -> Consequence {
        var header: KeychainRequest.Header?
        let request: KeychainRequest
        do {
            request = try KeychainRequest.decode(payload, header: &header)
        } catch let error as DecodingError { throw Closing.malformed("\(error)") }
        guard let header else { throw Closing.malformed("header") }
        let start = output.count
        do {
            // A group has looked when it began, and looks again before and behind its commit.
            if !header.opcode.worksOnReplacedFiles, !device.store.isInGroup { try device.refuseReplaced() }
            switch header.opcode.topic {
            case .apps: try answerOwner(request, header.id, connection, &output)
            case .keychains: try answerKeychains(request, header.id, connection, &output)
            case .securityKeys: try answerSecurityKeys(request, header.id, connection, &output)
            case .sessions: try answerSession(request, header.id, connection, &output)
            case .device: try answer(request, header.id, connection, &output)
            case .owner: try answerOwnersDevice(request, header.id, connection, &output)
            }
            if header.opcode.showsOwner { ownerIsActive() }
            return header.opcode.consequence
        } catch let error as SecretMemoryError {
            output.truncate(to: start)
            throw error
        } catch {
            output.truncate(to: start)
            let known = (error as? KeychainError) ?? device.meaning(of: error)
            if known.reason == .storeReplaced { device.noteReplaced() }
            try KeychainReply.append(known, id: header.id, to: &output)
            // Who may not say it has not said it.
            return known == AppAdministration.notOwner ? .none : header.opcode.consequence
        }
    }

    private func answer(
        _ request: consuming KeychainRequest, _ id: UInt32, _ connection: Connection, _ output: inout SecretBuffer
    ) throws {
        switch consume request {
        case .identify: return try identify(id, connection, &output)
        case .identifiers:
            let report = try appAdministration.identifiers(of: identity(of: connection), callers.settled(connection))
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
        case .proveBiometry(let claim):
            connection.isKnownToEnclave = true
            return try fingers.begin(claim, id: id, over: connection)
        case .provePresence(let claim):
            connection.isKnownToEnclave = true
            try device.provePresence(claim.over(connection: connection.id))
        case .subscribe:
            connection.isSubscribed = true
            return try reply(id, .lockState, &output) { try $0.uint8(device.lockState.rawValue) }
        case .hold:
            connection.isHolder = true
            connection.isSubscribed = true
            return try reply(id, .lockState, &output) { try $0.uint8(device.lockState.rawValue) }
        case .lock: try lock()
        case .unlock(let passcode):
            try device.perform(.unlock(passcode), isDecision: false)
        default: throw KeychainError(.parameter, .malformedRequest)
        }
        try KeychainReply.appendDone(id: id, to: &output)
    }

    /// What programs want of sessions.
    private func answerSession(
        _ request: consuming KeychainRequest, _ id: UInt32, _ connection: Connection, _ output: inout SecretBuffer
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
        try KeychainReply.appendDone(id: id, to: &output)
    }

    /// How long a part of a look at all items keeps the others waiting.
    private static let lookNanoseconds: UInt64 = 12_000_000

    /// What the owner says of programs.
    private func answerOwner(
        _ request: consuming KeychainRequest, _ id: UInt32, _ connection: Connection, _ output: inout SecretBuffer
    ) throws {
        switch consume request {
        case .registerApp(let registration): try owner(connection) { try appAdministration.register(registration) }
        case .removeApp(let removal): try owner(connection) { try appAdministration.remove(removal) }
        case .changeGrant(let change): try owner(connection) { try appAdministration.change(change) }
        case .purgeGroup(let purge): try owner(connection) { try appAdministration.purge(purge) }
        case .changeAdvertising(let change):
            try owner(connection) {
                try device.apps.changeAdvertising(resets: change.resets, allowsTracking: change.allowsTracking)
            }
        case .apps(let after):
            let report = try owner(connection) { device.apps.report(after: after, wishes: appAdministration.wishes) }
            return try reply(id, .apps, &output) { try report.encode(into: &$0) }
        case .groups:
            let report = try owner(connection) { try appAdministration.groups() }
            return try reply(id, .groups, &output) { try report.encode(into: &$0) }
        case .look(let row):
            let end = SystemClock.monotonicNanoseconds() + Self.lookNanoseconds
            let found = try owner(connection) {
                try device.store.look(after: row) { SystemClock.monotonicNanoseconds() > end }
            }
            return try reply(id, .look, &output) { try found.encode(into: &$0) }
        default: throw KeychainError(.parameter, .malformedRequest)
        }
        try KeychainReply.appendDone(id: id, to: &output)
    }

    /// What the owner says of keychains.
    private func answerKeychains(
        _ request: consuming KeychainRequest, _ id: UInt32, _ connection: Connection, _ output: inout SecretBuffer
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
        try KeychainReply.appendDone(id: id, to: &output)
    }

    /// What is said of security keys and items' own passwords; what changes something takes the passcode.
    private func answerSecurityKeys(
        _ request: consuming KeychainRequest, _ id: UInt32, _ connection: Connection, _ output: inout SecretBuffer
    ) throws {
        guard !(try identity(of: connection).accessGroups.isEmpty) else {
            throw KeychainError(.missingEntitlement, .unknownProgram)
        }
        let keys = SecurityKeyAdministration(device: device)
        switch consume request {
        case .securityKeys:
            let report = try keys.report()
            return try reply(id, .securityKeys, &output) { try report.encode(into: &$0) }
        case .enrolSecurityKey(let enrolment): try keys.enrol(enrolment)
        case .removeSecurityKey(let removal): try keys.remove(removal)
        case .proveSecurityKey(let claim):
            connection.isKnownToEnclave = true
            try keys.prove(claim, over: connection.id)
        case .countTry(let name, let known):
            let group = try countingGroup(connection)
            let report = try tries.count(
                name, of: group.name, isOurs: group.isOurs, known: known, at: device.clock())
            return try reply(id, .tries, &output) { try report.encode(into: &$0) }
        case .endTry(let name, let isRight):
            let group = try countingGroup(connection)
            let report = tries.end(name, of: group.name, isRight: isRight, at: device.clock())
            return try reply(id, .tries, &output) { try report.encode(into: &$0) }
        case .giveItemPassword(let password):
            defer { Stack.wipe() }
            noteGiving(connection)
            try device.send(.giveItemPassword(password.over(connection: connection.id)))
        default: throw KeychainError(.parameter, .malformedRequest)
        }
        try KeychainReply.appendDone(id: id, to: &output)
    }

    /// Does what the owner says, who speaks through the command `tresor` alone.
    private func owner<Result>(_ connection: Connection, _ body: () throws -> Result) throws -> Result {
        try admitOwner(connection)
        return try body()
    }

    func admitOwner(_ connection: Connection) throws {
        guard let identity = try settledIdentity(of: connection) else { throw AppAdministration.notOwner }
        try appAdministration.admit(identity)
    }

    /// Runs a call for who made the connection; a group that is refused them is noted, for the owner to decide.
    private func withCaller(
        _ connection: Connection, _ attributes: Attributes, _ body: (Caller) throws -> Void
    ) throws {
        let identity = try identity(of: connection)
        guard !identity.accessGroups.isEmpty else { throw KeychainError(.missingEntitlement, .unknownProgram) }
        do { try body(Caller(connection: connection.id, accessGroups: identity.accessGroups)) } catch {
            if (error as? KeychainError)?.status == .missingEntitlement, let group = attributes.string(.accessGroup) {
                appAdministration.note(identity, wants: group)
            }
            throw error
        }
    }

    func identity(of connection: Connection) throws -> CallerIdentity {
        // A socket whose maker has ended is another process's now, of which the kernel says nothing here.
        guard let identity = try settledIdentity(of: connection) else {
            throw KeychainError(.missingEntitlement, .unknownProgram)
        }
        return identity
    }

    private func settledIdentity(of connection: Connection) throws -> CallerIdentity? {
        do { return try callers.identity(of: connection) } catch { throw tryAgain(error) }
    }

    func reply(
        _ id: UInt32, _ tag: KeychainReply.Tag, _ output: inout SecretBuffer,
        _ body: (inout SecretBuffer) throws -> Void
    ) throws {
        let frame = try KeychainReply.begin(id: id, tag, in: &output)
        try body(&output)
        Frame.end(frame, in: &output)
    }
}

extension KeychainRequest.Opcode {
    fileprivate enum Topic { case device, owner, sessions, apps, keychains, securityKeys }

    fileprivate var topic: Topic {
        switch self {
        case .registerApp, .removeApp, .apps, .changeGrant, .groups, .purgeGroup, .changeAdvertising, .look: .apps
        case .openSession, .makeSessionKey, .unwrapSessionKey, .extendSession, .closeSession: .sessions
        case .setPasscode, .changePasscode, .removePasscode, .resetPasscode, .changeSettings, .setIdleLock, .stop,
            .ownerInput:
            .owner
        case .keychains, .createKeychain, .deleteKeychain, .chooseKeychain, .openKeychain, .closeKeychain,
            .changeKeychainPasscode:
            .keychains
        case .securityKeys, .enrolSecurityKey, .removeSecurityKey, .proveSecurityKey, .giveItemPassword, .countTry,
            .endTry:
            .securityKeys
        default: .device
        }
    }

    /// What the loop has to do before the answer to a request of this kind is sent, whatever it is.
    fileprivate var consequence: KeychainService.Consequence {
        switch self {
        // A reset destroys class keys, and what a shut keychain held is wiped as at a lock.
        case .lock, .resetPasscode, .closeKeychain, .deleteKeychain: .locked
        case .stop: .stop
        default: .none
        }
    }

    /// What is answered though the device's files do not stand under their names any more.
    fileprivate var worksOnReplacedFiles: Bool {
        switch self {
        case .identify, .identifiers, .status, .stop, .lock, .subscribe, .hold, .echo, .closeSession: true
        default: false
        }
    }

    /// Whether the owner has shown that they are there, where it was granted: by a passcode, a touch, a key typed into
    /// a screen of ours, or by saying when the device locks.
    ///
    /// What programs ask for by themselves is none of this, so that nothing they do keeps the device open.
    fileprivate var showsOwner: Bool {
        switch self {
        case .unlock, .setPasscode, .changePasscode, .removePasscode, .provePresence, .proveSecurityKey,
            .changeSettings, .setIdleLock, .createKeychain, .openKeychain, .changeKeychainPasscode, .ownerInput:
            true
        default: false
        }
    }
}
