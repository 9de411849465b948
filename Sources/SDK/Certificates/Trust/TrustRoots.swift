import Linux
import Localization
import Secrets

/// The certificates at which a chain may end.
package struct TrustRoots: Sendable {
    /// In the order of the list; nobody's word is asked about these.
    package private(set) var certificates: [DERCertificate]
    /// How many of a system's list were left out, since their algorithms or their form are refused.
    package private(set) var skippedCount = 0

    /// Where Debian and most others keep Mozilla's list, together with what the machine's owner deployed
    /// (update-ca-certificates(8)).
    package static let systemPath = "/etc/ssl/certs/ca-certificates.crt"

    /// Ten times Mozilla's list.
    private static let mostRoots = 2000

    /// No roots but these.
    package init(_ certificates: [DERCertificate] = []) { self.certificates = certificates }

    /// Reads the system's list.
    ///
    /// A list is not refused for one old root that cannot be read: it trusts nothing then that it should not.
    package static func system(at path: String = systemPath) throws -> TrustRoots {
        let text = try FileSystem.read(path, limit: CertificateFile.byteLimit)
        return try text.withSpan { (text) throws(CertificateReadError) in
            try TrustRoots(list: text)
        }
    }

    /// Reads PEM blocks, and leaves out those that are no certificates of ours.
    package init(list text: RawSpan) throws(CertificateReadError) {
        certificates = []
        var reader = PEMReader(text)
        while let block = try reader.next() {
            guard certificates.count < Self.mostRoots else {
                throw CertificateReadError(.tooLarge, localized("more than \(Self.mostRoots) roots"))
            }
            let der = block.content.withBytes { $0.copyToArray() }
            if block.label == "CERTIFICATE", let root = try? DERCertificate(der) {
                certificates.append(root)
            } else {
                skippedCount += 1
            }
        }
    }

    /// The same and `more`.
    package func adding(_ more: [DERCertificate]) -> TrustRoots {
        var roots = self
        roots.certificates += more
        return roots
    }
}
