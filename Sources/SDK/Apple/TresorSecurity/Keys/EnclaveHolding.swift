import Certificates
import Foundation
import Protection
import Secrets
import Tresor
import Wire

/// A private key that only the enclave holds: the item that stands for it, and its public half.
struct EnclaveHolding: Sendable {
    let item: FoundItem
    let publicKey: PublicKey

    /// - Throws: `errSecDecode` where the item has no point of P-256.
    init(_ item: FoundItem) throws {
        guard let bits = item.attributes?.data(.publicKey), let key = try? PublicKey(bits: bits),
            key.algorithm == .p256
        else { throw StatusError(errSecDecode) }
        self.item = item
        publicKey = key
    }

    /// Hashes here, and has the enclave sign.
    func sign(_ message: [UInt8], _ scheme: SignatureScheme) throws -> [UInt8] {
        guard scheme.fits(publicKey.algorithm) else { throw KeyUseError.unsuitable }
        return try use(.sign, scheme.digest(of: message)).withBytes { $0.copyToArray() }
    }

    /// Has the enclave agree, and derives here.
    func agree(with other: PublicKey, _ derivation: AgreementDerivation?) throws -> SecretBytes {
        guard other.algorithm == publicKey.algorithm else { throw KeyUseError.unsuitable }
        // Before the owner is asked for what can't be.
        guard derivation.map({ (1...AgreementDerivation.mostBytes).contains($0.byteCount) }) ?? true else {
            throw KeyUseError.unsuitable
        }
        let shared = try use(.agree, other.bytes)
        guard let derivation else { return shared }
        return try derivation.derive(from: shared)
    }

    private func use(_ work: PrivateKeyWork, _ input: [UInt8]) throws -> SecretBytes {
        let link = SharedTransport.process
        let use = KeyUse(reference: item.reference, work: work, input: input)
        var result: SecretBytes?
        do {
            try link.withTransport { result = try $0.result(of: use) }
        } catch let error as KeychainError where error.demandsOwner {
            var rounds = OwnerRounds(item.asking, link)
            try rounds.permit(.use, on: [item]) { result = try $0.result(of: use) }
        }
        guard let made = result.take() else { throw StatusError(errSecInternalComponent) }
        return made
    }
}

extension Transport {
    fileprivate func result(of use: KeyUse) throws -> SecretBytes {
        var result: SecretBytes?
        try exchange(.useKey(use)) { result = try KeyResult.read($0) }
        guard let made = result.take() else { throw DecodingError.invalid }
        return made
    }
}
