import Localization
import Protection
public import Secrets
public import Wire

/// A private key on P-256 that the enclave made, and its public half.
///
/// The private half never leaves the enclave: what it is good for is signing and agreeing on secrets.
public struct EnclaveKey: Sendable, Hashable {
    /// Names the key for good.
    public let reference: PersistentReference
    /// The public half, 65 bytes: `04 || X || Y` (X9.63; SEC 1, 2.3.3).
    public let publicKey: [UInt8]

    /// What Apple's interface calls the place that such keys are in (`kSecAttrTokenID`): its searches find them by it.
    package static let token = "com.apple.setoken"

    /// Of the key's item: those that were asked for, and what goes without saying.
    fileprivate static func attributes(_ wanted: ItemAttributes) -> ItemAttributes {
        var attributes = wanted
        attributes.accessControl = (attributes.accessControl ?? []).union(.privateKeyUsage)
        attributes.protectionClass = attributes.protectionClass ?? .whenUnlockedThisDeviceOnly
        attributes.values[.token] = .string(token)
        return attributes
    }
}

// P-256 keys that the enclave makes, uses, and never gives out.
extension Keychain {
    /// Has the enclave make a private key on P-256, and keeps it as an item of kind ``ItemKind/key``.
    ///
    ///     var attributes = ItemAttributes()
    ///     attributes.label = "server login"
    ///     attributes.accessControl = .userPresence
    ///     let key = try await keychain.makePrivateKey(attributes)
    ///     let signature = try await keychain.sign(sha256, with: key.reference, context: .pinentry())
    ///
    /// The item has no secret that could be read, now or later. Its group, class and access control stay as they are;
    /// its label and the like can be changed.
    ///
    /// - Parameter attributes: label, application tag and access group, if any. The protection class has to be one that
    ///   is bound to this device, and is ``ProtectionClass/whenUnlockedThisDeviceOnly`` where it is not said. The
    ///   access control says what is demanded of the owner in each use; ``AccessControl/privateKeyUsage`` goes
    ///   without saying.
    /// - Returns: the key's name and its public half.
    /// - Throws: ``TresorError``: `invalidParameter` for a class of another kind and for demands that can't stand
    ///   together, `locked` while the class is shut, `notPermitted` for demands that need a passcode where none is set
    ///   and for others' groups.
    public func makePrivateKey(_ attributes: ItemAttributes = ItemAttributes()) throws -> EnclaveKey {
        let attributes = EnclaveKey.attributes(attributes)
        let added = try conversation.add(
            ItemAddition(kind: ItemKind.key.code, attributes: attributes.values, secret: nil))
        return EnclaveKey(reference: added, publicKey: try publicKey(of: ItemQuery(added)))
    }

    /// The public half of a private key that is in the enclave.
    ///
    /// - Parameter query: which item.
    /// - Returns: 65 bytes, `04 || X || Y` (X9.63).
    /// - Throws: ``TresorError``: `notFound`, `locked`, `damaged`; `invalidParameter` for an item that is no such key.
    public func publicKey(of query: ItemQuery) throws -> [UInt8] {
        let item = try find(query)
        guard item.accessControl.contains(.privateKeyUsage), let publicKey = item.attributes.data(.publicKey) else {
            throw TresorError(.invalidParameter, localized("the item is no private key of the enclave's"))
        }
        return publicKey
    }

    /// Signs a hash (ECDSA; FIPS 186-5, 6).
    ///
    /// - Parameters:
    ///   - digest: the hash: 20, 32, 48 or 64 bytes, of SHA-1, SHA-256, SHA-384 or SHA-512.
    ///   - reference: the key.
    ///   - context: asks the owner where the key demands it, for this use alone.
    /// - Returns: the two numbers in DER (RFC 3279, 2.2.3), at most 72 bytes. No two signatures are alike.
    /// - Throws: ``TresorError``: `notFound`, `locked`, `presenceRequired` without a context; `invalidParameter` for a
    ///   hash of another length, and for an item that is no such key.
    public func sign(
        _ digest: [UInt8], with reference: PersistentReference, context: AuthenticationContext? = nil
    ) throws -> [UInt8] {
        // A much longer one would be no request, and close the connection.
        guard [20, 32, 48, 64].contains(digest.count) else {
            throw TresorError(.invalidParameter, localized("a hash has 20, 32, 48 or 64 bytes"), status: -50)
        }
        let signature = try use(KeyUse(reference: reference, work: .sign, input: digest), context)
        return signature.withBytes { $0.copyToArray() }
    }

    /// The secret that a key and another's public key share (ECDH; NIST SP 800-56A, 5.7.1.2).
    ///
    /// It is no uniform key: derive one from it, with what both sides know mixed in.
    ///
    /// - Parameters:
    ///   - publicKey: the other's, 65 bytes: `04 || X || Y` (X9.63), a point of P-256.
    ///   - reference: the key.
    ///   - context: asks the owner where the key demands it, for this use alone.
    /// - Returns: the X coordinate of the shared point, 32 bytes.
    /// - Throws: ``TresorError``: `notFound`, `locked`, `presenceRequired` without a context; `invalidParameter` for
    ///   what is no point of the curve, and for an item that is no such key.
    public func agree(
        with publicKey: [UInt8], using reference: PersistentReference, context: AuthenticationContext? = nil
    ) throws -> SecretBytes {
        guard publicKey.count == 65 else {
            throw TresorError(.invalidParameter, localized("a public key on P-256 has 65 bytes"), status: -50)
        }
        return try use(KeyUse(reference: reference, work: .agree, input: publicKey), context)
    }

    private func use(_ use: KeyUse, _ context: AuthenticationContext?) throws -> SecretBytes {
        let item = ItemQuery(use.reference)
        return try consent(.use, context).satisfying(item: { try find(item) }) { try conversation.result(of: use) }
    }
}

extension Conversation {
    /// What a private key of the enclave's makes of an input.
    fileprivate func result(of use: KeyUse) throws -> SecretBytes {
        var result: SecretBytes?
        try exchange(.useKey(use)) { result = try KeyResult.read($0) }
        guard let result else { throw TresorError(.unavailable, localized("the daemon's answer cannot be read")) }
        return result
    }
}

/// What a key of the enclave's made, as it stands in a reply.
package enum KeyResult {
    /// Reads a reply's payload; an error in it is thrown.
    package static func read(_ payload: RawSpan) throws -> SecretBytes {
        var reader = ByteReader(payload)
        try reader.expect(.keyResult)
        let made = try reader.secretField(limit: WireLimits.wrappedKey)
        try reader.end()
        return made
    }
}
