public import TresorCoreFoundation
import Certificates
public import Foundation
import Secrets

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Signs.
///
/// For a key of the enclave's the message is hashed here, and the enclave signs the hash; where the key demands it, the
/// owner is asked, for this signature alone.
///
///     let signature = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, message as CFData, &error)
///
/// - Parameters:
///   - key: a private key.
///   - algorithm: one of the `…Signature…` algorithms that fits the key.
///   - dataToSign: the message; for a `…Digest…` algorithm its hash.
///   - error: gets an `NSError` with a status as its code: `errSecParam` for an algorithm that the key does not have,
///     and for a hash of another length. With a key of the enclave's also `errSecItemNotFound` where it was removed,
///     `errSecInteractionNotAllowed` while its class is locked or where nobody may be asked, `errSecAuthFailed`,
///     `errSecUserCanceled`.
/// - Returns: ECDSA's two numbers in DER, or RSA's block; nil where there is an error.
public func SecKeyCreateSignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    object(orErrorAt: error) {
        guard case .signature(let scheme)? = algorithm.meaning else { throw StatusError(errSecParam) }
        switch key.holding {
        case .privateKey(let held): return Data(try held.sign([UInt8](dataToSign), scheme)) as NSData
        case .enclaveKey(let held): return Data(try held.sign([UInt8](dataToSign), scheme)) as NSData
        case .publicKey: throw StatusError(errSecParam)
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Verifies a signature.
///
/// - Parameters:
///   - key: a public key.
///   - algorithm: the algorithm that made it.
///   - signedData: the message; for a `…Digest…` algorithm its hash.
///   - signature: what ``SecKeyCreateSignature(_:_:_:_:)`` gave.
///   - error: gets an `NSError` with a status as its code: `errSecVerifyFailed` where the signature is not this key's
///     over this; `errSecParam` for an algorithm that the key does not have.
/// - Returns: whether the signature is right.
public func SecKeyVerifySignature(
    _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
    guard !key.isPrivate, case .signature(let scheme)? = algorithm.meaning, scheme.fits(key.publicHalf.algorithm)
    else {
        store(retaining: cfError(errSecParam), at: error)
        return false
    }
    guard key.publicHalf.accepts([UInt8](signature), of: [UInt8](signedData), scheme) else {
        store(retaining: cfError(errSecVerifyFailed), at: error)
        return false
    }
    return true
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The secret that this private key and another's public key share, or a key derived from it.
///
/// - Parameters:
///   - privateKey: a private key on a curve.
///   - algorithm: one of the `ecdhKeyExchange…` algorithms.
///   - publicKey: the other's public key, on the same curve.
///   - parameters: for the algorithms with a derivation ``SecKeyKeyExchangeParameter/requestedSize``, and perhaps
///     ``SecKeyKeyExchangeParameter/sharedInfo``.
///   - error: gets an `NSError` with a status as its code: `errSecParam`, `errSecAllocate`; with a key of the enclave's
///     as ``SecKeyCreateSignature(_:_:_:_:)``.
/// - Returns: nil where there is an error. The bytes are the caller's, in ordinary memory.
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    object(orErrorAt: error) {
        guard case .exchange(let hash)? = algorithm.meaning, !publicKey.isPrivate else {
            throw StatusError(errSecParam)
        }
        let derivation = try hash.map { try AgreementDerivation($0, parameters) }
        switch privateKey.holding {
        case .privateKey(let held):
            let secret = try held.agree(with: publicKey.publicHalf, derivation)
            return secret.withBytes { Data(copying: $0) as NSData }
        case .enclaveKey(let held):
            let secret = try held.agree(with: publicKey.publicHalf, derivation)
            return secret.withBytes { Data(copying: $0) as NSData }
        case .publicKey: throw StatusError(errSecParam)
        }
    }
}

extension AgreementDerivation {
    fileprivate init(_ hash: KeyHash, _ parameters: NSDictionary) throws {
        let size = KeyParameters(parameters).number(SecKeyKeyExchangeParameter.requestedSize.rawValue as CFString)
        let info = parameters[SecKeyKeyExchangeParameter.sharedInfo.rawValue as CFString]
        guard let size, let byteCount = Int(exactly: size), info == nil || info is NSData || info is Data else {
            throw StatusError(errSecParam)
        }
        self.init(hash, sharedInfo: (info as? Data).map { [UInt8]($0) } ?? [], byteCount: byteCount)
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Whether a key does this.
///
///     guard SecKeyIsAlgorithmSupported(key, .sign, .ecdsaSignatureMessageX962SHA256) else { … }
///
/// - Parameters:
///   - key: a private or a public key.
///   - operation: what it shall do.
///   - algorithm: how.
public func SecKeyIsAlgorithmSupported(
    _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
    let kind = key.publicHalf.algorithm
    return switch (operation, algorithm.meaning) {
    case (.sign, .signature(let scheme)): key.isPrivate && scheme.fits(kind)
    case (.verify, .signature(let scheme)): !key.isPrivate && scheme.fits(kind)
    case (.keyExchange, .exchange): key.isPrivate && kind != .rsa
    default: false
    }
}
