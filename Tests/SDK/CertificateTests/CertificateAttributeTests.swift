import Foundation
import Secrets
import Testing

@testable import Certificates

/// What a keychain needs to know of a certificate, compared with what OpenSSL says where it is there.
@Suite struct Attributes {
    @Test func `a certificate says what it is filed under`() throws {
        let certificate = try Vector.certificate("p256-certificate.pem")
        #expect(certificate.summary == "p256.example")
        #expect(certificate.subject == "CN=p256.example,O=Tresor tests")
        #expect(certificate.issuer == certificate.subject && certificate.isSelfIssued && certificate.isAuthority)
        #expect(certificate.certificateType == 3)
        #expect(certificate.subjectDER == certificate.issuerDER && certificate.subjectDER.first == 0x30)
        #expect(certificate.publicKey.count == 65)
        // RFC 5280, 4.2.1.2, method 1, which OpenSSL uses, is the keychain's label.
        #expect(certificate.subjectKeyIdentifier == certificate.publicKeyHash)
        #expect(certificate.notBefore < certificate.notAfter)
        #expect(certificate.fingerprint.count == 32)
        #expect((1...20).contains(certificate.serialNumber.count))
    }

    @Test(.enabled(if: Tools.hasOpenSSL, "openssl is not installed"))
    func `serial number and fingerprint are OpenSSL's`() throws {
        let path = Vector.folder.appendingPathComponent("Vectors/rsa-certificate.pem").path
        let run = try Tools.run(
            "openssl", ["x509", "-noout", "-serial", "-fingerprint", "-sha256", "-in", path])
        let certificate = try Vector.certificate("rsa-certificate.pem")
        let text = run.output.lowercased().replacingOccurrences(of: ":", with: "")
        let serial = Hexadecimal.encode(certificate.serialNumber)
        #expect(text.contains("serial=" + (serial.hasPrefix("00") ? String(serial.dropFirst(2)) : serial)))
        #expect(text.contains("fingerprint=" + Hexadecimal.encode(certificate.fingerprint)))
    }

    @Test func `another algorithm inside than outside is refused`() throws {
        var der = try Vector.bytes("p256-certificate.der")
        // ecdsa-with-SHA256 stands twice; the last byte of the inner one becomes SHA-512's.
        let name: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
        let start = try #require(der.indices.first { Array(der[$0...].prefix(name.count)) == name })
        der[start + name.count - 1] = 0x04
        let error = failure { _ = try Vector.read(der) }
        #expect(error?.description == "TBSCertificate: signature algorithm: is another inside than outside")
    }

    @Test func `a length in more bytes than it needs is refused`() throws {
        let der = try Vector.bytes("p256-certificate.der")
        let long = [0x30, 0x83, 0x00] + der[2...]
        let error = failure { _ = try Vector.read(Array(long)) }
        #expect(error?.message == "has a length that is not in its shortest form")
    }

    @Test(arguments: [1, 40, 200, 400])
    func `a certificate that is cut short is damaged`(_ count: Int) throws {
        let der = try Vector.bytes("p256-certificate.der")
        #expect(failure { _ = try Vector.read(der.dropLast(count)) }?.code == .damaged)
    }

    @Test func `object identifiers are written as they are read`() {
        #expect(ObjectIdentifier.aes256CBC.description == "2.16.840.1.101.3.4.1.42")
        #expect(ObjectIdentifier(encoded: ObjectIdentifier.pbes2.bytes) == .pbes2)
        #expect(ObjectIdentifier(encoded: [0x2A, 0x80, 0x01]) == nil)
        #expect(ObjectIdentifier(encoded: [0x2A, 0x86]) == nil)
        #expect(ObjectIdentifier(encoded: []) == nil)
    }
}
