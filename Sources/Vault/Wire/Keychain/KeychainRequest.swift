import Protection
package import Secrets

/// What programs ask of tresord over its keychain socket.
///
/// Who may ask for what is tresord's to say: `RequestTraits` in Daemon.
///
/// See specs/wire.md.
package enum KeychainRequest: ~Copyable {
    case status
    case lock
    case unlock(CarriedSecret)
    case setPasscode(CarriedSecret)
    case changePasscode(PasscodeChange)
    case removePasscode(CarriedSecret)
    case resetPasscode
    case changeSettings(SecuritySettingsChange)
    case setIdleLock(after: Duration)
    case add(ItemAddition)
    case find(KeychainQuery)
    case update(ItemUpdate)
    case remove(KeychainQuery)
    case provePresence(PresenceClaim)
    /// From now on, every change of the lock state is told.
    case subscribe
    /// The same bytes back: what the socket alone costs.
    case echo(CarriedSecret)
    /// End the daemon.
    case stop
    /// Keep a key in memory until it expires, the device locks or this connection ends; it wraps and unwraps, and is
    /// never given back.
    case openSession(SessionOffer)
    /// A fresh key, and the same under the session's.
    case makeSessionKey(session: UInt64)
    case unwrapSessionKey(SessionKeyWrap)
    case extendSession(session: UInt64, lifetime: Duration)
    case closeSession(session: UInt64)
    /// This connection's program holds keys or plaintext: a lock waits until the connection ends, and they with it.
    case hold
    /// Who the daemon takes this program for; said before the program hides from others.
    case identify
    /// Registers an app, or a newer version of it.
    case registerApp(AppRegistration)
    case removeApp(AppRemoval)
    /// The registered apps behind this one, by application identifier; the first page begins behind "".
    case apps(after: String)
    case changeGrant(GrantChange)
    /// The access groups of all items.
    case groups
    /// Removes every item of a group.
    case purgeGroup(GroupPurge)
    /// The identifiers that this program is given.
    case identifiers
    case changeAdvertising(AdvertisingChange)
    /// Waits for the owner's finger, for one operation on one item; answered when it came, or did not.
    case proveBiometry(BiometryClaim)
    /// What can be said of fingers before one is asked for.
    case biometry
    /// The keychains.
    case keychains
    case createKeychain(KeychainCreation)
    case deleteKeychain(KeychainDeletion)
    /// From now on new items lie in this keychain where nothing else is said.
    case chooseKeychain(name: String)
    case openKeychain(KeychainOpening)
    case closeKeychain(name: String)
    case changeKeychainPasscode(KeychainRekeying)
    /// Signs, or agrees on a secret, with a private key of the enclave's.
    case useKey(KeyUse)
    /// The security keys that count as the owner.
    case securityKeys
    case enrolSecurityKey(SecurityKeyEnrolment)
    case removeSecurityKey(SecurityKeyRemoval)
    /// A security key gave its secret, for one operation on one item.
    case proveSecurityKey(SecurityKeyClaim)
    /// An item's own password, for the next request that wants it.
    case giveItemPassword(ItemPassword)
    /// The owner has typed into a screen of ours, which puts the idle lock off; `tresor` alone may say this.
    case ownerInput
    /// Counts a try of a password that the caller checks itself, or says how long to wait.
    ///
    /// `known` is what the caller has kept of the count; the higher of the two holds.
    case countTry(TryName, known: UInt32)
    /// How the try went that was counted.
    case endTry(TryName, isRight: Bool)
    /// Opens every item behind a row, for as long as nobody else is kept waiting by it; 0 begins.
    case look(after: UInt64)
    case ofTrash(TrashRequest)
    /// Items of which a name begins so, for a shell that completes a word.
    case findNames(NameQuery)

    /// What is asked, as the byte before its fields; the numbers are those of specs/wire.md and stay.
    package enum Opcode: UInt8, CaseIterable, Sendable {
        case status = 1
        case lock, unlock, setPasscode, changePasscode, removePasscode, resetPasscode, changeSettings, setIdleLock
        case add, find, update, remove, provePresence, subscribe, echo, stop
        case openSession, makeSessionKey, unwrapSessionKey, extendSession, closeSession, hold
        case identify, registerApp, removeApp, apps, changeGrant, groups, purgeGroup
        case identifiers, changeAdvertising, proveBiometry, biometry
        case keychains, createKeychain, deleteKeychain, chooseKeychain, openKeychain, closeKeychain
        case changeKeychainPasscode, useKey
        case securityKeys, enrolSecurityKey, removeSecurityKey, proveSecurityKey, giveItemPassword
        case ownerInput, countTry, endTry, look
        case trash, trashed, restore, emptyTrash, trashTime
        case findNames
    }

    /// The number before the fields.
    package static let version: UInt8 = 1

    /// What stands before a request's fields.
    package struct Header: Equatable, Sendable {
        /// The request's number, which its reply repeats; the client's to choose, and not 0.
        package var id: UInt32
        /// What is asked.
        package var opcode: Opcode
    }

    /// The number of a request that adds an item; nil of any other, and of what is none.
    package static func addition(_ payload: RawSpan) -> UInt32? {
        var reader = ByteReader(payload)
        guard (try? reader.uint8()) == version, let id = try? reader.uint32(), id != 0,
            (try? reader.uint8()) == Opcode.add.rawValue
        else { return nil }
        return id
    }

    /// Reads one frame's payload; refuses what is unknown, too long or trailing.
    package static func decode(_ payload: RawSpan, header: inout Header?) throws -> KeychainRequest {
        var reader = ByteReader(payload)
        guard try reader.uint8() == version else { throw DecodingError.invalid }
        let id = try reader.uint32()
        // 0 marks events.
        guard id != 0 else { throw DecodingError.invalid }
        guard let opcode = Opcode(rawValue: try reader.uint8()) else { throw DecodingError.invalid }
        header = Header(id: id, opcode: opcode)
        let request = try decode(opcode, &reader)
        try reader.end()
        return request
    }

    private static func decode(_ opcode: Opcode, _ reader: inout ByteReader) throws -> KeychainRequest {
        switch opcode {
        case .status: .status
        case .lock: .lock
        case .unlock: .unlock(CarriedSecret(try reader.secretField(limit: WireLimits.passcode)))
        case .setPasscode: .setPasscode(CarriedSecret(try reader.secretField(limit: WireLimits.passcode)))
        case .changePasscode: .changePasscode(try PasscodeChange(from: &reader))
        case .removePasscode: .removePasscode(CarriedSecret(try reader.secretField(limit: WireLimits.passcode)))
        case .resetPasscode: .resetPasscode
        case .changeSettings: .changeSettings(try SecuritySettingsChange(from: &reader))
        case .setIdleLock: .setIdleLock(after: .seconds(try reader.uint32()))
        case .add: .add(try ItemAddition(from: &reader))
        case .find: .find(try KeychainQuery(from: &reader))
        case .update: .update(try ItemUpdate(from: &reader))
        case .remove: .remove(try KeychainQuery(from: &reader))
        case .provePresence: .provePresence(try PresenceClaim(from: &reader))
        case .subscribe: .subscribe
        case .echo: .echo(CarriedSecret(try reader.secretField(limit: StreamFrame.keychainLimit)))
        case .stop: .stop
        case .openSession: .openSession(try SessionOffer(from: &reader))
        case .makeSessionKey: .makeSessionKey(session: try reader.uint64())
        case .unwrapSessionKey: .unwrapSessionKey(try SessionKeyWrap(from: &reader))
        case .extendSession: .extendSession(session: try reader.uint64(), lifetime: .milliseconds(try reader.uint32()))
        case .closeSession: .closeSession(session: try reader.uint64())
        case .hold: .hold
        case .identify: .identify
        case .registerApp: .registerApp(try AppRegistration(from: &reader))
        case .removeApp: .removeApp(try AppRemoval(from: &reader))
        case .apps: .apps(after: try reader.stringField(limit: WireLimits.programName))
        case .changeGrant: .changeGrant(try GrantChange(from: &reader))
        case .groups: .groups
        case .look: .look(after: try reader.uint64())
        case .findNames: .findNames(try NameQuery(from: &reader))
        case .purgeGroup: .purgeGroup(try GroupPurge(from: &reader))
        case .identifiers: .identifiers
        case .changeAdvertising: .changeAdvertising(try AdvertisingChange(from: &reader))
        case .proveBiometry: .proveBiometry(try BiometryClaim(from: &reader))
        case .biometry: .biometry
        case .keychains: .keychains
        case .createKeychain: .createKeychain(try KeychainCreation(from: &reader))
        case .deleteKeychain: .deleteKeychain(try KeychainDeletion(from: &reader))
        case .chooseKeychain: .chooseKeychain(name: try reader.stringField(limit: KeychainName.longest))
        case .openKeychain: .openKeychain(try KeychainOpening(from: &reader))
        case .closeKeychain: .closeKeychain(name: try reader.stringField(limit: KeychainName.longest))
        case .changeKeychainPasscode: .changeKeychainPasscode(try KeychainRekeying(from: &reader))
        case .useKey: .useKey(try KeyUse(from: &reader))
        case .securityKeys: .securityKeys
        case .enrolSecurityKey: .enrolSecurityKey(try SecurityKeyEnrolment(from: &reader))
        case .removeSecurityKey: .removeSecurityKey(try SecurityKeyRemoval(from: &reader))
        case .proveSecurityKey: .proveSecurityKey(try SecurityKeyClaim(from: &reader))
        case .giveItemPassword: .giveItemPassword(try ItemPassword(from: &reader))
        case .ownerInput: .ownerInput
        case .countTry: .countTry(try TryName(from: &reader), known: try reader.uint32())
        case .endTry: .endTry(try TryName(from: &reader), isRight: try reader.bool())
        case .trash: .ofTrash(.put(try KeychainQuery(from: &reader)))
        case .trashed: .ofTrash(.contents(after: try reader.uint64()))
        case .restore: .ofTrash(.restore(try PersistentReference(from: &reader)))
        case .emptyTrash: .ofTrash(.empty)
        case .trashTime: .ofTrash(.time(days: try reader.bool() ? try reader.uint32() : nil))
        }
    }

    /// Appends one whole frame.
    package borrowing func encode(id: UInt32, into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        let start = try StreamFrame.begin(in: &buffer)
        try buffer.uint8(Self.version)
        try buffer.uint32(id)
        try encodeFields(into: &buffer)
        StreamFrame.end(start, in: &buffer)
    }

    private borrowing func encodeFields(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint8(opcode.rawValue)
        switch self {
        case .status: break
        case .lock: break
        case .resetPasscode: break
        case .subscribe: break
        case .stop: break
        case .hold: break
        case .identify: break
        case .groups: break
        case .identifiers: break
        case .biometry: break
        case .keychains: break
        case .securityKeys: break
        case .ownerInput: break
        case .unlock(let passcode): try buffer.field(passcode.bytes)
        case .setPasscode(let new): try buffer.field(new.bytes)
        case .changePasscode(let change): try change.encode(into: &buffer)
        case .removePasscode(let current): try buffer.field(current.bytes)
        case .changeSettings(let change): try change.encode(into: &buffer)
        case .setIdleLock(let time): try buffer.uint32(UInt32(clamping: time.components.seconds))
        case .add(let addition): try addition.encode(into: &buffer)
        case .find(let query): try query.encode(into: &buffer)
        case .update(let update): try update.encode(into: &buffer)
        case .remove(let query): try query.encode(into: &buffer)
        case .provePresence(let claim): try claim.encode(into: &buffer)
        case .echo(let payload): try buffer.field(payload.bytes)
        case .openSession(let offer): try offer.encode(into: &buffer)
        case .makeSessionKey(let session): try buffer.uint64(session)
        case .unwrapSessionKey(let wrap): try wrap.encode(into: &buffer)
        case .extendSession(let session, let lifetime): try buffer.extended(session, lifetime)
        case .closeSession(let session): try buffer.uint64(session)
        case .registerApp(let registration): try registration.encode(into: &buffer)
        case .removeApp(let removal): try removal.encode(into: &buffer)
        case .apps(let after): try buffer.field(Array(after.utf8))
        case .changeGrant(let change): try change.encode(into: &buffer)
        case .purgeGroup(let purge): try purge.encode(into: &buffer)
        case .changeAdvertising(let change): try change.encode(into: &buffer)
        case .proveBiometry(let claim): try claim.encode(into: &buffer)
        case .createKeychain(let creation): try creation.encode(into: &buffer)
        case .deleteKeychain(let deletion): try deletion.encode(into: &buffer)
        case .chooseKeychain(let name): try buffer.field(Array(name.utf8))
        case .openKeychain(let opening): try opening.encode(into: &buffer)
        case .closeKeychain(let name): try buffer.field(Array(name.utf8))
        case .changeKeychainPasscode(let change): try change.encode(into: &buffer)
        case .useKey(let use): try use.encode(into: &buffer)
        case .enrolSecurityKey(let enrolment): try enrolment.encode(into: &buffer)
        case .removeSecurityKey(let removal): try removal.encode(into: &buffer)
        case .proveSecurityKey(let claim): try claim.encode(into: &buffer)
        case .giveItemPassword(let password): try password.encode(into: &buffer)
        case .countTry(let name, let known): try buffer.counted(name, known: known)
        case .endTry(let name, let isRight): try buffer.ended(name, isRight: isRight)
        case .look(let row): try buffer.uint64(row)
        case .findNames(let query): try query.encode(into: &buffer)
        case .ofTrash(let request): try request.encode(into: &buffer)
        }
    }

    /// What it asks for, without the fields.
    private var opcode: Opcode {
        switch self {
        case .status: .status
        case .lock: .lock
        case .unlock: .unlock
        case .setPasscode: .setPasscode
        case .changePasscode: .changePasscode
        case .removePasscode: .removePasscode
        case .resetPasscode: .resetPasscode
        case .changeSettings: .changeSettings
        case .setIdleLock: .setIdleLock
        case .add: .add
        case .find: .find
        case .update: .update
        case .remove: .remove
        case .provePresence: .provePresence
        case .subscribe: .subscribe
        case .echo: .echo
        case .stop: .stop
        case .openSession: .openSession
        case .makeSessionKey: .makeSessionKey
        case .unwrapSessionKey: .unwrapSessionKey
        case .extendSession: .extendSession
        case .closeSession: .closeSession
        case .hold: .hold
        case .identify: .identify
        case .registerApp: .registerApp
        case .removeApp: .removeApp
        case .apps: .apps
        case .changeGrant: .changeGrant
        case .groups: .groups
        case .purgeGroup: .purgeGroup
        case .identifiers: .identifiers
        case .changeAdvertising: .changeAdvertising
        case .proveBiometry: .proveBiometry
        case .biometry: .biometry
        case .keychains: .keychains
        case .createKeychain: .createKeychain
        case .deleteKeychain: .deleteKeychain
        case .chooseKeychain: .chooseKeychain
        case .openKeychain: .openKeychain
        case .closeKeychain: .closeKeychain
        case .changeKeychainPasscode: .changeKeychainPasscode
        case .useKey: .useKey
        case .securityKeys: .securityKeys
        case .enrolSecurityKey: .enrolSecurityKey
        case .removeSecurityKey: .removeSecurityKey
        case .proveSecurityKey: .proveSecurityKey
        case .giveItemPassword: .giveItemPassword
        case .ownerInput: .ownerInput
        case .countTry: .countTry
        case .endTry: .endTry
        case .look: .look
        case .findNames: .findNames
        case .ofTrash(let request): request.opcode
        }
    }
}

extension SecretBuffer {
    fileprivate mutating func extended(_ session: UInt64, _ lifetime: Duration) throws(SecretMemoryError) {
        try uint64(session)
        try uint32(UInt32(clamping: lifetime.wholeMilliseconds))
    }

    fileprivate mutating func counted(_ name: TryName, known: UInt32) throws(SecretMemoryError) {
        try name.encode(into: &self)
        try uint32(known)
    }

    fileprivate mutating func ended(_ name: TryName, isRight: Bool) throws(SecretMemoryError) {
        try name.encode(into: &self)
        try bool(isRight)
    }
}
