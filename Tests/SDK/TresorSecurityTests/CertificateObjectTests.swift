import TresorCoreFoundation
import Foundation
import TresorSecurity
import Testing

/// Certificates, PKCS#12 and trust, without a keychain.
@Suite struct CertificateObjects {
    @Test func `a certificate is what its bytes are`() throws {
        let der = try Vector.der("p256-certificate.pem")
        let certificate = try #require(SecCertificateCreateWithData(nil, der as CFData))
        #expect(Data(referencing: SecCertificateCopyData(certificate)) == der)
        #expect(SecCertificateCreateWithData(nil, der as CFData) == certificate)
        #expect(SecCertificateCreateWithData(nil, der.dropLast() as CFData) == nil)
        #expect(SecCertificateCreateWithData(nil, (der + [0]) as CFData) == nil)
        #expect(SecCertificateCreateWithData(nil, Data() as CFData) == nil)
        #expect(SecCertificateCreateWithData(nil, Data(count: 200_000) as CFData) == nil)
        let key = try #require(SecCertificateCopyKey(certificate))
        #expect(try Keys.exported(key).count == 65)
    }

    @Test func `a certificate of Ed25519 has no key object`() throws {
        let der = try Vector.der("ed25519-certificate.pem")
        #expect(SecCertificateCopyKey(try #require(SecCertificateCreateWithData(nil, der as CFData))) == nil)
    }

    @Test(.enabled(if: OpenSSL.isThere)) func `names and serial number are those that openssl wrote`() throws {
        let tool = try OpenSSL()
        try tool.write(
            "config",
            """
            [req]
            distinguished_name = name
            x509_extensions = extensions
            prompt = no
            [name]
            O = Example
            CN = Anna
            emailAddress = anna@example.org
            [extensions]
            subjectAltName = email:a@example.net,email:anna@example.org
            """)
        try tool.run(
            "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -config config"
                + " -set_serial 0x0123 -outform DER -out c.der"
        )
        let certificate = try #require(SecCertificateCreateWithData(nil, try tool.read("c.der") as CFData))
        var name: CFString?
        #expect(SecCertificateCopyCommonName(certificate, &name) == errSecSuccess)
        #expect(name as String? == "Anna")
        #expect(SecCertificateCopySubjectSummary(certificate) as String? == "Anna")
        var addresses: CFArray?
        #expect(SecCertificateCopyEmailAddresses(certificate, &addresses) == errSecSuccess)
        #expect(addresses as? [String] == ["a@example.net", "anna@example.org"])
        #expect(SecCertificateCopySerialNumberData(certificate, nil) as Data? == Data([0x01, 0x23]))
        #expect(
            SecCertificateCopyNormalizedIssuerSequence(certificate)
                == SecCertificateCopyNormalizedSubjectSequence(certificate))
    }

    private func open(_ file: Data, _ passphrase: Any?) -> (items: [[CFString: Any]]?, status: OSStatus) {
        var items: CFArray?
        let options = passphrase.map { [kSecImportExportPassphrase: $0] } ?? [:]
        let status = SecPKCS12Import(file as CFData, options as CFDictionary, &items)
        return (items as? [[CFString: Any]], status)
    }

    @Test(arguments: ["rsa.p12", "p384.p12", "p521.p12", "default.p12"])
    func `a PKCS#12 file gives an identity, its chain and a trust`(name: String) throws {
        let opened = open(try Vector.data(name), "correct horse")
        #expect(opened.status == errSecSuccess)
        let item = try #require(opened.items?.first)
        let identity = try #require(item[kSecImportItemIdentity] as? SecIdentity)
        var certificate: SecCertificate?
        var key: SecKey?
        #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
        #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
        #expect(SecKeyCopyPublicKey(try #require(key)) == SecCertificateCopyKey(try #require(certificate)))
        #expect((item[kSecImportItemCertChain] as? [SecCertificate])?.first == certificate)
        #expect(((item[kSecImportItemKeyID] as? Data)?.count ?? 0) > 0)
        let trust = try #require(item[kSecImportItemTrust] as? SecTrust)
        #expect(SecTrustCopyKey(trust) == SecCertificateCopyKey(try #require(certificate)))
    }

    @Test func `a PKCS#12 file that does not open says why`() throws {
        let file = try Vector.data("p384.p12")
        #expect(open(file, "wrong").status == errSecAuthFailed)
        #expect(open(file, nil).status == errSecPassphraseRequired)
        #expect(open(file, 7).status == errSecParam)
        #expect(open(file.dropLast(), "correct horse").status == errSecDecode)
        #expect(open(Data("no file".utf8), "correct horse").status == errSecDecode)
        #expect(open(Data(count: 2_000_000), "correct horse").status == errSecDecode)
        #expect(open(try Vector.data("legacy.p12"), "correct horse").status == errSecUnsupportedFormat)
        #expect(open(try Vector.data("without-mac.p12"), "correct horse").status == errSecUnsupportedFormat)
        #expect(open(try Vector.data("ed25519.p12"), "correct horse").status == errSecUnimplemented)
    }
}

