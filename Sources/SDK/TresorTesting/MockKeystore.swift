import EnclaveWire
import KeychainStore
import KeyEnvelopes
import Protection
import Secrets
import Wire

/// Class keys in memory, under the hand of a test: every class can be opened and shut, and the next answers can be made
/// to fail.
///
/// The cryptography is the real one; only who holds the class keys is not.
final class MockKeystore: Keystore {
    private var keys: [ProtectionClass: OpenKey] = [:]
    private(set) var destroyed: [Identifier] = []
    var lockState = LockState.unlocked
    private(set) var hasPasscode = false
    private var passcode: SecretBytes?
    /// Refused, whatever the lock state says.
    var shutClasses: Set<ProtectionClass> = []
    /// The next openings of row keys fail with these, in order.
    var nextFailures: [EnclaveRefusal] = []
    private var verdicts: [(connection: UInt64, item: Identifier, operation: ProtectedOperation)] = []

    private var given: [Given] = []

    private final class OpenKey {
        let id: Identifier
        let bytes: SecretBytes

        init() throws(EnvelopeError) {
            id = .makeRandom()
            bytes = try KeyEnvelope.makeKey()
        }

        init(id: Identifier, _ bytes: consuming SecretBytes) {
            self.id = id
            self.bytes = bytes
        }
    }

    private final class Given {
        let bytes: SecretBytes
        let connection: UInt64
        let item: Identifier

        init(_ bytes: consuming SecretBytes, connection: UInt64, item: Identifier) {
            self.bytes = bytes
            self.connection = connection
            self.item = item
        }
    }

    init() throws {
        for protectionClass in ProtectionClass.allCases where !protectionClass.needsPasscode {
            keys[protectionClass] = try OpenKey()
        }
    }

    func setPasscode(_ new: borrowing SecretBytes) throws {
        passcode = try new.copy()
        hasPasscode = true
        if keys[.whenPasscodeSetThisDeviceOnly] == nil { keys[.whenPasscodeSetThisDeviceOnly] = try OpenKey() }
    }

    func isRight(_ given: borrowing SecretBytes) -> Bool {
        switch passcode {
        case .some(let passcode): passcode.equals(given)
        case .none: false
        }
    }

    func removePasscode() {
        passcode = nil
        hasPasscode = false
        lockState = .unlocked
        destroy([.whenPasscodeSetThisDeviceOnly])
    }

    /// As after a forgotten passcode: what needed it is destroyed.
    func reset() throws {
        destroy(ProtectionClass.allCases.filter { $0.availability != .always })
        passcode = nil
        hasPasscode = false
        lockState = .unlocked
        for protectionClass in ProtectionClass.allCases
        where !protectionClass.needsPasscode && keys[protectionClass] == nil {
            keys[protectionClass] = try OpenKey()
        }
    }

    /// As after ten wrong passcodes, where the owner asked for it: no key is left.
    func erase() throws {
        destroy(ProtectionClass.allCases)
        try reset()
    }

    private func destroy(_ classes: [ProtectionClass]) {
        for protectionClass in classes {
            if let key = keys.removeValue(forKey: protectionClass) { destroyed.append(key.id) }
        }
    }

    func forgetDestroyed() { destroyed.removeAll() }

    func grant(connection: UInt64, item: Identifier, operation: ProtectedOperation) {
        verdicts.append((connection: connection, item: item, operation: operation))
    }

    func makePrivateKey(binding: [UInt8], connection: UInt64) throws(EnclaveRefusal) -> NewPrivateKey {
        let binding = try decode(binding)
        guard binding.isOfPrivateKey else { throw .badRequest }
        let key = try with(binding, try open(binding.protectionClass), connection)
        do {
            let pair = try ResidentKey.makeRandom()
            let wrapped = try KeyEnvelope.wrap(
                pair.scalar, under: key.bytes, as: .privateKey(classKey: key.id, binding: binding))
            return NewPrivateKey(publicKey: pair.publicKey, classKey: key.id, wrapped: wrapped.bytes)
        } catch { throw .outOfMemory }
    }

