import Certificates
public import Foundation
import Secrets
import Wire

/// A private or a public key: RSA, or on one of the curves P-256, P-384 and P-521.
///
/// ``SecKeyCreateRandomKey(_:_:)`` makes one, ``SecKeyCreateWithData(_:_:_:)`` reads one, and a search with
/// ``kSecReturnRef`` finds one. A private key lies in locked memory; while it is used, the cryptographic library works
/// on a copy of its own.
public final class SecKey: NSObject, Sendable {
    /// Where the key is.
    ///
    /// Everything that a key does asks here first, so that a key which only the enclave holds is one more case.
    enum Holding: Sendable {
        case privateKey(PrivateKey)
        case publicKey(PublicKey)
    }

    let holding: Holding
    /// What the keychain files it under, or would.
    let filed: Attributes

    /// A key of this process.
    ///
    /// - Parameter chosen: what its owner or the keychain says of it.
    /// - Throws: `errSecUnimplemented` for algorithms that have no type here.
    init(_ holding: Holding, chosen: Attributes = Attributes()) throws {
        let facts: [String: FiledValue]?
        switch holding {
        case .privateKey(let key): facts = key.filed
        case .publicKey(let key): facts = key.filed
        }
        guard let facts else { throw StatusError(errSecUnimplemented) }
        self.holding = holding
        var filed = Attributes(facts)
        filed.merge(chosen)
        self.filed = filed
    }

    var isPrivate: Bool {
        switch holding {
        case .privateKey: true
        case .publicKey: false
        }
    }

    /// The half that is shown.
    var publicHalf: PublicKey {
        switch holding {
        case .privateKey(let key): PublicKey(key)
        case .publicKey(let key): key
        }
    }

    /// As it leaves the process and lies in the keychain.
    func externalForm() throws -> SecretBytes {
        switch holding {
        case .privateKey(let key): return try key.externalForm()
        case .publicKey(let key): return try key.bytes.withSpan { try SecretBytes(copying: $0) }
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
