import Foundation
import Secrets
import Testing
import Thoroughness

@testable import Certificates

/// Messages that OpenSSL signs, in the forms in which configuration profiles come.
@Suite(.enabled(if: Tools.hasOpenSSL)) struct SignedMessages {
    /// An authority, somebody whom it has given a certificate, and what they sign.
    private final class Desk {
        let folder = NSTemporaryDirectory() + "tresor-cms-" + UUID().uuidString
        static let content = "a content with a password\n"

        init(_ key: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]) throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try write("content", Array(Self.content.utf8))
            try write("extensions", Array("keyUsage=digitalSignature\nsubjectKeyIdentifier=hash\n".utf8))
            try write("sealing", Array("keyUsage=keyEncipherment\n".utf8))
            try openssl(
                ["req", "-x509", "-newkey"] + key + [
                    "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=CA",
                ])
            try openssl(
                ["req", "-newkey"] + key + ["-nodes", "-keyout", "a.key", "-out", "a.csr", "-subj", "/CN=Anna"])
            try issue("extensions", to: "a.pem")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func issue(_ extensions: String, to name: String) throws {
            try openssl([
                "x509", "-req", "-in", "a.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", name,
                "-extfile", extensions, "-days", "30",
            ])
        }

        func write(_ name: String, _ bytes: [UInt8]) throws {
            try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
        }

        func openssl(_ arguments: [String]) throws {
            let files = [
                "-out", "-in", "-keyout", "-CA", "-CAkey", "-extfile", "-signer", "-inkey", "-certfile", "-recip",
            ]
            var resolved = arguments
            for index in arguments.indices.dropFirst() where files.contains(arguments[index - 1]) {
                resolved[index] = folder + "/" + arguments[index]
            }
            #expect(try Tools.run("openssl", resolved).status == 0, "\(arguments)")
        }

        func sign(_ options: String..., signer: String = "a.pem", attached: Bool = true) throws -> [UInt8] {
            let attached = attached ? ["-nodetach"] : []
            try openssl(
                [
                    "cms", "-sign", "-binary", "-in", "content", "-signer", signer, "-inkey", "a.key", "-outform",
                    "DER",
                    "-out", "signed",
                ] + attached + options)
            return try bytes("signed")
        }

        func bytes(_ name: String) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
        }

        func authority() throws -> DERCertificate { try Vector.read(try bytes("ca.pem")).certificates[0] }
    }

    private static func read(_ bytes: [UInt8]) throws(CertificateReadError) -> SignedMessage {
        try bytes.withSpan { (span) throws(CertificateReadError) in try SignedMessage(span) }
    }

    private static func content(_ message: borrowing SignedMessage) -> String {
        message.content.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
    }

    private static func refusal(_ bytes: [UInt8]) -> CertificateReadError? { failure { _ = try read(bytes) } }

    @Test(arguments: [
        ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], ["ec", "-pkeyopt", "ec_paramgen_curve:P-384"], ["rsa:2048"],
    ])
    func `a signed content is read, and its signer trusted by the authority's root alone`(_ key: [String]) async throws
    {
        let desk = try Desk(key)
        let message = try Self.read(try desk.sign())
        #expect(Self.content(message) == Desk.content)
        #expect(message.signer.subject.contains("Anna"))
        let trusted = try await message.evaluate(TrustRoots([try desk.authority()]), at: Date())
        #expect(trusted.reason == nil)
        let unknown = try await message.evaluate(TrustRoots(), at: Date())
        #expect(unknown.reason == .unknownIssuer)
        let late = try await message.evaluate(TrustRoots([try desk.authority()]), at: Date() + 40 * 86400)
        #expect(late.chain != [] && late.reason != nil)
    }

    @Test(arguments: [["-stream"], ["-keyid"], ["-md", "sha512"], ["-md", "sha384"], ["-nosmimecap"]])
    func `lengths that are left out, key identifiers and longer hashes are read too`(_ options: [String]) throws {
        let desk = try Desk()
        let message = try Self.read(try options.count == 1 ? desk.sign(options[0]) : desk.sign(options[0], options[1]))
        #expect(Self.content(message) == Desk.content)
    }

    @Test func `what is not one verified signature over a content inside is refused with the reason`() throws {
        let desk = try Desk()
        #expect(Self.refusal(try desk.sign(attached: false))?.description == "CMS: content: is not in it")
        #expect(Self.refusal(try desk.sign("-noattr"))?.description == "CMS: signed attributes: are missing")
        #expect(
            Self.refusal(try desk.sign("-md", "sha1"))?.description
                == "CMS: digest algorithm: is SHA-1, which can be forged")
        #expect(Self.refusal(try desk.sign("-nocerts"))?.places == ["CMS", "signer"])
        try desk.issue("sealing", to: "sealing.pem")
        #expect(
            Self.refusal(try desk.sign(signer: "sealing.pem"))?.description
                == "CMS: signer: has a key that is not for signing")
        let two = try desk.sign("-signer", "ca.pem", "-inkey", "ca.key")
        #expect(Self.refusal(two)?.description == "CMS: signers: are more than one")
        try desk.openssl(
            ["cms", "-encrypt", "-aes256", "-in", "content", "-outform", "DER", "-out", "sealed", "-recip", "a.pem"])
        #expect(Self.refusal(try desk.bytes("sealed"))?.message.contains("is encrypted") == true)
        #expect(Self.refusal([])?.code == .damaged)
    }

    @Test func `a content or a signature that was changed is refused`() throws {
        let desk = try Desk()
        let signed = try desk.sign()
        let text = Array("password".utf8)
        let place = try #require(signed.indices.first { signed[$0...].starts(with: text) })
        var forged = signed
        forged[place] ^= 1
        #expect(Self.refusal(forged)?.message == "was changed after it was signed")
        forged = signed
        forged[signed.count - 5] ^= 1
        #expect(Self.refusal(forged) != nil)
        #expect(Self.refusal(signed + [0]) != nil)
    }

    @Test func `of mutated messages none says another content than was signed`() throws {
        let desk = try Desk()
        let samples = [try desk.sign(), try desk.sign("-stream"), try desk.sign("-keyid")]
        var state = UInt64.random(in: .min ... .max)
        let seed = state
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        for _ in 0..<Thoroughness.count(400, soak: 3000) {
            var bytes = samples[random(samples.count)]
            for _ in 0...random(3) {
                let place = random(bytes.count)
                switch random(4) {
                case 0: bytes[place] ^= 1 << UInt8(random(8))
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(UInt8(random(256)), at: place)
                default: bytes[place] = UInt8(random(256))
                }
            }
            if let message = try? Self.read(bytes) {
                #expect(Self.content(message) == Desk.content, "seed \(seed)")
            }
        }
    }
}
