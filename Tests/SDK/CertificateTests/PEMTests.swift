import Testing

@testable import Certificates

/// Text in, blocks out; whatever is not in RFC 7468's strict form is refused and located.
@Suite struct PEM {
    @Test(arguments: ["bundle.pem", "bundle-crlf.pem"])
    func `a file of several blocks with text between them gives all of them`(_ name: String) throws {
        let file = try Vector.file(name)
        #expect(file.certificates.map(\.summary) == ["p256.example", "rsa.example"])
        #expect(file.keys.map(\.algorithm) == [.p256, .rsa, .p384])
        #expect(Identity.pairs(file.certificates, file.keys).map(\.key.algorithm) == [.p256, .rsa])
    }

    @Test func `a certificate in DER is the same as in PEM`() throws {
        let der = try Vector.file("p256-certificate.der")
        #expect(try der.certificates == Vector.file("p256-certificate.pem").certificates)
    }

    @Test func `a block without its end is told to be cut short, with its line`() throws {
        let text = try Vector.text("p256-certificate.pem")
        let cut = "comment\n" + text.prefix(300)
        let error = failure { _ = try Vector.read(Array(cut.utf8)) }
        #expect(error?.code == .damaged)
        #expect(error?.description == "line 2: BEGIN CERTIFICATE has no END; the file is cut short")
    }

    @Test(arguments: [
        ("a line too long", "one-line.pem", "line 2: no base64 in lines of 64 characters"),
        ("a short line in the middle", "", "line 3: no base64 in lines of 64 characters"),
    ])
    func `lines of another length are refused`(_ title: String, _ name: String, _ message: String) throws {
        let short = "-----BEGIN CERTIFICATE-----\nAAAA\nAAAA\n-----END CERTIFICATE-----\n"
        let text = name.isEmpty ? short : try Vector.text(name)
        #expect(failure { _ = try Vector.read(Array(text.utf8)) }?.description == message)
    }

    @Test(arguments: ["A===", "AAA", "AB==", "AAB=", "A=AA", "AA=A", "=AAA", "AA A", "AAAA=", "====", "AAA\u{e4}"])
    func `base64 that is not canonical is refused`(_ line: String) {
        let text = "-----BEGIN CERTIFICATE-----\n\(line)\n-----END CERTIFICATE-----\n"
        #expect(failure { _ = try Vector.read(Array(text.utf8)) }?.code == .damaged)
    }

    @Test(arguments: [
        "-----END CERTIFICATE-----", "-----BEGIN CERTIFICATE----", "-----BEGIN -----", "------BEGIN X-----",
        "-----BEGIN \u{1b}[2J-----", "-----BEGIN A-----\nAAAA\n-----END B-----",
        "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----",
    ])
    func `boundaries that are none are refused`(_ text: String) {
        #expect(failure { _ = try Vector.read(Array(text.utf8)) }?.code == .damaged)
    }

    @Test func `an unknown block is refused by its name`() {
        let text = "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n"
        let error = failure { _ = try Vector.read(Array(text.utf8)) }
        #expect(error?.code == .unsupported)
        #expect(error?.description == "line 1: CERTIFICATE REQUEST: neither a certificate nor a private key")
    }

    @Test(arguments: ["", "hello", "0 s:CN = example", "0123456789", "0\u{2}\u{1}"])
    func `a file of something else is not recognized`(_ text: String) {
        #expect(failure { _ = try Vector.read(Array(text.utf8)) }?.code == .unrecognized)
    }

    @Test func `more than a megabyte is refused before it is read`() {
        #expect(failure { _ = try Vector.read([UInt8](repeating: 0x30, count: 1 << 20 + 1)) }?.code == .tooLarge)
    }

    @Test func `more than a thousand blocks are refused`() throws {
        let text = String(repeating: try Vector.text("p256-certificate.pem"), count: 1001)
        #expect(failure { _ = try Vector.read(Array(text.utf8)) }?.code == .tooLarge)
    }
}
