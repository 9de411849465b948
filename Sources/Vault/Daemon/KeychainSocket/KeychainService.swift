import EnclaveWire
import KeychainStore
import Linux
import Protection
import Secrets
import Wire

/// Decodes a request, calls one method of an engine, encodes the answer.
///
/// The replies to *find* and *add* the store writes itself, behind the output: `KeychainStore.answerFind`, `answerAdd`.
///
/// No rule is decided here.
final class KeychainService {
    let device: DeviceOwner
    let callers: CallerIdentifier
    let appAdministration: AppAdministration
    let keychains: KeychainAdministration
    let fingers: FingerprintVerification
    var looks = IdentificationQueue()
    var tries = TryCounts()
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
        let consequence = try answerInOwnFrame(payload, on: connection, into: &output)
        // Who locks wipes what lies below itself. The frames between it and this one were those of earlier requests,
        // too, and have their words in the gaps.
        if consequence == .locked { Stack.wipe() }
        return consequence
    }

    /// Not a part of its caller's frame, which is not wiped.
    @inline(never)
    private func answerInOwnFrame(
        _ payload: RawSpan, on connection: Connection, into output: inout SecretBuffer
    ) throws -> Consequence {
        var header: KeychainRequest.Header?
        let request: KeychainRequest
        do {
            request = try KeychainRequest.decode(payload, header: &header)
        } catch let error as DecodingError { throw Closing.malformed("\(error)") }
        guard let header else { throw Closing.malformed("header") }
        let start = output.count
        var isAdmitted = false
        do {
            // A batch has looked when it began, and looks again before and behind its commit.
            if !header.opcode.worksOnReplacedFiles, !device.store.isInBatch { try device.refuseReplaced() }
            try admit(connection, to: header.opcode)
            isAdmitted = true
            try dispatch(request, Call(id: header.id, connection: connection), &output)
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
            // Who may not say it, or could not be looked at, has not said it.
            return isAdmitted ? header.opcode.consequence : .none
        }
    }

    /// Which request it is, and who has sent it.
    struct Call {
        let id: UInt32
        let connection: Connection
    }

    private func admit(_ connection: Connection, to opcode: KeychainRequest.Opcode) throws {
        switch opcode.audience {
        case .everybody: break
        case .owner: try admitOwner(connection)
        case .knownPrograms:
            guard !(try identity(of: connection).accessGroups.isEmpty) else {
                throw KeychainError(.missingEntitlement, .unknownProgram)
            }
        }
    }

    /// One line for each request, and one function where a line is not enough.
    private func dispatch(_ request: consuming KeychainRequest, _ call: Call, _ output: inout SecretBuffer) throws {
        let connection = call.connection
        switch consume request {
        case .identify: return try identify(call.id, connection, &output)
        case .identifiers: return try replyIdentifiers(call, &output)
        case .status: return try reply(call.id, .status, &output) { try device.status().encode(into: &$0) }
        case .find(let query): return try find(query, call, &output)
        case .add(let item): return try add(item, call, &output)
        case .echo(let payload): return try reply(call.id, .echo, &output) { try $0.field(payload.bytes) }
        case .useKey(let use): return try useKey(use, call, &output)
        case .biometry: return try reply(call.id, .biometry, &output) { try fingers.report().encode(into: &$0) }
        case .proveBiometry(let claim): return try askForFinger(claim, call)
        case .subscribe: return try subscribe(call, &output)
        case .hold: return try hold(call, &output)
        case .openSession(let offer): return try openSession(offer, call, &output)
        case .makeSessionKey(let session): return try makeSessionKey(session, call, &output)
        case .unwrapSessionKey(let wrap): return try unwrapSessionKey(wrap, call, &output)
        case .apps(let after): return try replyApps(after: after, call, &output)
        case .groups: return try reply(call.id, .groups, &output) { try appAdministration.groups().encode(into: &$0) }
        case .look(let row): return try look(after: row, call, &output)
        case .findNames(let query): return try findNames(query, call, &output)
        case .keychains: return try reply(call.id, .keychains, &output) { try keychains.report().encode(into: &$0) }
        case .securityKeys: return try replySecurityKeys(call, &output)
        case .countTry(let name, let known): return try countTry(name, known: known, call, &output)
        case .endTry(let name, let isRight): return try endTry(name, isRight: isRight, call, &output)
        case .ofTrash(let request): return try answer(request, call, &output)
        case .update(let change): try update(change, connection)
        case .remove(let query): try remove(query, connection)
        case .provePresence(let claim): try prove(PasscodeProof(claim, over: connection.id), connection)
        case .lock: try lock()
        case .stop: break
        case .unlock(let passcode): try device.perform(.unlock(EnclaveSecret(passcode.takeBytes())), isDecision: false)
        case .extendSession(let session, let lifetime): try extend(session, to: lifetime, connection)
        case .closeSession(let session): try device.sessions.close(session, owner: connection.id)
        case .registerApp(let registration): try appAdministration.register(registration)
        case .removeApp(let removal): try appAdministration.remove(removal)
        case .changeGrant(let change): try appAdministration.change(change)
        case .purgeGroup(let purge): try appAdministration.purge(purge)
        case .changeAdvertising(let change): try changeAdvertising(change)
        case .createKeychain(let creation): try keychains.create(creation)
        case .deleteKeychain(let deletion): try keychains.delete(deletion)
        case .chooseKeychain(let name): try keychains.choose(name)
        case .openKeychain(let opening): try keychains.open(opening)
        case .closeKeychain(let name): try keychains.close(name)
        case .changeKeychainPasscode(let change): try keychains.changePasscode(change)
        case .enrolSecurityKey(let enrolment): try SecurityKeyAdministration(device: device).enrol(enrolment)
        case .removeSecurityKey(let removal): try SecurityKeyAdministration(device: device).remove(removal)
        case .proveSecurityKey(let claim): try proveSecurityKey(claim, connection)
        case .giveItemPassword(let password): try give(OwnPassword(password, over: connection.id), connection)
        case .setIdleLock(let time): try device.setIdleLock(after: time)
        case .ownerInput: break
        case .setPasscode(let new): try device.perform(.setPasscode(EnclaveSecret(new.takeBytes())))
        case .changePasscode(let change): try device.perform(.changePasscode(PasscodeReplacement(change)))
        case .removePasscode(let current): try device.perform(.removePasscode(EnclaveSecret(current.takeBytes())))
        case .resetPasscode: try device.perform(.reset)
        case .changeSettings(let change): try device.perform(.changeSettings(SettingsChange(change)))
        }
        try KeychainReply.appendDone(id: call.id, to: &output)
    }

    func admitOwner(_ connection: Connection) throws {
        guard let identity = try settledIdentity(of: connection) else { throw AppAdministration.notOwner }
        try appAdministration.admit(identity)
    }

    /// Runs a call for who made the connection; a group that is refused them is noted, for the owner to decide.
    func withCaller(
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
        StreamFrame.end(frame, in: &output)
    }
}

