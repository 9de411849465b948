package import EnclaveWire
package import Linux
import Protection
import Secrets

extension SecurityModule where Clock: ~Copyable {
    /// Answers one request.
    ///
    /// Nothing it is asked can make it fail in another way than by refusing.
    package mutating func handle(_ request: consuming EnclaveRequest) -> EnclaveReply {
        do {
            return try answer(request)
        } catch { return .refused(error) }
    }

    private mutating func answer(_ request: consuming EnclaveRequest) throws(EnclaveRefusal) -> EnclaveReply {
        switch consume request {
        case .state: return .state(describe())
        case .unlock(let passcode): try unlock(passcode.bytes)
        case .lock: lock()
        case .setPasscode(let new): try setPasscode(new.bytes)
        case .changePasscode(let change): try changePasscode(change)
        case .removePasscode(let current): try removePasscode(current.bytes)
        case .reset: try reset()
        case .makeRowKey(let binding, let connection):
            let new = try items.makeRowKey(binding, for: connection, under: keys)
            items.usedPassword(binding, connection)
            return .newKey(new)
        case .openRowKey(let stored): return .key(EnclaveSecret(try items.openRowKey(stored, under: keys)))
        case .makeTableKey(let keychain, let protectionClass):
            return .newKey(try keys.makeTableKey(keychain, protectionClass))
        case .openTableKey(let stored): return .key(EnclaveSecret(try keys.openTableKey(stored)))
        case .makeIndexKey(let keychain, let protectionClass):
            return .newKey(try keys.makeIndexKey(keychain, protectionClass))
        case .openIndexKey(let stored): return .key(EnclaveSecret(try keys.openIndexKey(stored)))
        case .provePresence(let claim): try provePresence(claim)
        case .changeSettings(let change): try changeSettings(change)
        case .forgetDestroyed(let gone): try forgetDestroyed(gone)
        case .checkBiometry: try checkBiometry()
        case .biometryMatched(let match): try biometryMatched(match)
        case .biometryFailed: items.presence.fingerFailed()
        case .makeKeychainKey(let wanted): return .bytes(try makeKeychainKey(wanted))
        case .openKeychainKey(let given): if let record = try openKeychainKey(given) { return .bytes(record) }
        case .closeKeychainKey(let id): items.keychains.close(id)
        case .changeKeychainPasscode(let change): return .bytes(try changeKeychainPasscode(change))
        case .forgetKeychainKey(let id): items.keychains.forget(id)
        case .giveItemPassword(let password): try giveItemPassword(password)
        case .forgetConnection(let connection): items.forget(connection)
        case .openKeychains: return .identifiers(items.keychains.open)
        case .makePrivateKey(let binding, let connection):
            let new = try items.makePrivateKey(binding, for: connection, under: keys)
            items.usedPassword(binding, connection)
            return .newPrivateKey(new)
        case .usePrivateKey(let use): return try items.usePrivateKey(use, under: keys)
        case .enrolPresenceKey(let enrolment): return .bytes(try enrolPresenceKey(enrolment))
        case .provePresenceKey(let claim): try provePresenceKey(claim)
        case .promises: return .bytes([keys.keybag.promises.rawValue])
        case .keepPromises(let promises): try keepPromises(promises)
        case .witnessStore(let store): return .bytes(keys.witness(in: store))
        case .checkStore(let record): try keys.check(record)
        case .copies: return .bytes([UInt8(copies.rawValue >> 8), UInt8(copies.rawValue & 0xff)])
        }
        return .done
    }

    private mutating func describe() -> EnclaveState {
        let keybag = keys.keybag
        let delay = keybag.passcode == nil ? Duration.zero : tries.remainingDelay(at: clock.milliseconds())
        return EnclaveState(
            lock: lockState, hasPasscode: keybag.passcode != nil, keybag: keybag.id, generation: keys.generation,
            failures: tries.failures, delay: delay, settings: keybag.settings,
            logRounds: keybag.passcode?.logRounds ?? 0,
            timePerTry: keybag.passcode?.timePerTry ?? .zero,
            memory: EnclaveState.Memory(LockedMemory.kind), landlock: landlock, destroyed: keybag.destroyed)
    }

    /// Serves one socket until its other end goes away.
    package mutating func serve(_ socket: borrowing FileDescriptor) throws {
        let room = StreamFrame.enclaveLimit + StreamFrame.headerByteCount
        var input = try SecretBuffer(capacity: room)
        var output = try SecretBuffer(capacity: 2048)
        while case .moved = try socket.read(into: &input.storage, room: room - input.count) {
            while let end = try StreamFrame.byteCount(of: input.bytes, limit: StreamFrame.enclaveLimit),
                input.count >= end
            {
                output.removeAll()
                try reply(to: input.bytes.extracting(StreamFrame.headerByteCount..<end), into: &output)
                input.removeFirst(end)
                guard try socket.writeAll(output.bytes), !mustEnd else { return }
            }
        }
    }

    private mutating func reply(to payload: RawSpan, into output: inout SecretBuffer) throws(SecretMemoryError) {
        let reply: EnclaveReply
        var wipes = false
        do {
            let request = try EnclaveRequest.decode(payload)
            wipes = request.wipesWholeStack
            reply = handle(request)
        } catch is SecretMemoryError { reply = .refused(.outOfMemory) } catch { reply = .refused(.badRequest) }
        try reply.encode(into: &output)
        if wipes { Stack.wipe() } else { Stack.wipeShallow() }
    }
}

extension EnclaveState.Memory {
    fileprivate init(_ kind: LockedMemory.Kind?) {
        switch kind {
        case nil: self = .untouched
        case .secret: self = .secret
        case .locked: self = .locked
        }
    }
}