/// Chains that openssl issues.
@Suite(.enabled(if: OpenSSL.isThere)) struct Trusts {
    let root: SecCertificate
    let intermediate: SecCertificate
    let leaf: SecCertificate
    let now = Date()

    init() throws {
        let tool = try OpenSSL()
        let authority = "basicConstraints = critical,CA:true\nkeyUsage = critical,keyCertSign\n"
        try tool.write("ca.ext", authority)
        try tool.write("leaf.ext", "subjectAltName = DNS:mail.example\nextendedKeyUsage = serverAuth\n")
        for name in ["root", "middle", "leaf"] {
            try tool.run(
                "req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
                    + " -keyout \(name).key -subj /CN=\(name) -out \(name).csr"
            )
        }
        try tool.run("x509 -req -in root.csr -signkey root.key -extfile ca.ext -days 30 -set_serial 1 -out root.pem")
        try tool.run(
            "x509 -req -in middle.csr -CA root.pem -CAkey root.key -extfile ca.ext"
                + " -days 30 -set_serial 2 -out middle.pem"
        )
        try tool.run(
            "x509 -req -in leaf.csr -CA middle.pem -CAkey middle.key -extfile leaf.ext"
                + " -days 20 -set_serial 3 -out leaf.pem"
        )
        func certificate(_ name: String) throws -> SecCertificate {
            let der = try tool.run("x509 -in \(name).pem -outform DER")
            return try #require(SecCertificateCreateWithData(nil, der as CFData))
        }
        root = try certificate("root")
        intermediate = try certificate("middle")
        leaf = try certificate("leaf")
    }

    private func trust(
        _ policies: AnyObject? = nil, _ certificates: [SecCertificate]? = nil, anchors: [SecCertificate]? = nil
    ) throws -> SecTrust {
        var trust: SecTrust?
        let all = certificates ?? [leaf, intermediate]
        try #require(SecTrustCreateWithCertificates(all as NSArray, policies, &trust) == errSecSuccess)
        let made = try #require(trust)
        SecTrustSetAnchorCertificates(made, (anchors ?? [root]) as NSArray)
        return made
    }

    private func judge(_ trust: SecTrust) -> Int {
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &error)
        #expect(isTrusted == (error == nil))
        return error?.code ?? 0
    }

    @Test func `a whole chain is trusted, and is given from the leaf to the root`() throws {
        let trust = try trust(SecPolicyCreateSSL(true, "mail.example" as CFString))
        var result = SecTrustResultType.proceed
        #expect(SecTrustGetTrustResult(trust, &result) == errSecSuccess && result == .invalid)
        #expect(judge(trust) == 0)
        #expect(SecTrustGetTrustResult(trust, &result) == errSecSuccess && result == .unspecified)
        #expect(SecTrustCopyCertificateChain(trust) as? [SecCertificate] == [leaf, intermediate, root])
        #expect(SecTrustGetCertificateCount(trust) == 3)
        #expect(SecTrustCopyKey(trust) == SecCertificateCopyKey(leaf))
    }

    @Test func `each reason has its status`() throws {
        #expect(judge(try trust()) == 0)
        #expect(judge(try trust(SecPolicyCreateSSL(true, "other.example" as CFString))) == Int(errSecHostNameMismatch))
        #expect(judge(try trust(SecPolicyCreateSSL(true, "no name" as CFString))) == Int(errSecHostNameMismatch))
        #expect(judge(try trust(SecPolicyCreateSSL(true, nil))) == 0)
        #expect(judge(try trust(SecPolicyCreateSSL(false, nil))) == Int(errSecInvalidExtendedKeyUsage))
        #expect(judge(try trust(nil, [leaf])) == Int(errSecCreateChainFailed))
        #expect(judge(try trust(nil, [root], anchors: [])) == Int(errSecNotTrusted))
        let late = try trust()
        SecTrustSetVerifyDate(late, now.addingTimeInterval(25 * 86_400) as CFDate)
        #expect(judge(late) == Int(errSecCertificateExpired))
        SecTrustSetVerifyDate(late, now.addingTimeInterval(-86_400) as CFDate)
        #expect(judge(late) == Int(errSecCertificateNotValidYet))
        SecTrustSetVerifyDate(late, now.addingTimeInterval(60) as CFDate)
        #expect(judge(late) == 0)
    }

    @Test func `every policy has to be satisfied`() throws {
        let both = [SecPolicyCreateBasicX509(), SecPolicyCreateSSL(true, "other.example" as CFString)] as NSArray
        let trust = try trust(both)
        #expect(judge(trust) == Int(errSecHostNameMismatch))
        #expect(SecTrustSetPolicies(trust, SecPolicyCreateBasicX509()) == errSecSuccess)
        #expect(judge(trust) == 0)
        #expect(SecTrustSetPolicies(trust, "policy" as NSString) == errSecParam)
    }

    @Test func `anchors stand for the system's roots, or beside them`() throws {
        let trust = try trust()
        SecTrustSetAnchorCertificates(trust, [intermediate] as NSArray)
        #expect(judge(trust) == 0)
        SecTrustSetAnchorCertificates(trust, [] as NSArray)
        #expect(judge(trust) != 0)
        SecTrustSetAnchorCertificates(trust, [root] as NSArray)
        SecTrustSetAnchorCertificatesOnly(trust, true)
        #expect(judge(trust) == 0)
        #expect(SecTrustSetAnchorCertificates(trust, ["root"] as NSArray) == errSecParam)
    }

    @Test func `what is no list of certificates makes no trust`() throws {
        var trust: SecTrust?
        #expect(SecTrustCreateWithCertificates([] as NSArray, nil, &trust) == errSecParam)
        #expect(SecTrustCreateWithCertificates([leaf, "leaf"] as NSArray, nil, &trust) == errSecParam)
        let many = Array(repeating: leaf, count: 66) as NSArray
        #expect(SecTrustCreateWithCertificates(many, nil, &trust) == errSecParam)
        #expect(SecTrustCreateWithCertificates(leaf, [] as NSArray, &trust) == errSecParam)
        #expect(trust == nil)
        #expect(SecTrustCreateWithCertificates(leaf, nil, &trust) == errSecSuccess)
    }

    @Test func `all threads of the pool can wait for a verdict at once`() async throws {
        let trusts = try (0..<16).map { _ in try trust() }
        let verdicts = await withTaskGroup(of: Bool.self) { group in
            for trust in trusts { group.addTask { SecTrustEvaluateWithError(trust, nil) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(verdicts == Array(repeating: true, count: 16))
    }
}
