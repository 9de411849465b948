import TresorCoreFoundation
import Foundation
import TresorSecurity
import Testing
import Thoroughness

/// Keys that nobody keeps.
@Suite struct Keys {
    static let sizes = [256, 384, 521, 2048]

    static func type(_ bits: Int) -> CFString { bits < 2048 ? kSecAttrKeyTypeECSECPrimeRandom : kSecAttrKeyTypeRSA }

    static func make(_ type: CFString = kSecAttrKeyTypeECSECPrimeRandom, bits: Int = 256) throws -> SecKey {
        var error: Unmanaged<CFError>?
        let parameters: [CFString: Any] = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits]
        let key = SecKeyCreateRandomKey(parameters as CFDictionary, &error)
        return try #require(key, "\(String(describing: error?.takeRetainedValue()))")
    }

    static func read(_ data: Data, _ type: CFString, _ keyClass: CFString, bits: Int? = nil) -> (SecKey?, Int?) {
        var attributes: [CFString: Any] = [kSecAttrKeyType: type, kSecAttrKeyClass: keyClass]
        if let bits { attributes[kSecAttrKeySizeInBits] = bits }
        var error: Unmanaged<CFError>?
        let key = SecKeyCreateWithData(data as CFData, attributes as CFDictionary, &error)
        return (key, error?.takeRetainedValue().code)
    }

    static func signing(_ key: SecKey, _ algorithm: SecKeyAlgorithm, _ data: Data) -> (Data?, Int?) {
        var error: Unmanaged<CFError>?
        let signature = SecKeyCreateSignature(key, algorithm, data as CFData, &error)
        return (signature.map { Data(referencing: $0) }, error?.takeRetainedValue().code)
    }

    static func verifying(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ data: Data, _ signature: Data
    ) -> (Bool, Int?) {
        var error: Unmanaged<CFError>?
        let isRight = SecKeyVerifySignature(key, algorithm, data as CFData, signature as CFData, &error)
        return (isRight, error?.takeRetainedValue().code)
    }

    static func exported(_ key: SecKey?) throws -> Data {
        let key = try #require(key)
        return Data(referencing: try #require(SecKeyCopyExternalRepresentation(key, nil)))
    }

    @Test(arguments: sizes) func `a key goes out and comes in as the same`(bits: Int) throws {
        let type = Self.type(bits)
        let key = try Self.make(type, bits: bits)
        let bytes = try Self.exported(key)
        let again = try #require(Self.read(bytes, type, kSecAttrKeyClassPrivate, bits: bits).0)
        #expect(again == key)
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        #expect(publicKey != key)
        #expect(SecKeyCopyPublicKey(publicKey) == publicKey)
        let shown = try Self.exported(publicKey)
        #expect(Self.read(shown, type, kSecAttrKeyClassPublic, bits: bits).0 == publicKey)
        #expect(SecKeyGetBlockSize(key) == (bits + 7) / 8)
        if type == kSecAttrKeyTypeECSECPrimeRandom { #expect(bytes.starts(with: shown) && shown.first == 4) }
    }

    @Test func `what is no key is refused by its reason`() throws {
        let key = try Self.exported(try Self.make())
        let ec = kSecAttrKeyTypeEC
        #expect(Self.read(Data(), ec, kSecAttrKeyClassPrivate).1 == Int(errSecDecode))
        #expect(Self.read(key.dropLast(), ec, kSecAttrKeyClassPrivate).1 == Int(errSecDecode))
        #expect(Self.read(key, kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate).1 == Int(errSecDecode))
        #expect(Self.read(key, ec, kSecAttrKeyClassPublic).1 == Int(errSecDecode))
        #expect(Self.read(key, ec, kSecAttrKeyClassPrivate, bits: 384).1 == Int(errSecParam))
        #expect(Self.read(key, ec, kSecAttrKeyClassSymmetric).1 == Int(errSecParam))
        #expect(Self.read(key, "1" as CFString, kSecAttrKeyClassPrivate).1 == Int(errSecParam))
        var foreign = key
        foreign.replaceSubrange(65..<97, with: try Self.exported(try Self.make())[65...])
        #expect(Self.read(foreign, ec, kSecAttrKeyClassPrivate).1 == Int(errSecDecode))
        var offCurve = Data(key.prefix(65))
        offCurve[64] ^= 1
        #expect(Self.read(offCurve, ec, kSecAttrKeyClassPublic).1 == Int(errSecDecode))
        let publicKey = try Self.exported(SecKeyCopyPublicKey(try Self.make(kSecAttrKeyTypeRSA, bits: 2048)))
        #expect(Self.read(publicKey, ec, kSecAttrKeyClassPublic).1 == Int(errSecParam))
    }

    @Test func `changed and cut keys are read as themselves or not at all`() throws {
        var generator = SystemRandomNumberGenerator()
        for bits in Self.sizes {
            let type = Self.type(bits)
            let key = try Self.make(type, bits: bits)
            let halves = [
                (try Self.exported(key), kSecAttrKeyClassPrivate),
                (try Self.exported(SecKeyCopyPublicKey(key)), kSecAttrKeyClassPublic),
            ]
            for (bytes, keyClass) in halves {
                for round in 0..<Thoroughness.count(40, soak: 200) {
                    var changed = round % 4 == 0 ? Data(bytes.prefix(Int.random(in: 0..<bytes.count))) : bytes
                    if !changed.isEmpty {
                        changed[Int.random(in: 0..<changed.count)] ^= UInt8.random(in: 1...255, using: &generator)
                    }
                    guard let read = Self.read(changed, type, keyClass).0 else { continue }
                    #expect(try Self.exported(read) == changed)
                }
            }
        }
    }

    @Test func `parameters that make no key are refused`() {
        func status(_ parameters: [CFString: Any]) -> Int? {
            var error: Unmanaged<CFError>?
            guard SecKeyCreateRandomKey(parameters as CFDictionary, &error) == nil else { return nil }
            return error?.takeRetainedValue().code
        }
        let curve: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256]
        #expect(status([:]) == Int(errSecParam))
        #expect(status([kSecAttrKeyType: kSecAttrKeyTypeEC]) == Int(errSecParam))
        #expect(status(curve.merging([kSecAttrKeySizeInBits: 255]) { $1 }) == Int(errSecParam))
        #expect(status([kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 1024]) == Int(errSecParam))
        #expect(status(curve.merging([kSecPrivateKeyAttrs: "tag"]) { $1 }) == Int(errSecParam))
        let enclave = curve.merging([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]) { $1 }
        #expect(status(enclave) == Int(errSecParam), "nobody would keep it")
        #expect(status(curve.merging([kSecAttrTokenID: "com.example.card"]) { $1 }) == Int(errSecParam))
        #expect(status(curve.merging([kSecAttrService: "s", kSecAttrIsPermanent: true]) { $1 }) != nil)
    }

    @Test func `a signature is right over its message alone, by its key and algorithm alone`() throws {
        let key = try Self.make()
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let message = Data("message".utf8)
        let signature = try #require(Self.signing(key, .ecdsaSignatureMessageX962SHA256, message).0)
        #expect(Self.verifying(publicKey, .ecdsaSignatureMessageX962SHA256, message, signature) == (true, nil))
        let failed = (false, Int(errSecVerifyFailed))
        #expect(Self.verifying(publicKey, .ecdsaSignatureMessageX962SHA384, message, signature) == failed)
        #expect(Self.verifying(publicKey, .ecdsaSignatureMessageX962SHA256, message + [0], signature) == failed)
        #expect(Self.verifying(publicKey, .ecdsaSignatureMessageX962SHA256, message, signature + [0]) == failed)
        #expect(Self.verifying(publicKey, .ecdsaSignatureMessageX962SHA256, message, Data()) == failed)
        let other = try #require(SecKeyCopyPublicKey(try Self.make()))
        #expect(Self.verifying(other, .ecdsaSignatureMessageX962SHA256, message, signature) == failed)
        let unfit = (false, Int(errSecParam))
        #expect(Self.verifying(publicKey, .rsaSignatureMessagePSSSHA256, message, signature) == unfit)
        #expect(Self.verifying(key, .ecdsaSignatureMessageX962SHA256, message, signature) == unfit)
        #expect(Self.signing(publicKey, .ecdsaSignatureMessageX962SHA256, message).1 == Int(errSecParam))
        #expect(Self.signing(key, .ecdhKeyExchangeStandard, message).1 == Int(errSecParam))
        #expect(Self.signing(key, SecKeyAlgorithm(rawValue: "algid:sign:ECDSA:RFC4754"), message).1 == Int(errSecParam))
    }

    @Test func `a hash has the length of its algorithm`() throws {
        for bits in Self.sizes {
            let type = Self.type(bits)
            let key = try Self.make(type, bits: bits)
            let algorithm: SecKeyAlgorithm =
                type == kSecAttrKeyTypeRSA ? .rsaSignatureDigestPSSSHA384 : .ecdsaSignatureDigestX962SHA384
            #expect(Self.signing(key, algorithm, Data(count: 48)).0 != nil)
            for count in [0, 32, 47, 49, 64] {
                #expect(Self.signing(key, algorithm, Data(count: count)).1 == Int(errSecParam))
            }
        }
    }

    /// RFC 6979, A.2.5: the key, and the signature of "sample" with SHA-256.
    @Test func `RFC 6979's key and signature are understood`() throws {
        let point = Data(
            hex: "0460FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
                + "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299")
        let number = Data(hex: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
        #expect(Self.read(point + number, kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate).0 != nil)
        let key = try #require(Self.read(point, kSecAttrKeyTypeEC, kSecAttrKeyClassPublic).0)
        let signature = Data(
            hex: "3046022100EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
                + "022100F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8")
        let sample = Data("sample".utf8)
        #expect(Self.verifying(key, .ecdsaSignatureMessageX962SHA256, sample, signature).0)
        let hash = Data(hex: "AF2BDBE1AA9B6EC1E2ADE1D694F41FC71A831D0268E9891562113D8A62ADD1BF")
        #expect(Self.verifying(key, .ecdsaSignatureDigestX962SHA256, hash, signature).0)
        #expect(!Self.verifying(key, .ecdsaSignatureMessageX962SHA256, Data("test".utf8), signature).0)
        // The same numbers in BER, a zero too many (Wycheproof: "BER encoded").
        let padded = Data(hex: "304702220000" + signature.hex.dropFirst(10))
        #expect(!Self.verifying(key, .ecdsaSignatureMessageX962SHA256, sample, padded).0)
    }

    @Test func `both sides of an exchange reach the same`() throws {
        for bits in [256, 384, 521] {
            let (one, other) = (try Self.make(bits: bits), try Self.make(bits: bits))
            let (publicOne, publicOther) = (
                try #require(SecKeyCopyPublicKey(one)), try #require(SecKeyCopyPublicKey(other))
            )
            let parameters: [String: Any] = [
                SecKeyKeyExchangeParameter.requestedSize.rawValue: 40,
                SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data("info".utf8),
            ]
            for algorithm in [
                SecKeyAlgorithm.ecdhKeyExchangeStandard, .ecdhKeyExchangeCofactor, .ecdhKeyExchangeCofactorX963SHA256,
                .ecdhKeyExchangeStandardX963SHA512,
            ] {
                let mine = SecKeyCopyKeyExchangeResult(one, algorithm, publicOther, parameters as CFDictionary, nil)
                let theirs = SecKeyCopyKeyExchangeResult(other, algorithm, publicOne, parameters as CFDictionary, nil)
                #expect(mine != nil && mine == theirs)
                let isDerived = algorithm.rawValue.contains("KDF")
                #expect(mine?.length == (isDerived ? 40 : (bits + 7) / 8))
            }
        }
    }

    @Test func `an exchange that cannot be is refused`() throws {
        let key = try Self.make()
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let longer = try #require(SecKeyCopyPublicKey(try Self.make(bits: 384)))
        func status(_ other: SecKey, _ algorithm: SecKeyAlgorithm, _ size: Any?) -> Int? {
            var error: Unmanaged<CFError>?
            let parameters = size.map { [SecKeyKeyExchangeParameter.requestedSize.rawValue: $0] } ?? [:]
            guard SecKeyCopyKeyExchangeResult(key, algorithm, other, parameters as CFDictionary, &error) == nil else {
                return nil
            }
            return error?.takeRetainedValue().code
        }
        #expect(status(publicKey, .ecdhKeyExchangeStandard, nil) == nil)
        #expect(status(longer, .ecdhKeyExchangeStandard, nil) == Int(errSecParam))
        #expect(status(key, .ecdhKeyExchangeStandard, nil) == Int(errSecParam))
        #expect(status(publicKey, .ecdsaSignatureMessageX962SHA256, nil) == Int(errSecParam))
        for size in [nil, 0, -1, 65_537, "many"] as [Any?] {
            #expect(status(publicKey, .ecdhKeyExchangeStandardX963SHA256, size) == Int(errSecParam))
        }
    }

    @Test func `a key says what it does and is`() throws {
        let key = try Self.make()
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        #expect(SecKeyIsAlgorithmSupported(key, .sign, .ecdsaSignatureMessageX962SHA256))
        #expect(SecKeyIsAlgorithmSupported(key, .keyExchange, .ecdhKeyExchangeStandard))
        #expect(SecKeyIsAlgorithmSupported(publicKey, .verify, .ecdsaSignatureDigestX962SHA512))
        #expect(!SecKeyIsAlgorithmSupported(publicKey, .sign, .ecdsaSignatureMessageX962SHA256))
        let rsaOverSHA1 = SecKeyAlgorithm(rawValue: "algid:sign:RSA:message-PKCS1v15:SHA1")
        #expect(!SecKeyIsAlgorithmSupported(try Self.make(kSecAttrKeyTypeRSA, bits: 2048), .sign, rsaOverSHA1))
        #expect(!SecKeyIsAlgorithmSupported(key, .verify, .ecdsaSignatureMessageX962SHA256))
        #expect(!SecKeyIsAlgorithmSupported(key, .sign, .rsaSignatureMessagePSSSHA256))
        #expect(!SecKeyIsAlgorithmSupported(key, .decrypt, .ecdsaSignatureMessageX962SHA256))
        let attributes = try #require(SecKeyCopyAttributes(key) as? [CFString: Any])
        #expect(attributes[kSecAttrKeyType] as? String == kSecAttrKeyTypeECSECPrimeRandom as String)
        #expect(attributes[kSecAttrKeyClass] as? String == kSecAttrKeyClassPrivate as String)
        #expect(attributes[kSecAttrKeySizeInBits] as? Int == 256)
        #expect((attributes[kSecAttrApplicationLabel] as? Data)?.count == 20)
        #expect(attributes[kSecAttrCanSign] as? Bool == true && attributes[kSecAttrIsPermanent] as? Bool == false)
    }
}

/// The same numbers in another's program.
@Suite(.enabled(if: OpenSSL.isThere)) struct KeysBesideOpenSSL {
    let tool: OpenSSL

    init() throws { tool = try OpenSSL() }

    @Test func `openssl verifies our ECDSA, and we openssl's`() throws {
        try tool.run("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem")
        try tool.run("pkey -in key.pem -pubout -out public.pem")
        try tool.write("message", "a message")
        try tool.run("ec -in key.pem -outform DER -out sec1.der")
        let sec1 = try tool.read("sec1.der")
        // 30 77 02 01 01 04 20 number … 03 42 00 point: RFC 5915.
        let bytes = Data(sec1.suffix(65)) + sec1[7..<39]
        let key = try #require(Keys.read(bytes, kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate).0)
        let signature = try #require(
            Keys.signing(key, .ecdsaSignatureMessageX962SHA256, Data("a message".utf8)).0)
        try tool.write("signature", signature)
        try tool.run("dgst -sha256 -verify public.pem -signature signature message")
        let old = try #require(Keys.signing(key, .ecdsaSignatureMessageX962SHA1, Data("a message".utf8)).0)
        try tool.write("old", old)
        try tool.run("dgst -sha1 -verify public.pem -signature old message")
        try tool.run("dgst -sha384 -sign key.pem -out theirs message")
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        #expect(
            Keys.verifying(
                publicKey, .ecdsaSignatureMessageX962SHA384, Data("a message".utf8), try tool.read("theirs")
            ).0)
    }

    @Test(arguments: [("pkcs1", "SHA256"), ("pss", "SHA384"), ("pss", "SHA512")])
    func `openssl verifies our RSA, and we openssl's`(padding: String, hash: String) throws {
        try tool.run("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out key.pem")
        try tool.run("pkey -in key.pem -pubout -out public.pem")
        try tool.run("rsa -in key.pem -outform DER -traditional -out key.der")
        try tool.write("message", "a message")
        try tool.run("dgst -\(hash) -binary -out hash message")
        let key = try #require(Keys.read(try tool.read("key.der"), kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate).0)
        let size = ["SHA256": 32, "SHA384": 48, "SHA512": 64][hash] ?? 0
        let end = padding == "pss" ? "PSS:\(hash):\(hash):\(size)" : "PKCS1v15:\(hash)"
        let overMessage = SecKeyAlgorithm(rawValue: "algid:sign:RSA:message-" + end)
        let overHash = SecKeyAlgorithm(rawValue: "algid:sign:RSA:digest-" + end)
        let options = padding == "pss" ? "-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:\(size)" : ""
        for (algorithm, file) in [(overMessage, "message"), (overHash, "hash")] {
            try tool.write("signature", try #require(Keys.signing(key, algorithm, try tool.read(file)).0))
            try tool.run("dgst -\(hash) \(options) -verify public.pem -signature signature message")
        }
        try tool.run("dgst -\(hash) \(options) -sign key.pem -out theirs message")
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let theirs = try tool.read("theirs")
        #expect(Keys.verifying(publicKey, overMessage, try tool.read("message"), theirs).0)
        #expect(Keys.verifying(publicKey, overHash, try tool.read("hash"), theirs).0)
        #expect(!Keys.verifying(publicKey, overHash, Data(count: size), theirs).0)
    }

    @Test func `the derivation of an exchange is openssl's X963KDF`() throws {
        let (one, other) = (try Keys.make(), try #require(SecKeyCopyPublicKey(try Keys.make())))
        let plain = try #require(
            SecKeyCopyKeyExchangeResult(one, .ecdhKeyExchangeStandard, other, [:] as CFDictionary, nil))
        let parameters: [String: Any] = [
            SecKeyKeyExchangeParameter.requestedSize.rawValue: 77,
            SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data("info".utf8),
        ]
        let derived = try #require(
            SecKeyCopyKeyExchangeResult(
                one, .ecdhKeyExchangeStandardX963SHA256, other, parameters as CFDictionary, nil))
        let expected = try tool.run(
            "kdf -keylen 77 -kdfopt digest:SHA256 -kdfopt hexsecret:\(Data(referencing: plain).hex)"
                + " -kdfopt hexinfo:\(Data("info".utf8).hex) -binary X963KDF")
        #expect(Data(referencing: derived) == expected)
    }
}
