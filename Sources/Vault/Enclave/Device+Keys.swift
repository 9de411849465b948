import KeyEnvelopes
import Protection
import Secrets
import EnclaveWire

/// A proof of presence, good for one opening of one item's key over one connection.
struct Verdict: Equatable {
    let connection: UInt64
    let item: Identifier
    let operation: ProtectedOperation
    let proof: PresenceProof

    /// Whether it was given for this opening.
    func isFor(_ stored: StoredRowKey, _ binding: RowKeyBinding) -> Bool {
        connection == stored.connection && item == binding.item && operation == stored.operation
    }
}

extension Device where Clock: ~Copyable {
    static var verdictLimit: Int { 64 }

    /// - Parameter connection: over which the item's own password was given, where it has one.
    func makeRowKey(_ encoded: [UInt8], for connection: UInt64 = 0) throws(EnclaveRefusal) -> NewKey {
        let binding = try decode(encoded)
        guard !binding.isOfPrivateKey else { throw .badRequest }
        let classKey = try wrappingKey(
            of: binding, try openKey(binding.protectionClass), connection, isMaking: true)
        return try makeKey(under: classKey, as: .rowKey(classKey: classKey.id, binding: binding))
    }

    /// The class, the access control and the group are read from the binding, and believed because the key opens under
    /// it.
    mutating func openRowKey(_ stored: StoredRowKey) throws(EnclaveRefusal) -> SecretBytes {
        let binding = try decode(stored.binding)
        guard !binding.isOfPrivateKey else { throw .badRequest }
        return try open(stored, binding, as: { .rowKey(classKey: $0, binding: binding) })
    }

    /// Opens a key of an item, for whom its binding lets at it.
    private mutating func open(
        _ stored: StoredRowKey, _ binding: RowKeyBinding, as purpose: (Identifier) -> KeyPurpose
    ) throws(EnclaveRefusal) -> SecretBytes {
        let plain = try openKey(binding.protectionClass, named: stored.classKey)
        // Before scrypt is run for who is refused anyway.
        if binding.hasPassword { try refuseWithoutPresence(stored, binding) }
        let classKey = try wrappingKey(of: binding, plain, stored.connection)
        let key = try unwrap(stored, binding, under: classKey, as: purpose(classKey.id))
        guard stored.accessGroups.contains(binding.accessGroup) else { throw .foreignGroup }
        let control = AccessControl(rawValue: binding.accessControl)
        if control.presence != [] { try consumeVerdicts(for: stored, binding, control) }
        // Who changes the secret makes its key anew, by the same password.
        if binding.hasPassword && stored.operation != .change {
            passwords.remove(stored.connection, binding.item)
        }
        return key
    }

    private func refuseWithoutPresence(_ stored: StoredRowKey, _ binding: RowKeyBinding) throws(EnclaveRefusal) {
        let proofs = verdicts.filter { $0.isFor(stored, binding) }.map(\.proof)
        let control = AccessControl(rawValue: binding.accessControl)
        guard control.isSatisfied(by: proofs, enrolment: binding.enrolment) else { throw .presenceRequired }
    }

    /// A key that does not open under the item's own password: nobody can tell a wrong one from a changed row.
    private mutating func unwrap(
        _ stored: StoredRowKey, _ binding: RowKeyBinding, under classKey: OpenClassKey, as purpose: KeyPurpose
    ) throws(EnclaveRefusal) -> SecretBytes {
        do { return try unwrap(stored.wrapped, under: classKey, as: purpose) } catch {
            guard error == .notAuthentic, binding.hasPassword else { throw error }
            passwords.remove(stored.connection, binding.item)
            throw .wrongItemPassword
        }
    }

    /// The class's key; in a keychain with a passcode of its own, one that follows from both keys.
    private func wrappingKey(
        of binding: RowKeyBinding, _ classKey: OpenClassKey, _ connection: UInt64, isMaking: Bool = false
    ) throws(EnclaveRefusal) -> OpenClassKey {
        let joined = try joinedKey(of: binding, classKey)
        guard binding.hasPassword else { return joined }
        guard let given = passwords.find(connection, binding.item, forMaking: isMaking) else { throw .passwordRequired }
        do {
            let key = try DeviceKeys.addPassword(given.bytes, binding.password, to: joined.bytes, item: binding.item)
            return OpenClassKey(id: classKey.id, bytes: key)
        } catch { throw error == .malformed ? .badRequest : .outOfMemory }
    }