// What programs ask for: items, keys, sessions, and who is there.
extension KeychainService {
    func find(_ query: KeychainQuery, _ call: Call, _ output: inout SecretBuffer) throws {
        try withCaller(call.connection, query.attributes) {
            try device.store.answerFind(query, id: call.id, caller: $0, into: &output)
        }
    }

    func add(_ item: borrowing ItemAddition, _ call: Call, _ output: inout SecretBuffer) throws {
        try withCaller(call.connection, item.attributes) {
            try device.store.answerAdd(item, id: call.id, caller: $0, into: &output)
        }
    }

    func update(_ update: borrowing ItemUpdate, _ connection: Connection) throws {
        try withCaller(connection, update.query.attributes) { try device.store.update(update, caller: $0) }
    }

    func remove(_ query: KeychainQuery, _ connection: Connection) throws {
        try withCaller(connection, query.attributes) { try device.store.remove(query, caller: $0) }
    }

    func useKey(_ use: KeyUse, _ call: Call, _ output: inout SecretBuffer) throws {
        try withCaller(call.connection, Attributes()) { caller in
            let result = try device.store.use(use, caller: caller)
            try reply(call.id, .keyResult, &output) { try $0.field(result) }
        }
    }

    func askForFinger(_ claim: BiometryClaim, _ call: Call) throws {
        call.connection.isKnownToEnclave = true
        try fingers.begin(claim, id: call.id, over: call.connection)
    }

