import Crypto
import Foundation
import SwiftASN1
import Testing
import X509

@testable import Certificates

/// What this machine trusts: the system's list and what was deployed, and nothing that was refused.
@Suite struct SystemTrusts {
    private let machine: Deployment
    private let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    private let root: DERCertificate
    private let middle: DERCertificate
    private let leaf: DERCertificate
    private let listed: DERCertificate

    init() throws {
        machine = try Deployment()
        root = try Trust.make("Root", key, number: 0, names: [])
        middle = try Trust.make("Middle", key, number: 1, names: [], issuer: "Root")
        leaf = try Trust.make("Leaf", key, number: 2, names: ["leaf.example"], issuer: "Middle")
        listed = try Vector.certificate("p256-certificate.pem")
        try machine.file("roots.crt", Vector.bytes("p256-certificate.pem"))
    }

    private func judge(
        _ certificate: DERCertificate? = nil, adding more: [DERCertificate] = [], given: [DERCertificate] = []
    ) async throws -> TrustVerdict {
        let certificate = certificate ?? leaf
        let system = try SystemTrust(machine.places)
        let evaluation = try TrustEvaluation(system, adding: more, intermediates: given, for: certificate)
        return await evaluation.evaluate(certificate, for: .any, at: Date())
    }

    @Test func `a deployed authority that issued itself is a root, beside those of the system's list`() async throws {
        #expect(try await judge(listed).reason == nil)
        #expect(try await judge(given: [middle]).reason == .unknownIssuer)
        try machine.file("own/root.der", root.der)
        #expect(try await judge(given: [middle]).chain == [leaf, middle, root])
        #expect(try await judge(given: [middle]).reason == nil)
        let system = try SystemTrust(machine.places)
        #expect(system.anchors.map(\.keychain) == [.systemRoots, .system])
        #expect(system.keychain(of: root) == .system && system.keychain(of: listed) == .systemRoots)
        #expect(system.keychain(of: leaf) == nil)
    }

    @Test func `a deployed authority of somebody else stands below a root, and is none`() async throws {
        try machine.file("own/middle.der", middle.der)
        #expect(try await judge().reason == .unknownIssuer)
        #expect(try SystemTrust(machine.places).intermediates.map(\.certificate) == [middle])
        #expect(try await judge(adding: [root]).chain == [leaf, middle, root])
        try machine.file("own/root.der", root.der)
        #expect(try await judge().reason == nil)
    }

    @Test func `a deployed certificate that issued itself and is no authority is no root`() async throws {
        let alone = try makeLeaf("alone.example")
        try machine.file("own/alone.der", alone.der)
        #expect(try await judge(alone).reason == .unknownRoot)
        #expect(try SystemTrust(machine.places).anchors.map(\.certificate) == [listed])
    }

    @Test func `what is refused is trusted by nobody`() async throws {
        try machine.file("own/root.der", root.der, mode: 0o666)
        #expect(try await judge(given: [middle]).reason == .unknownIssuer)
        let system = try SystemTrust(machine.places)
        #expect(system.anchors.count == 1 && system.refused.map(\.code) == ["writableByOthers"])
    }

    @Test func `without the system nothing is trusted but what is given`() async throws {
        func judge(_ more: [DERCertificate]) async throws -> TrustFailure.Reason? {
            let evaluation = try TrustEvaluation(.none, adding: more, intermediates: [middle], for: leaf)
            return await evaluation.evaluate(leaf, for: .any, at: Date()).reason
        }
        #expect(SystemTrust.none.anchors.isEmpty && SystemTrust.none.intermediates.isEmpty)
        #expect(try await judge([]) == .unknownIssuer)
        #expect(try await judge([root]) == nil)
    }

    @Test func `more certificates may be deployed than an evaluation tries`() async throws {
        for number in 0..<100 {
            let one = try Trust.make("Other \(number)", key, number: 100 + number, names: [], issuer: "Root")
            try machine.file("own/\(100 + number).der", one.der)
        }
        try machine.file("own/z.der", middle.der)
        try machine.file("own/zz.der", root.der)
        let others = try (0..<63).map { try Trust.make("Given \($0)", key, number: 300 + $0, names: [], issuer: "X") }
        #expect(try await judge(given: others).chain == [leaf, middle, root])
    }

    @Test func `a ring of deployed certificates ends`() throws {
        for number in 0..<80 {
            let one = try Trust.make("Middle", key, number: 100 + number, names: [], issuer: "Middle 2")
            let other = try Trust.make("Middle 2", key, number: 300 + number, names: [], issuer: "Middle")
            try machine.file("own/\(100 + number).pem", Self.pem([one, other]))
        }
        let system = try SystemTrust(machine.places)
        #expect(system.intermediates.count == 160)
        #expect(system.intermediates(above: [leaf], atMost: 64).count == 64)
        #expect(system.intermediates(above: [leaf], atMost: 500).count == 160)
    }

    @Test func `a root that stands in both keychains is tried once`() throws {
        try machine.file("own/listed.der", listed.der)
        let system = try SystemTrust(machine.places)
        #expect(system.anchors.count == 2 && system.roots.certificates == [listed])
    }

    @Test func `without a list the deployed roots are enough, and without those it is said`() async throws {
        try FileManager.default.removeItem(atPath: machine.path("roots.crt"))
        #expect(throws: (any Error).self) { try SystemTrust(machine.places) }
        try machine.file("own/middle.der", middle.der)
        #expect(throws: (any Error).self) { try SystemTrust(machine.places) }
        try machine.file("own/root.der", root.der)
        #expect(try await judge().reason == nil)
    }

    @Test func `a list that is damaged is not passed over`() throws {
        try machine.file("own/root.der", root.der)
        try machine.file("roots.crt", Array("-----BEGIN CERTIFICATE-----\n".utf8))
        #expect(throws: CertificateReadError.self) { try SystemTrust(machine.places) }
    }

    private func makeLeaf(_ name: String) throws -> DERCertificate {
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(7), publicKey: key.publicKey, notValidBefore: Date() - 100,
            notValidAfter: Date() + 100_000, issuer: try DistinguishedName { CommonName(name) },
            subject: try DistinguishedName { CommonName(name) }, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                SubjectAlternativeNames([.dnsName(name)])
            }, issuerPrivateKey: key)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return try DERCertificate(serializer.serializedBytes)
    }

    private static func pem(_ certificates: [DERCertificate]) -> [UInt8] {
        certificates.flatMap { Array((PEMDocument(type: "CERTIFICATE", derBytes: $0.der).pemString + "\n").utf8) }
    }
}
