import Certificates
import Localization
import Secrets

/// Payloads of certificates and identities.
enum CertificatePayload {
    /// `com.apple.security.root`, `.pkcs1` and `.pem`: certificates alone, whatever the type is called.
    static func certificates(
        _ fields: Fields, _ list: borrowing PropertyList
    ) throws(ProfileError) -> [DERCertificate] {
        let content = try fields.data("PayloadContent")
        let name = fields.name("PayloadContent")
        do {
            let file = try list.lend(content) { (bytes) throws(CertificateReadError) in try CertificateFile(bytes) }
            guard file.keys.isEmpty, file.encryptedKeys.isEmpty else {
                throw ProfileError(
                    .field, name, localized("has a private key, which this type of payload has no place for"))
            }
            return try distinct(file.certificates, name)
        } catch let error as CertificateReadError { throw ProfileError(error, name) } catch let error as ProfileError {
            throw error
        } catch { throw ProfileError(.field, name, localized("cannot be read")) }
    }

    /// `com.apple.security.pkcs12`.
    static func identity(
        _ fields: Fields, _ list: borrowing PropertyList
    ) throws(ProfileError) -> (certificates: [DERCertificate], keys: [PrivateKey]) {
        let content = try fields.data("PayloadContent")
        let name = fields.name("PayloadContent")
        // Apple's devices would ask for it; here nothing stands between reading and installing.
        guard let password = try fields.optionalSecret("Password", list) else {
            throw fields.failure("Password", localized("is missing, and is not asked for"))
        }
        let opened: PKCS12Contents
        do {
            opened = try list.lend(content) { (bytes) throws(CertificateReadError) in
                try PKCS12File.open(bytes, with: password.bytes)
            }
        } catch { throw ProfileError(error, name) }
        let keys = opened.keys.map(\.key)
        guard !keys.isEmpty else {
            throw ProfileError(.field, name, localized("has no private key, and so no identity"))
        }
        guard keys.allSatisfy({ $0.filed != nil }) else {
            throw ProfileError(.field, name, localized("has an Ed25519 key, which no keychain item is for"))
        }
        guard !opened.identities.isEmpty else {
            throw ProfileError(.field, name, localized("has no certificate that belongs to its key"))
        }
        return (try distinct(opened.certificates.map(\.certificate), name), keys)
    }

    /// A certificate that is said twice is one.
    private static func distinct(
        _ certificates: [DERCertificate], _ name: String
    ) throws(ProfileError) -> [DERCertificate] {
        var known: Set<DERCertificate> = []
        let distinct = certificates.filter { known.insert($0).inserted }
        guard !distinct.isEmpty else { throw ProfileError(.field, name, localized("has no certificate")) }
        return distinct
    }
}
