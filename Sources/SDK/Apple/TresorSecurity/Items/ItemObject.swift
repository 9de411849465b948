import TresorCoreFoundation
import Certificates
import Foundation
import Secrets
import Wire

/// An item as an object of its own type: what ``kSecValueRef`` takes and ``kSecReturnRef`` gives.
enum ItemObject: Sendable {
    case key(SecKey)
    case certificate(SecCertificate)
    case identity(SecIdentity)

    init?(_ object: AnyObject) {
        switch object {
        case let key as SecKey: self = .key(key)
        case let certificate as SecCertificate: self = .certificate(certificate)
        case let identity as SecIdentity: self = .identity(identity)
        default: return nil
        }
    }

    /// The class that it stands for.
    var kind: AttributeCode {
        switch self {
        case .key: ItemKind.key.code
        case .certificate: ItemKind.certificate.code
        case .identity: .identityClass
        }
    }

    /// What the keychain files it under; an identity's two items each have their own.
    var filed: Attributes {
        switch self {
        case .key(let key): key.ownAttributes
        case .certificate(let certificate): certificate.filed
        case .identity: Attributes()
        }
    }

    /// Of these, what tells it from all others.
    var name: Attributes {
        let codes: [AttributeCode] =
            switch self {
            case .key: [.keyClass, .applicationLabel, .applicationTag, .type, .accessGroup]
            case .certificate: [.certificateType, .issuer, .serialNumber]
            case .identity: []
            }
        var name = Attributes()
        for code in codes { name[code] = filed[code] }
        return name
    }

    /// What is computed from the object and can't be said otherwise.
    static let facts: Set<AttributeCode> = [
        .keyClass, .type, .keySize, .effectiveKeySize, .certificateType, .certificateEncoding, .issuer, .serialNumber,
        .subject, .subjectKeyID, .publicKeyHash,
    ]

    /// What lies in the keychain.
    func secret() throws -> SecretBytes {
        switch self {
        case .key(let key): return try key.externalForm()
        case .certificate(let certificate):
            return try certificate.certificate.der.withSpan { try SecretBytes(copying: $0) }
        case .identity: throw StatusError(errSecParam)
        }
    }
}

extension ItemObject {
    /// Makes the object of a found item; nil for a password, which has none.
    ///
    /// - Throws: `errSecDecode` for data that is no key or certificate, `errSecUnimplemented` for a key of another
    ///   kind.
    init?(_ item: FoundItem) throws {
        switch item.reference.kind {
        case .password, .internetPassword: return nil
        case .certificate:
            guard let certificate = try? DERCertificate([UInt8](item.data ?? Data())) else {
                throw StatusError(errSecDecode)
            }
            self = .certificate(SecCertificate(certificate))
        case .key: self = .key(try Self.key(item))
        }
    }

    private static func key(_ item: FoundItem) throws -> SecKey {
        let attributes = item.attributes ?? Attributes()
        guard let type = attributes.number(.type), type == 42 || type == 73,
            let keyClass = attributes.number(.keyClass), keyClass == 0 || keyClass == 1
        else { throw StatusError(errSecUnimplemented) }
        if item.isEnclaveKey { return try SecKey(.enclaveKey(EnclaveHolding(item)), chosen: attributes) }
        let holding: SecKey.Holding
        do {
            holding = try SecKey.read((item.data ?? Data()).bytes, isPrivate: keyClass == 1, type: type)
        } catch let error as CertificateReadError {
            throw StatusError(error.code == .outOfMemory ? errSecAllocate : errSecDecode)
        }
        return try SecKey(holding, chosen: attributes)
    }

    var object: AnyObject {
        switch self {
        case .key(let key): key
        case .certificate(let certificate): certificate
        case .identity(let identity): identity
        }
    }
}

extension SecKey {
    /// What the keychain files it under, without what the keychain itself wrote or keeps.
    fileprivate var ownAttributes: Attributes {
        var own = filed
        let foreign: [AttributeCode] = [
            .creationDate, .modificationDate, .protectionClass, .accessControl, .multiUser, .publicKey, .enrolment,
            .keychainKey,
        ]
        for code in foreign { own[code] = nil }
        return own
    }
}

extension AttributeCode {
    /// `idnt`, which is no kind of item: the keychain keeps a certificate and a key.
    static let identityClass = AttributeCode(rawValue: 0x6964_6e74)
}