    func usePrivateKey(_ use: PrivateKeyUse) throws(EnclaveRefusal) -> SecretBytes {
        let binding = try decode(use.stored.binding)
        // Before a verdict is spent on it, as the enclave does.
        guard binding.isOfPrivateKey, use.hasFitInput else { throw .badRequest }
        let plain = try open(binding.protectionClass, named: use.stored.classKey)
        let key = try with(binding, plain, use.stored.connection)
        let scalar = try openUnder(key, use.stored, binding, .privateKey(classKey: key.id, binding: binding))
        try check(use.stored, binding)
        forget(use.stored.connection, binding.item)
        do {
            switch use.work {
            case .agree:
                guard let secret = try ResidentKey.agree(with: use.input, scalar: scalar) else { break }
                return secret
            case .sign:
                guard let signature = ResidentKey.sign(use.input, with: scalar) else { break }
                return try signature.withSpan { try SecretBytes(copying: $0) }
            }
        } catch { throw .outOfMemory }
        throw .badRequest
    }

    func makeRowKey(binding: [UInt8], connection: UInt64) throws(EnclaveRefusal) -> NewKey {
        let binding = try decode(binding)
        guard !binding.isOfPrivateKey else { throw .badRequest }
        // Nobody can make such a keychain here.
        guard binding.keychainKey == nil else { throw .keychainLocked }
        let key = try with(binding, try open(binding.protectionClass), connection)
        let new = try make(key, .rowKey(classKey: key.id, binding: binding))
        given.removeAll { $0.connection == connection }
        return new
    }

    func makeRowKeys(bindings: [[UInt8]], take: (Int, consuming NewKey) -> Void) throws(EnclaveRefusal) {
        for (index, binding) in bindings.enumerated() { take(index, try makeRowKey(binding: binding, connection: 0)) }
    }

    func openRowKey(_ stored: StoredRowKey) throws(EnclaveRefusal) -> SecretBytes {
        if !nextFailures.isEmpty { throw nextFailures.removeFirst() }
        let binding = try decode(stored.binding)
        guard !binding.isOfPrivateKey else { throw .badRequest }
        let key = try with(binding, try open(binding.protectionClass, named: stored.classKey), stored.connection)
        let rowKey = try openUnder(key, stored, binding, .rowKey(classKey: key.id, binding: binding))
        try check(stored, binding)
        if stored.operation != .change { forget(stored.connection, binding.item) }
        return rowKey
    }

    /// An item's own password, as the enclave keeps it: until a key was opened or made by it.
    func give(_ password: borrowing SecretBytes, connection: UInt64, item: Identifier) throws {
        forget(connection, item)
        given.append(try Given(password.copy(), connection: connection, item: item))
    }

    private func forget(_ connection: UInt64, _ item: Identifier) {
        given.removeAll { $0.connection == connection && $0.item == item }
    }

    private func with(_ binding: RowKeyBinding, _ key: OpenKey, _ connection: UInt64) throws(EnclaveRefusal) -> OpenKey
    {
        guard binding.hasPassword else { return key }
        let next = Identifier(high: 0, low: 0)
        let password = given.last {
            $0.connection == connection && ($0.item == binding.item || $0.item == next)
        }
        guard let password else { throw .passwordRequired }
        do {
            let joined = try DeviceKeys.addPassword(
                password.bytes, binding.password, to: key.bytes, item: binding.item)
            return OpenKey(id: key.id, joined)
        } catch { throw .outOfMemory }
    }

    private func openUnder(
        _ key: OpenKey, _ stored: StoredRowKey, _ binding: RowKeyBinding, _ purpose: KeyPurpose
    ) throws(EnclaveRefusal) -> SecretBytes {
        do { return try unwrap(stored.wrapped, key, purpose) } catch {
            guard error == .notAuthentic, binding.hasPassword else { throw error }
            forget(stored.connection, binding.item)
            throw .wrongItemPassword
        }
    }