    func prove(_ proof: consuming PasscodeProof, _ connection: Connection) throws {
        connection.isKnownToEnclave = true
        try device.provePresence(proof)
    }

    func proveSecurityKey(_ claim: borrowing SecurityKeyClaim, _ connection: Connection) throws {
        connection.isKnownToEnclave = true
        try SecurityKeyAdministration(device: device).prove(claim, over: connection.id)
    }

    func give(_ password: consuming OwnPassword, _ connection: Connection) throws {
        defer { Stack.wipe() }
        noteGiving(connection)
        try device.send(.giveItemPassword(password))
    }

    func replyIdentifiers(_ call: Call, _ output: inout SecretBuffer) throws {
        let connection = call.connection
        let report = try appAdministration.identifiers(of: identity(of: connection), callers.settled(connection))
        try reply(call.id, .identifiers, &output) { try report.encode(into: &$0) }
    }

    func replySecurityKeys(_ call: Call, _ output: inout SecretBuffer) throws {
        let report = try SecurityKeyAdministration(device: device).report()
        try reply(call.id, .securityKeys, &output) { try report.encode(into: &$0) }
    }

    // MARK: the lock state

    func subscribe(_ call: Call, _ output: inout SecretBuffer) throws {
        call.connection.isSubscribed = true
        try reply(call.id, .lockState, &output) { try $0.uint8(device.lockState.rawValue) }
    }

    func hold(_ call: Call, _ output: inout SecretBuffer) throws {
        call.connection.isHolder = true
        try subscribe(call, &output)
    }

    // MARK: sessions

    func openSession(_ offer: borrowing SessionOffer, _ call: Call, _ output: inout SecretBuffer) throws {
        let session = try device.sessions.open(
            offer.key, lifetime: offer.lifetime, owner: call.connection.id, state: device.lockState)
        try reply(call.id, .session, &output) { try $0.uint64(session) }
    }

    func makeSessionKey(_ session: UInt64, _ call: Call, _ output: inout SecretBuffer) throws {
        let key = try device.sessions.makeKey(session, owner: call.connection.id)
        try reply(call.id, .sessionKey, &output) { try key.encode(into: &$0) }
    }

    func unwrapSessionKey(_ wrap: SessionKeyWrap, _ call: Call, _ output: inout SecretBuffer) throws {
        let key = try device.sessions.unwrap(wrap, owner: call.connection.id)
        try reply(call.id, .sessionKey, &output) { try key.encode(into: &$0) }
    }

    func extend(_ session: UInt64, to lifetime: Duration, _ connection: Connection) throws {
        try device.sessions.extend(session, lifetime: lifetime, owner: connection.id)
    }

    // MARK: tries

    func countTry(_ name: TryName, known: UInt32, _ call: Call, _ output: inout SecretBuffer) throws {
        let group = try countingGroup(call.connection)
        let report = try tries.count(name, of: group.name, isOurs: group.isOurs, known: known, at: device.clock())
        try reply(call.id, .tries, &output) { try report.encode(into: &$0) }
    }

    func endTry(_ name: TryName, isRight: Bool, _ call: Call, _ output: inout SecretBuffer) throws {
        let group = try countingGroup(call.connection)
        let report = tries.end(name, of: group.name, isRight: isRight, at: device.clock())
        try reply(call.id, .tries, &output) { try report.encode(into: &$0) }
    }
}