    private func joinedKey(of binding: RowKeyBinding, _ classKey: OpenClassKey) throws(EnclaveRefusal) -> OpenClassKey {
        guard let id = binding.keychainKey else { return classKey }
        guard let own = keychains[id] else { throw .keychainLocked }
        do {
            let joined = try DeviceKeys.joinKeys(classKey: classKey.bytes, keychainKey: own.bytes, id: id)
            return OpenClassKey(id: classKey.id, bytes: joined)
        } catch { throw .outOfMemory }
    }

    // MARK: Private keys that stay

    func makePrivateKey(
        _ encoded: [UInt8], for connection: UInt64 = 0
    ) throws(EnclaveRefusal) -> NewPrivateKey {
        let binding = try decode(encoded)
        guard binding.isOfPrivateKey, binding.protectionClass.isBoundToDevice else { throw .badRequest }
        let classKey = try wrappingKey(
            of: binding, try openKey(binding.protectionClass), connection, isMaking: true)
        do {
            let pair = try ResidentKey.makeRandom()
            let purpose = KeyPurpose.privateKey(classKey: classKey.id, binding: binding)
            let wrapped = try KeyEnvelope.wrap(pair.scalar, under: classKey.bytes, as: purpose)
            return NewPrivateKey(publicKey: pair.publicKey, classKey: classKey.id, wrapped: wrapped.bytes)
        } catch { throw .outOfMemory }
    }

    mutating func usePrivateKey(_ use: PrivateKeyUse) throws(EnclaveRefusal) -> EnclaveReply {
        let binding = try decode(use.stored.binding)
        guard binding.isOfPrivateKey, use.stored.operation == .use else { throw .badRequest }
        // Before a verdict is spent on it.
        guard use.isFit else { throw .badRequest }
        let scalar = try open(use.stored, binding, as: { .privateKey(classKey: $0, binding: binding) })
        switch use.work {
        case .sign:
            guard let signature = ResidentKey.sign(use.input, with: scalar) else { throw .badRequest }
            return .bytes(signature)
        case .agree:
            let secret: SecretBytes?
            do { secret = try ResidentKey.agree(with: use.input, scalar: scalar) } catch { throw .outOfMemory }
            guard let secret else { throw .badRequest }
            return .key(EnclaveSecret(secret))
        }
    }

    func makeTableKey(_ keychain: Identifier, _ protectionClass: ProtectionClass) throws(EnclaveRefusal) -> NewKey {
        let classKey = try openKey(protectionClass)
        return try makeKey(
            under: classKey,
            as: .tableKey(classKey: classKey.id, keychain: keychain, protectionClass: protectionClass))
    }

    func openTableKey(_ stored: StoredClassKeyWrap) throws(EnclaveRefusal) -> SecretBytes {
        let classKey = try openKey(stored.protectionClass, named: stored.classKey)
        let purpose = KeyPurpose.tableKey(
            classKey: classKey.id, keychain: stored.keychain, protectionClass: stored.protectionClass)
        return try unwrap(stored.wrapped, under: classKey, as: purpose)
    }

    func makeIndexKey(_ keychain: Identifier, _ protectionClass: ProtectionClass) throws(EnclaveRefusal) -> NewKey {
        let classKey = try openKey(protectionClass)
        return try makeKey(under: classKey, as: .indexKey(classKey: classKey.id, keychain: keychain))
    }

    func openIndexKey(_ stored: StoredClassKeyWrap) throws(EnclaveRefusal) -> SecretBytes {
        let classKey = try openKey(stored.protectionClass, named: stored.classKey)
        return try unwrap(
            stored.wrapped, under: classKey, as: .indexKey(classKey: classKey.id, keychain: stored.keychain))
    }

    mutating func provePresence(_ claim: borrowing PasscodeProof) throws(EnclaveRefusal) {
        guard lockState == .unlocked else { throw .locked }
        _ = try verify(claim.passcode)
        if claim.operation == .administer { return }
        keep(
            Verdict(connection: claim.connection, item: claim.item, operation: claim.operation, proof: .passcode))
    }