    private func check(_ stored: StoredRowKey, _ binding: RowKeyBinding) throws(EnclaveRefusal) {
        guard stored.accessGroups.contains(binding.accessGroup) else { throw .foreignGroup }
        let control = AccessControl(rawValue: binding.accessControl)
        guard control.presence != [] else { return }
        let verdict = verdicts.firstIndex {
            $0.connection == stored.connection && $0.item == binding.item && $0.operation == stored.operation
        }
        // The one proof that there is in a test's memory is a passcode.
        guard let verdict, control.isSatisfied(by: [.passcode], enrolment: []) else { throw .presenceRequired }
        verdicts.remove(at: verdict)
    }

    func makeTableKey(
        keychain: Identifier, _ protectionClass: ProtectionClass
    ) throws(EnclaveRefusal) -> NewKey {
        let key = try open(protectionClass)
        return try make(
            key, .tableKey(classKey: key.id, keychain: keychain, protectionClass: protectionClass))
    }

    func openTableKey(_ stored: StoredStoreKey) throws(EnclaveRefusal) -> SecretBytes {
        let key = try open(stored.protectionClass, named: stored.classKey)
        return try unwrap(
            stored.wrapped, key,
            .tableKey(classKey: key.id, keychain: stored.keychain, protectionClass: stored.protectionClass))
    }

    func makeIndexKey(
        keychain: Identifier, _ protectionClass: ProtectionClass
    ) throws(EnclaveRefusal) -> NewKey {
        let key = try open(protectionClass)
        return try make(key, .indexKey(classKey: key.id, keychain: keychain))
    }

    func openIndexKey(_ stored: StoredStoreKey) throws(EnclaveRefusal) -> SecretBytes {
        let key = try open(stored.protectionClass, named: stored.classKey)
        return try unwrap(stored.wrapped, key, .indexKey(classKey: key.id, keychain: stored.keychain))
    }

    private func decode(_ bytes: [UInt8]) throws(EnclaveRefusal) -> RowKeyBinding {
        do {
            return try bytes.withSpan { (span) throws(DecodingError) in
                var reader = ByteReader(span)
                return try RowKeyBinding(from: &reader)
            }
        } catch { throw .badRequest }
    }

    private func open(_ protectionClass: ProtectionClass) throws(EnclaveRefusal) -> OpenKey {
        guard let key = keys[protectionClass] else { throw .noPasscodeSet }
        guard lockState.permits(protectionClass), !shutClasses.contains(protectionClass) else { throw .locked }
        return key
    }

    private func open(
        _ protectionClass: ProtectionClass, named id: Identifier
    ) throws(EnclaveRefusal) -> OpenKey {
        guard keys[protectionClass]?.id == id else {
            throw destroyed.contains(id) ? .destroyed : .unknownClassKey
        }
        return try open(protectionClass)
    }

    private func make(_ key: OpenKey, _ purpose: KeyPurpose) throws(EnclaveRefusal) -> NewKey {
        do {
            let fresh = try KeyEnvelope.makeKey()
            let wrapped = try KeyEnvelope.wrap(fresh, under: key.bytes, as: purpose).bytes
            return NewKey(key: fresh, classKey: key.id, wrapped: wrapped)
        } catch { throw .outOfMemory }
    }

    private func unwrap(
        _ bytes: [UInt8], _ key: OpenKey, _ purpose: KeyPurpose
    ) throws(EnclaveRefusal) -> SecretBytes {
        guard let wrapped = WrappedKey(bytes) else { throw .notAuthentic }
        do { return try KeyEnvelope.unwrap(wrapped, under: key.bytes, as: purpose) } catch { throw .notAuthentic }
    }
}

extension PrivateKeyUse {
    fileprivate var hasFitInput: Bool {
        switch work {
        case .sign: ResidentKey.digestByteCounts.contains(input.count)
        case .agree: input.count == ResidentKey.publicKeyByteCount
        }
    }
}
