import Linux
import X509

/// What this machine trusts: System Roots, and what the administrator deployed.
///
///     let trust = try SystemTrust()
///     let evaluation = try TrustEvaluation(trust, intermediates: file.certificates, for: leaf)
package struct SystemTrust: Sendable {
    /// The certificates at which a chain may end, keychain by keychain.
    package let anchors: [SystemCertificate]
    /// Deployed certificates that may stand between a certificate and an anchor.
    package let intermediates: [SystemCertificate]
    /// Deployed files that do not count, and why.
    package let refused: [RefusedFile]
    /// How many of the system's list were left out, since their algorithms or their form are refused.
    package let skippedCount: Int

    /// Nothing.
    package static let none = SystemTrust([])

    /// Reads both keychains.
    ///
    /// - Throws: as ``SystemKeychain/read(_:)`` does. Where the system has no list, the deployed anchors are enough.
    package init(_ places: SystemPlaces = .machine) throws {
        let deployed = try SystemKeychain.system.read(places)
        let hasAnchor = deployed.certificates.contains(where: \.isAnchor)
        do { self.init([try SystemKeychain.systemRoots.read(places), deployed]) } catch let error as LinuxError
            where error.isMissing && hasAnchor
        { self.init([deployed]) }
    }

    private init(_ keychains: [SystemContents]) {
        let all = keychains.flatMap(\.certificates)
        anchors = all.filter(\.isAnchor)
        intermediates = all.filter { !$0.isAnchor }
        refused = keychains.flatMap(\.refused)
        skippedCount = keychains.reduce(0) { $0 + $1.skippedCount }
    }

    /// The anchors, each once: Debian's list holds what was deployed too.
    package var roots: TrustRoots {
        var known: Set<DERCertificate> = []
        return TrustRoots(anchors.map(\.certificate).filter { known.insert($0).inserted })
    }

    /// The first keychain that has this certificate; nil where none has.
    package func keychain(of certificate: DERCertificate) -> SystemKeychain? {
        (anchors + intermediates).first { $0.certificate == certificate }?.keychain
    }

    /// Those deployed certificates by whose names the given ones, or those above them, were issued; at most `count`.
    ///
    /// An evaluation tries a bounded number of intermediates, and an administrator may have deployed more.
    func intermediates(above certificates: [DERCertificate], atMost count: Int) -> [DERCertificate] {
        let bySubject = Dictionary(grouping: intermediates.map(\.certificate), by: \.x509.subject)
        var found: [DERCertificate] = []
        var known = Set(certificates)
        var wanted = certificates[...]
        while let next = wanted.popFirst() {
            for one in bySubject[next.x509.issuer] ?? [] where known.insert(one).inserted {
                guard found.count < count else { return found }
                found.append(one)
                wanted.append(one)
            }
        }
        return found
    }
}

extension TrustEvaluation {
    /// Of one certificate, by what this machine trusts and what the caller adds.
    ///
    /// - Parameters:
    ///   - more: further roots.
    ///   - intermediates: at most 64; deployed ones that can matter are added while there is room.
    ///   - leaf: the certificate that is to be judged.
    package init(
        _ system: SystemTrust, adding more: [DERCertificate] = [], intermediates: [DERCertificate],
        for leaf: DERCertificate
    ) throws(CertificateReadError) {
        let room = max(0, Self.mostIntermediates - intermediates.count)
        let deployed = system.intermediates(above: [leaf] + intermediates, atMost: room)
        try self.init(roots: system.roots.adding(more), intermediates: intermediates + deployed)
    }
}
