import EnclaveWire
import KeyEnvelopes
import Protection
import Secrets

/// The keys of items, and what lets at them besides their class: proofs of presence, passwords of their own, and those
/// of keychains.
struct ItemKeys {
    var presence = OwnerPresence()
    /// Items' own passwords that were given and not yet used.
    var passwords = GivenPasswords()
    /// Keys of keychains with a passcode of their own, while they are open.
    var keychains = OpenKeychains()

    /// - Parameter connection: over which the item's own password was given, where it has one.
    func makeRowKey(
        _ encoded: [UInt8], for connection: UInt64, under keys: borrowing ClassKeys
    ) throws(EnclaveRefusal) -> NewKey {
        let binding = try decode(encoded)
        guard !binding.isOfPrivateKey else { throw .badRequest }
        let wrapping = try wrappingKey(
            of: binding, try keys.key(binding.protectionClass), connection, isMaking: true)
        return try wrapping.makeKey(as: .rowKey(classKey: wrapping.id, binding: binding))
    }

    /// The class, the access control and the group are read from the binding, and believed because the key opens under
    /// it.
    mutating func openRowKey(
        _ stored: StoredRowKey, under keys: borrowing ClassKeys
    ) throws(EnclaveRefusal) -> SecretBytes {
        let binding = try decode(stored.binding)
        guard !binding.isOfPrivateKey else { throw .badRequest }
        return try open(stored, binding, under: keys, as: { .rowKey(classKey: $0, binding: binding) })
    }

    /// Opens a key of an item, for whom its binding lets at it.
    private mutating func open(
        _ stored: StoredRowKey, _ binding: RowKeyBinding, under keys: borrowing ClassKeys,
        as purpose: (Identifier) -> KeyPurpose
    ) throws(EnclaveRefusal) -> SecretBytes {
        let plain = try keys.key(binding.protectionClass, named: stored.classKey)
        // Before scrypt is run for who is refused anyway.
        if binding.hasPassword { try presence.refuseUnlessProved(stored, binding) }
        let wrapping = try wrappingKey(of: binding, plain, stored.connection)
        let key = try unwrap(stored, binding, under: wrapping, as: purpose(wrapping.id))
        guard stored.accessGroups.contains(binding.accessGroup) else { throw .foreignGroup }
        let control = AccessControl(rawValue: binding.accessControl)
        if control.presence != [] { try presence.spend(for: stored, binding, control) }
        // Who changes the secret makes its key anew, by the same password.
        if binding.hasPassword && stored.operation != .change {
            passwords.remove(stored.connection, binding.item)
        }
        return key
    }

    /// A key that does not open under the item's own password: nobody can tell a wrong one from a changed row.
    private mutating func unwrap(
        _ stored: StoredRowKey, _ binding: RowKeyBinding, under wrapping: OpenClassKey, as purpose: KeyPurpose
    ) throws(EnclaveRefusal) -> SecretBytes {
        do { return try wrapping.unwrap(stored.wrapped, as: purpose) } catch {
            guard error == .notAuthentic, binding.hasPassword else { throw error }
            passwords.remove(stored.connection, binding.item)
            throw .wrongItemPassword
        }
    }

    /// Under what a key of this item lies: the joined key; for an item with a password of its own, one that follows
    /// from both.
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

    /// The class's key; in a keychain with a passcode of its own, one that follows from both keys.
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
        _ encoded: [UInt8], for connection: UInt64, under keys: borrowing ClassKeys
    ) throws(EnclaveRefusal) -> NewPrivateKey {
        let binding = try decode(encoded)
        guard binding.isOfPrivateKey, binding.protectionClass.isBoundToDevice else { throw .badRequest }
        let wrapping = try wrappingKey(
            of: binding, try keys.key(binding.protectionClass), connection, isMaking: true)
        do {
            let pair = try ResidentKey.makeRandom()
            let purpose = KeyPurpose.privateKey(classKey: wrapping.id, binding: binding)
            let wrapped = try KeyEnvelope.wrap(pair.scalar, under: wrapping.bytes, as: purpose)
            return NewPrivateKey(publicKey: pair.publicKey, classKey: wrapping.id, wrapped: wrapped.bytes)
        } catch { throw .outOfMemory }
    }

    mutating func usePrivateKey(
        _ use: PrivateKeyUse, under keys: borrowing ClassKeys
    ) throws(EnclaveRefusal) -> EnclaveReply {
        let binding = try decode(use.stored.binding)
        guard binding.isOfPrivateKey, use.stored.operation == .use else { throw .badRequest }
        // Before a verdict is spent on it.
        guard use.isFit else { throw .badRequest }
        let scalar = try open(use.stored, binding, under: keys, as: { .privateKey(classKey: $0, binding: binding) })
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

    // MARK: what was given and proved

    /// A key was made: the password that it was made by is used up.
    mutating func usedPassword(_ encoded: [UInt8], _ connection: UInt64) {
        guard let binding = try? decode(encoded), binding.hasPassword else { return }
        passwords.remove(connection, binding.item, forMaking: true)
    }

    /// A connection has ended, and nobody will ask for what was given over it.
    mutating func forget(_ connection: UInt64) {
        passwords.removeAll(of: connection)
        presence.forget(connection)
    }

    /// Nothing that was given or proved lets at anything any more.
    mutating func shut() {
        presence.forgetProofs()
        keychains.closeAll()
        passwords.removeAll()
    }

    private func decode(_ encoded: [UInt8]) throws(EnclaveRefusal) -> RowKeyBinding {
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
