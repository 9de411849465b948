import Certificates
import Crypto
import Foundation
import Linux
import SwiftASN1
import Tresor
import TresorSecurity
import Wire
import X509

/// What Apple's names cost beside the SDK that stands under them, and what a chain of certificates takes.
final class AppleBench {
    private let device: BenchDevice
    private static let operations = 4000
    private static let items = 100
    private static let evaluations = 1000

    init(programs: String) throws { device = try BenchDevice(programs: programs) }

    func finish() throws {
        try? device.stop()
        try device.remove()
    }

    func run() async throws {
        say("\nApple's names: one secret of \(Self.items), three ways by turns (µs)")
        try await reads()
        say("\ncertificates: leaf, intermediate and root, ECDSA with P-256, for a TLS server (µs)")
        try await chains()
    }

    // MARK: Reading

    private func reads() async throws {
        let transport = try device.connect()
        for number in 0..<Self.items { try transport.add(Bench.item(number)) }
        let keychain = try Keychain()
        var times = (socket: [UInt64](), sdk: [UInt64](), apple: [UInt64]())
        for index in 0..<Self.operations {
            let number = index % Self.items
            times.socket.append(try nanoseconds { try transport.find(Bench.query(number, returning: .data)) })
            let begin = SystemClock.monotonicNanoseconds()
            _ = try await keychain.read(.password(service: "service \(number)", account: "account \(number)"))
            times.sdk.append(SystemClock.monotonicNanoseconds() - begin)
            times.apple.append(try nanoseconds { try Self.copyMatching(number) })
        }
        let (sdk, apple) = (Samples(times.sdk, elapsed: 0), Samples(times.apple, elapsed: 0))
        row("request on the socket", Samples(times.socket, elapsed: 0))
        row("Keychain.read", sdk)
        row("SecItemCopyMatching", apple, String(format: "× %.2f beside Keychain.read", apple.p50 / sdk.p50))
    }

    private static func copyMatching(_ number: Int) throws {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "service \(number)",
            kSecAttrAccount: "account \(number)", kSecReturnData: true,
        ]
        var result: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess,
            (result as? Data)?.count == "secret \(number)".utf8.count
        else { throw BenchFailure("SecItemCopyMatching did not find its item") }
    }

    // MARK: Trust

    private func chains() async throws {
        let chain = try BenchChain()
        let own = TrustRoots([try DERCertificate(chain.root)])
        row("verify, its root alone", try await evaluate(chain, own))
        row("read from DER and verify", try await evaluate(chain, own, readsEachTime: true))
        guard let system = try? TrustRoots.system() else { return }
        let roots = system.adding(own.certificates)
        row("verify, among \(roots.certificates.count) roots", try await evaluate(chain, roots))
    }

    private func evaluate(_ chain: BenchChain, _ roots: TrustRoots, readsEachTime: Bool = false) async throws -> Samples
    {
        guard let name = ServerName(BenchChain.host) else { throw BenchFailure("no server's name") }
        var (leaf, intermediate) = (try DERCertificate(chain.leaf), try DERCertificate(chain.intermediate))
        var times: [UInt64] = []
        for _ in 0..<Self.evaluations {
            let begin = SystemClock.monotonicNanoseconds()
            if readsEachTime {
                (leaf, intermediate) = (try DERCertificate(chain.leaf), try DERCertificate(chain.intermediate))
            }
            let verdict = try await TrustEvaluation(roots: roots, intermediates: [intermediate])
                .evaluate(leaf, for: .tlsServer(name), at: Date())
            times.append(SystemClock.monotonicNanoseconds() - begin)
            guard case .trusted(let trusted) = verdict, trusted.count == 3 else {
                throw BenchFailure("the chain of three is not trusted")
            }
        }
        return Samples(times, elapsed: 0)
    }
}

/// Three certificates in DER, made anew in each run.
private struct BenchChain {
    static let host = "server.example"
    let leaf: [UInt8]
    let intermediate: [UInt8]
    let root: [UInt8]

    init() throws {
        let keys = (root: P256.Signing.PrivateKey(), intermediate: P256.Signing.PrivateKey())
        let leafKey = P256.Signing.PrivateKey()
        root = try Self.certificate("Root", keys.root.publicKey, by: "Root", keys.root) {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
            Critical(KeyUsage(keyCertSign: true))
        }
        intermediate = try Self.certificate("Intermediate", keys.intermediate.publicKey, by: "Root", keys.root) {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
            Critical(KeyUsage(keyCertSign: true))
        }
        leaf = try Self.certificate("Leaf", leafKey.publicKey, by: "Intermediate", keys.intermediate) {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            try ExtendedKeyUsage([.serverAuth])
            SubjectAlternativeNames([.dnsName(Self.host)])
        }
    }

    private static func certificate(
        _ name: String, _ key: P256.Signing.PublicKey, by issuer: String, _ issuerKey: P256.Signing.PrivateKey,
        @ExtensionsBuilder _ extensions: () throws -> Result<Certificate.Extensions, any Error>
    ) throws -> [UInt8] {
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key),
            notValidBefore: Date() - 3600, notValidAfter: Date() + 86_400,
            issuer: try DistinguishedName { CommonName(issuer) }, subject: try DistinguishedName { CommonName(name) },
            signatureAlgorithm: .ecdsaWithSHA256, extensions: try Certificate.Extensions(builder: extensions),
            issuerPrivateKey: Certificate.PrivateKey(issuerKey))
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
