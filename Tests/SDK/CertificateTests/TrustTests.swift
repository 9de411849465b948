import Crypto
import CryptoExtras
import Foundation
import Secrets
import SwiftASN1
import Testing
import X509

@testable import Certificates

/// Trust without OpenSSL: single certificates, the system's roots, and certificates made to keep us busy.
@Suite struct Trust {
    private static let now = Date()

    private static func evaluate(
        _ certificate: DERCertificate, _ purpose: TrustPurpose = .any, roots: [DERCertificate],
        intermediates: [DERCertificate] = [], at date: Date = Self.now
    ) async throws -> TrustVerdict {
        let evaluation = try TrustEvaluation(roots: TrustRoots(roots), intermediates: intermediates)
        return await evaluation.evaluate(certificate, for: purpose, at: date)
    }

    private static func server(_ name: String) throws -> TrustPurpose {
        .tlsServer(try #require(ServerName(name)))
    }

    @Test func `a root is trusted by itself, for its name and no other`() async throws {
        let root = try Vector.certificate("p256-certificate.pem")
        let good = try await Self.evaluate(root, try Self.server("P256.example"), roots: [root])
        #expect(good.chain == [root] && good.reason == nil)
        let other = try await Self.evaluate(root, try Self.server("p384.example"), roots: [root])
        #expect(other.reason == .wrongName)
        let address = try await Self.evaluate(root, try Self.server("127.0.0.1"), roots: [root])
        #expect(address.reason == .wrongName)
    }

    @Test func `without roots nothing is trusted`() async throws {
        let root = try Vector.certificate("p256-certificate.pem")
        #expect(try await Self.evaluate(root, roots: []).reason == .unknownRoot)
        let other = try Vector.certificate("rsa-certificate.pem")
        #expect(try await Self.evaluate(root, roots: [other], intermediates: [root]).reason == .unknownRoot)
    }

    @Test func `both ends of a validity are inside, to the second`() async throws {
        let root = try Vector.certificate("p256-certificate.pem")
        #expect(try await Self.evaluate(root, roots: [root], at: root.notBefore).reason == nil)
        #expect(try await Self.evaluate(root, roots: [root], at: root.notAfter).reason == nil)
        let early = try await Self.evaluate(root, roots: [root], at: root.notBefore - 1)
        #expect(early.reason == .notYetValid(root.notBefore))
        let late = try await Self.evaluate(root, roots: [root], at: root.notAfter + 1)
        #expect(late.reason == .expired(root.notAfter))
    }

    @Test func `a common name is no server's name`() async throws {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let root = try Self.make("server.example", key, number: 0, names: [])
        #expect(try await Self.evaluate(root, roots: [root]).reason == nil)
        #expect(try await Self.evaluate(root, try Self.server("server.example"), roots: [root]).reason == .wrongName)
    }

    @Test func `a signature over SHA 1 is refused, but for a root's own`() async throws {
        let key = try Certificate.PrivateKey(_RSA.Signing.PrivateKey(keySize: .bits2048))
        let root = try Self.make("Root", key, number: 0, names: [], .sha1WithRSAEncryption)
        #expect(try await Self.evaluate(root, roots: [root]).reason == nil)
        let leaf = try Self.make("Leaf", key, number: 1, names: [], .sha1WithRSAEncryption, issuer: "Root")
        #expect(try await Self.evaluate(leaf, roots: [root]).reason == .weakSignature)
        let better = try Self.make("Leaf", key, number: 2, names: [], .sha256WithRSAEncryption, issuer: "Root")
        #expect(try await Self.evaluate(better, roots: [root]).reason == nil)
    }

    @Test func `a root that was renewed with its old key and name is another root`() async throws {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let old = try Self.make("Root", key, number: 0, names: [])
        let new = try Self.make("Root", key, number: 1, names: [])
        #expect(try await Self.evaluate(new, roots: [old]).reason == .unknownRoot)
    }

    @Test func `certificates that issue each other in every order are given up`() async throws {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let ring = try (0..<TrustEvaluation.mostIntermediates).map { number in
            try Self.make("Ring", key, number: number, names: ["n\(number).example"])
        }
        let leaf = try Self.make("Ring", key, number: 999, names: ["leaf.example"])
        let other = try Vector.certificate("p256-certificate.pem")
        let verdict = try await Self.evaluate(leaf, roots: [other], intermediates: ring)
        #expect(verdict.reason == .tooManyPaths)
    }

    @Test func `more intermediates than a server sends are refused`() throws {
        let root = try Vector.certificate("p256-certificate.pem")
        #expect(throws: CertificateReadError.self) {
            try TrustEvaluation(roots: TrustRoots(), intermediates: Array(repeating: root, count: 65))
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: TrustRoots.systemPath), "this system has no roots"))
    func `the system's roots are read, nearly all, and trust themselves`() async throws {
        let roots = try TrustRoots.system()
        #expect(roots.certificates.count > 50)
        #expect(roots.skippedCount < 10)
        let evaluation = try TrustEvaluation(roots: roots)
        for root in roots.certificates.prefix(10) where root.notAfter > Self.now {
            #expect(await evaluation.evaluate(root, for: .any, at: Self.now).reason == nil)
        }
        let stranger = try Vector.certificate("p256-certificate.pem")
        #expect(await evaluation.evaluate(stranger, for: .any, at: Self.now).reason == .unknownRoot)
        #expect(await TrustEvaluationSamples.deployed(roots, stranger).reason == nil)
    }

    @Test(arguments: [
        ("example.org", true), ("a-b.example", true), ("192.0.2.1", true), ("2001:db8::1", true), ("", false),
        ("grüße.example", false), ("a b", false), ("*.example", false), ("host:443", false), ("a_b.example", false),
    ])
    func `server names are what certificates can be issued to`(_ name: String, _ isName: Bool) {
        #expect((ServerName(name) != nil) == isName)
    }

    static func make(
        _ name: String, _ key: Certificate.PrivateKey, number: Int, names: [String],
        _ algorithm: Certificate.SignatureAlgorithm = .ecdsaWithSHA256, issuer: String? = nil
    ) throws -> DERCertificate {
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(number + 1), publicKey: key.publicKey,
            notValidBefore: now - 100, notValidAfter: now + 100_000,
            issuer: try DistinguishedName { CommonName(issuer ?? name) },
            subject: try DistinguishedName { CommonName(name) }, signatureAlgorithm: algorithm,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                if !names.isEmpty { SubjectAlternativeNames(names.map { .dnsName($0) }) }
            }, issuerPrivateKey: key)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return try DERCertificate(serializer.serializedBytes)
    }
}

enum TrustEvaluationSamples {
    /// A deployed root beside the system's.
    static func deployed(_ roots: TrustRoots, _ certificate: DERCertificate) async -> TrustVerdict {
        guard let evaluation = try? TrustEvaluation(roots: roots.adding([certificate])) else {
            return .untrusted(TrustFailure(reason: .malformed, certificate: certificate), [])
        }
        return await evaluation.evaluate(certificate, for: .any, at: Date())
    }
}

extension TrustVerdict {
    var chain: [DERCertificate] {
        switch self {
        case .trusted(let chain), .untrusted(_, let chain): chain
        }
    }

    /// Nil where it is trusted.
    var reason: TrustFailure.Reason? {
        if case .untrusted(let failure, _) = self { failure.reason } else { nil }
    }
}
