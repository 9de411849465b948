import ProcessorTime
import Secrets
import Testing

@testable import Certificates

/// PKCS#12 files of OpenSSL, and forms that it does not write.
@Suite struct PKCS12 {
    @Test(arguments: [
        "default", "mac-sha1", "mac-sha384", "mac-sha512", "pbmac1", "bare-key", "rsa", "p384", "p521", "ed25519",
        "few-rounds",
    ])
    func `a file gives certificate, key and names`(_ name: String) throws {
        let contents = try Vector.open("\(name).p12")
        #expect(contents.certificates.count == 1 && contents.keys.count == 1)
        #expect(contents.identities.count == 1)
        #expect(contents.certificates[0].labels.friendlyName == "Grüße")
        #expect(contents.keys[0].labels.friendlyName == "Grüße")
        #expect(contents.certificates[0].labels.localKeyID?.count == 20)
        #expect(contents.certificates[0].labels.localKeyID == contents.keys[0].labels.localKeyID)
        #expect(contents.skipped.isEmpty)
    }

    @Test func `further certificates come along, and make no identity`() throws {
        let contents = try Vector.open("with-more-certificates.p12")
        #expect(contents.certificates.map(\.certificate.summary) == ["p256.example", "rsa.example", "p384.example"])
        #expect(contents.identities.map(\.certificate.summary) == ["p256.example"])
    }

    @Test(arguments: ["empty-passphrase.p12", "unicode-passphrase.p12"])
    func `an empty passphrase opens, and so does one beyond the basic plane`(_ name: String) throws {
        let passphrase = name.hasPrefix("empty") ? "" : "grüße 🗝"
        #expect(try Vector.open(name, passphrase).identities.count == 1)
        #expect(failure { _ = try Vector.open(name, "x") }?.code == .wrongPassphrase)
    }

    @Test(arguments: ["default", "mac-sha1", "pbmac1", "bare-key"], ["", "Correct horse", "correct horse "])
    func `a wrong passphrase is called wrong before anything is opened`(_ name: String, _ passphrase: String) {
        let error = failure { _ = try Vector.open("\(name).p12", passphrase) }
        #expect(error?.code == .wrongPassphrase)
        #expect(error?.description == "PKCS#12: the passphrase is wrong, or the file is damaged")
    }

    @Test func `a passphrase that is no text opens nothing`() throws {
        let bytes = try Vector.bytes("default.p12")
        let passphrase = try [0xFF, 0xFE].withSpan { try SecretBytes(copying: $0) }
        let error = failure { try bytes.withSpan { _ = try PKCS12File.open($0, with: passphrase) } }
        #expect(error?.code == .wrongPassphrase)
    }

    @Test(arguments: [
        ("legacy", CertificateReadError.Code.legacyPKCS12, "PBE-SHA1-RC2-40"),
        ("legacy-key", .legacyPKCS12, "PBE-SHA1-3DES"), ("3des", .unsupported, "3DES"),
        ("without-mac", .unsupported, "MAC: is missing"), ("ber", .unsupported, "BER of indefinite length"),
        ("pieces", .unsupported, "BER in pieces"), ("bomb", .tooLarge, "10000001 rounds"),
        ("large-bomb", .tooLarge, "larger than 2^31 - 1"),
    ])
    func `what is refused is refused by name`(
        _ name: String, _ code: CertificateReadError.Code, _ word: String
    ) {
        var error: CertificateReadError?
        let time = ProcessorTime.of { error = failure { _ = try Vector.open("\(name).p12") } }
        #expect(error?.code == code)
        #expect(error?.description.contains(word) == true, "\(error?.description ?? "no error")")
        #expect((error?.hint != nil) == (code == .legacyPKCS12))
        #expect(code != .tooLarge || time < .seconds(1))
    }

    @Test func `bytes behind the end are refused`() throws {
        let bytes = try Vector.bytes("default.p12") + [0]
        #expect(failure { _ = try Vector.open(bytes) }?.description == "PKCS#12: file: 1 bytes too many at the end")
    }

    @Test func `a changed byte in what the MAC covers is called damage or a wrong passphrase`() throws {
        let bytes = try Vector.bytes("few-rounds.p12")
        for offset in stride(from: 60, to: bytes.count - 100, by: 7) {
            var changed = bytes
            changed[offset] ^= 0x40
            let code = failure { _ = try Vector.open(changed) }?.code
            #expect(code == .wrongPassphrase)
        }
    }

    @Test func `the work of one file is bounded, not only that of one key`() throws {
        var budget = WorkBudget()
        try budget.spend(10_000_000)
        try budget.spend(9_999_999)
        #expect(throws: CertificateReadError.self) { try budget.spend(2) }
        try budget.spend(1)
        #expect(throws: CertificateReadError.self) { try budget.spend(0) }
    }

    @Test func `a PKCS 12 file is recognized where certificates were expected`() throws {
        let bytes = try Vector.bytes("default.p12")
        #expect(bytes.withSpan { CertificateFile.isPKCS12($0) })
        #expect(failure { _ = try Vector.read(bytes) }?.code == .unsupported)
    }

    /// RFC 7292, appendix B; the numbers were worked out with Python from its text, block by block.
    @Test func `appendix B derives what Python derives`() throws {
        let salt: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let key = try PKCS12Check.deriveKey(from: Vector.passphrase("smeg"), true, .sha256, salt, 1000)
        let hex = key.withBytes { Hexadecimal.encode($0.copyToArray()) }
        #expect(hex == PKCS12.expected)
    }

    static let expected = "e4997ad5c1b62ae227b432cfa10d244920a3bf0b6566bcc56fc418515eeb9b28"
}
