import Certificates
public import Foundation
import Secrets
import Wire

/// A private or a public key: RSA, or on one of the curves P-256, P-384 and P-521.
///
/// ``SecKeyCreateRandomKey(_:_:)`` makes one, ``SecKeyCreateWithData(_:_:_:)`` reads one, and a search with
/// ``kSecReturnRef`` finds one. A private key lies in locked memory; while it is used, the cryptographic library works
/// on a copy of its own. A key of the enclave's is only named here: the enclave made it, uses it, and never gives it
/// out.
///
/// Where such a key demands the owner's presence, each use asks: through the `LAContext` of the search that found it
/// (``kSecUseAuthenticationContext``), or one of its own.
public final class SecKey: NSObject, Sendable {
    /// Where the key is.
    ///
    /// Everything that a key does asks here first.
    enum Holding: Sendable {
        case privateKey(PrivateKey)
        case publicKey(PublicKey)
        /// A private key that only the enclave holds.
        case enclaveKey(EnclaveHolding)
    }

    let holding: Holding
    /// What the keychain files it under, or would.
    let filed: Attributes

    /// A key of this process, or one of the enclave's.
    ///
    /// - Parameter chosen: what its owner or the keychain says of it.
    /// - Throws: `errSecUnimplemented` for algorithms that have no type here.
    init(_ holding: Holding, chosen: Attributes = Attributes()) throws {
        let facts: [String: FiledValue]?
        switch holding {
        case .privateKey(let key): facts = key.filed
        case .publicKey(let key): facts = key.filed
        // The keychain has said all that there is to say.
        case .enclaveKey: facts = [:]
        }
        guard let facts else { throw StatusError(errSecUnimplemented) }
        self.holding = holding
        var filed = Attributes(facts)
        filed.merge(chosen)
        self.filed = filed
    }

    var isPrivate: Bool {
        switch holding {
        case .privateKey, .enclaveKey: true
        case .publicKey: false
        }
    }

    /// The half that is shown.
    var publicHalf: PublicKey {
        switch holding {
        case .privateKey(let key): PublicKey(key)
        case .publicKey(let key): key
        case .enclaveKey(let held): held.publicKey
        }
    }

    /// As it leaves the process and lies in the keychain.
    ///
    /// - Throws: `errSecUnimplemented` for a key of the enclave's.
    func externalForm() throws -> SecretBytes {
        switch holding {
        case .privateKey(let key): return try key.externalForm()
        case .publicKey(let key): return try key.bytes.withSpan { try SecretBytes(copying: $0) }
        case .enclaveKey: throw StatusError(errSecUnimplemented)
        }
    }

    /// Reads what ``externalForm()`` gave.
    static func read(_ bytes: RawSpan, isPrivate: Bool, type: Int64) throws -> Holding {
        let holding: Holding
        if isPrivate {
            holding = .privateKey(
                type == PrivateKey.Algorithm.rsa.filedType ? try PrivateKey(rsa: bytes) : try .read(x963: bytes))
        } else {
            holding = .publicKey(try PublicKey(bits: bytes.copyToArray()))
        }
        return holding
    }

    /// Whether both are the same half of the same key.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecKey else { return false }
        return isPrivate == other.isPrivate && publicHalf == other.publicHalf
    }

    /// Equal keys have equal hashes.
    public override var hash: Int { publicHalf.hashValue }
}

extension Attributes {
    /// What a certificate or a key is filed under.
    init(_ filed: [String: FiledValue]) {
        self.init()
        for (name, value) in filed {
            guard let code = AttributeCode(name) else { continue }
            switch value {
            case .number(let number): self[code] = .number(number)
            case .data(let bytes): self[code] = .data(bytes)
            case .text(let text): self[code] = .string(text)
            }
        }
    }
}
