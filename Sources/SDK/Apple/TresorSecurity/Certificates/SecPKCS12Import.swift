public import TresorCoreFoundation
import Certificates
public import Foundation
import Secrets

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Reads a PKCS#12 file.
///
///     var items: CFArray?
///     let options = [kSecImportExportPassphrase: passphrase] as CFDictionary
///     guard SecPKCS12Import(file as CFData, options, &items) == errSecSuccess else { … }
///
/// Nothing is kept, as on iOS: ``SecItemAdd(_:_:)`` with ``kSecValueRef`` adds what is wanted.
///
/// - Parameters:
///   - pkcs12_data: the file, in DER, at most 1 MiB.
///   - options: ``kSecImportExportPassphrase``.
///   - items: gets one dictionary for each identity, with ``kSecImportItemIdentity``, ``kSecImportItemCertChain``,
///     ``kSecImportItemTrust``, ``kSecImportItemKeyID`` and, where the file has one, ``kSecImportItemLabel``. It is
///     empty for a file with certificates or keys alone.
/// - Returns: `errSecSuccess`; `errSecAuthFailed` where the passphrase is wrong; `errSecPassphraseRequired` without
///   one; `errSecDecode` for what is damaged or no PKCS#12; `errSecUnsupportedFormat` for what is not read: encryption
///   by RC2 or 3DES, BER, a file without MAC; `errSecUnimplemented` for an identity whose key is no ``SecKey``.
public func SecPKCS12Import(
    _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    status {
        guard let given = options[kSecImportExportPassphrase] else { throw StatusError(errSecPassphraseRequired) }
        guard let text = given as? String, pkcs12_data.length <= PKCS12File.byteLimit else {
            throw StatusError(given is String ? errSecDecode : errSecParam)
        }
        let passphrase = try Array(text.utf8).withSpan { try SecretBytes(copying: $0) }
        let contents = try PKCS12File.open(Data(referencing: pkcs12_data).bytes, with: passphrase)
        store(try contents.identities.map { try contents.item($0) } as NSArray, at: items)
    }
}

extension PKCS12Contents {
    fileprivate func item(_ identity: Identity) throws -> NSDictionary {
        let key = try SecKey(.privateKey(identity.key))
        guard let reference = SecIdentity(SecCertificate(identity.certificate), key) else {
            throw StatusError(errSecDecode)
        }
        let chain = chain(from: identity.certificate).map { SecCertificate($0) }
        let labels = labels(of: identity)
        let item = NSMutableDictionary()
        item[kSecImportItemIdentity] = reference
        item[kSecImportItemCertChain] = chain as NSArray
        item[kSecImportItemTrust] = SecTrust(chain, [SecPolicy(.basic)])
        item[kSecImportItemKeyID] = Data(labels.id ?? identity.key.publicKeyHash) as NSData
        if let name = labels.name { item[kSecImportItemLabel] = name as NSString }
        return item
    }

    /// What the file says beside the certificate, or else beside the key.
    private func labels(of identity: Identity) -> (name: String?, id: [UInt8]?) {
        let certificate = certificates.first { $0.certificate == identity.certificate }?.labels
        let key = keys.first { $0.key === identity.key }?.labels
        return (
            name: certificate?.friendlyName ?? key?.friendlyName, id: certificate?.localKeyID ?? key?.localKeyID
        )
    }

    /// By names alone; whether the signatures are right is for the trust to say.
    private func chain(from leaf: DERCertificate) -> [DERCertificate] {
        var chain = [leaf]
        while let last = chain.last, last.subjectDER != last.issuerDER,
            let issuer = certificates.map(\.certificate).first(where: {
                $0.subjectDER == last.issuerDER && !chain.contains($0)
            })
        {
            chain.append(issuer)
        }
        return chain
    }
}