    /// Every verdict for this opening is spent by it, needed or not; where they do not suffice, none is.
    private mutating func consumeVerdicts(
        for stored: StoredRowKey, _ binding: RowKeyBinding, _ control: AccessControl
    ) throws(EnclaveRefusal) {
        func isForThis(_ verdict: Verdict) -> Bool { verdict.isFor(stored, binding) }
        let proofs = verdicts.filter(isForThis).map(\.proof)
        guard control.isSatisfied(by: proofs, enrolment: binding.enrolment) else {
            // A finger of another set: the item does not open by any that comes.
            let isDead = control.isBoundToEnrolment && proofs.contains(where: \.isFinger)
            if isDead { verdicts.removeAll(where: isForThis) }
            throw isDead && !control.contains(.or) ? .enrolmentChanged : .presenceRequired
        }
        verdicts.removeAll(where: isForThis)
    }

    // MARK: Biometry

    /// Whether a finger may stand for the owner now.
    func checkBiometry() throws(EnclaveRefusal) {
        guard lockState == .unlocked, keybag.passcode != nil else { throw .locked }
        if let refusal = biometry.refusal(of: .presence, at: seconds) { throw .biometryRefused(refusal) }
    }

    /// tresord saw a finger match: by its word, which is all that there is.
    mutating func biometryMatched(_ match: BiometryMatch) throws(EnclaveRefusal) {
        guard match.operation != .administer else { throw .badRequest }
        try checkBiometry()
        if let refusal = biometry.matched(for: .presence, at: seconds) { throw .biometryRefused(refusal) }
        keep(
            Verdict(
                connection: match.connection, item: match.item, operation: match.operation,
                proof: .biometry(enrolment: match.enrolment)))
    }

    var seconds: UInt64 { clock.milliseconds() / 1000 }

    mutating func keep(_ verdict: Verdict) {
        if verdicts.count >= Self.verdictLimit { verdicts.removeFirst() }
        verdicts.append(verdict)
    }

    func decode(_ encoded: [UInt8]) throws(EnclaveRefusal) -> RowKeyBinding {
        do {
            let binding = try encoded.withSpan { (span) throws(DecodingError) in
                var reader = ByteReader(span)
                let binding = try RowKeyBinding(from: &reader)
                try reader.end()
                return binding
            }
            guard AccessControl(rawValue: binding.accessControl).isValid else { throw DecodingError.invalid }
            return binding
        } catch { throw .badRequest }
    }

    /// The keychain class's key, if it is open now.
    private func openKey(_ protectionClass: ProtectionClass) throws(EnclaveRefusal) -> OpenClassKey {
        if let key = open[.items(protectionClass)] { return key }
        throw protectionClass.needsPasscode && keybag.passcode == nil ? .noPasscodeSet : .locked
    }

    /// The same, for something wrapped before: the key it names must be the one in force.
    private func openKey(_ protectionClass: ProtectionClass, named id: Identifier) throws(EnclaveRefusal)
        -> OpenClassKey
    {
        guard keybag.entry(.items(protectionClass))?.id == id else {
            throw keybag.destroyed.contains(id) ? .destroyed : .unknownClassKey
        }
        return try openKey(protectionClass)
    }

    private func makeKey(under classKey: OpenClassKey, as purpose: KeyPurpose) throws(EnclaveRefusal) -> NewKey {
        do {
            let key = try KeyEnvelope.makeKey()
            let wrapped = try KeyEnvelope.wrap(key, under: classKey.bytes, as: purpose)
            return NewKey(key: key, classKey: classKey.id, wrapped: wrapped.bytes)
        } catch { throw .outOfMemory }
    }

    private func unwrap(
        _ bytes: [UInt8], under classKey: OpenClassKey, as purpose: KeyPurpose
    ) throws(EnclaveRefusal) -> SecretBytes {
        guard let wrapped = WrappedKey(bytes) else { throw .notAuthentic }
        do {
            return try KeyEnvelope.unwrap(wrapped, under: classKey.bytes, as: purpose)
        } catch { throw error == .memory ? .outOfMemory : .notAuthentic }
    }
}

extension RowKeyBinding {
    /// Whether it is about a key that stays in the enclave.
    fileprivate var isOfPrivateKey: Bool { AccessControl(rawValue: accessControl).contains(.privateKeyUsage) }
}

extension PrivateKeyUse {
    /// Whether the input has a length that the work takes.
    fileprivate var isFit: Bool {
        switch work {
        case .sign: ResidentKey.digestByteCounts.contains(input.count)
        case .agree: input.count == ResidentKey.publicKeyByteCount
        }
    }
}
