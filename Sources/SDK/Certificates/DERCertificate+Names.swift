import SwiftASN1
import X509

/// The names that people know a certificate's owner by; its maker's text, so not for a terminal as it is.
extension DERCertificate {
    /// The most specific common name of the subject; nil where there is none.
    package var commonName: String? {
        for part in x509.subject.reversed() {
            for attribute in part where attribute.type == .RDNAttributeType.commonName {
                if let name = String(attribute.value) { return name }
            }
        }
        return nil
    }

    /// Addresses in the alternative names (RFC 5280, 4.2.1.6), then those in the subject (PKCS#9, 5.2.1), each once.
    package var emailAddresses: [String] {
        var addresses: [String] = []
        if let names = try? x509.extensions.subjectAlternativeNames {
            for case .rfc822Name(let address) in names { addresses.append(address) }
        }
        for part in x509.subject {
            for attribute in part where attribute.type == [1, 2, 840, 113549, 1, 9, 1] {
                if let text = String(attribute.value) { addresses.append(text) }
            }
        }
        var known: Set<String> = []
        return addresses.filter { known.insert($0).inserted }
    }
}
