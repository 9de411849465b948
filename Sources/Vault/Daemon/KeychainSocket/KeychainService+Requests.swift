import EnclaveWire
import KeychainStore
import Linux
import Protection
import Secrets
import Wire

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
