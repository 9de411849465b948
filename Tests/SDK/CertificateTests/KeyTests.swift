import Foundation
import Secrets
import Testing

@testable import Certificates

/// Private keys in their five formats, and what is no key.
@Suite struct Keys {
    @Test(arguments: [
        ("p256", "p256-sec1", PrivateKey.Algorithm.p256), ("p384", "p384-sec1", .p384), ("p521", "p521-sec1", .p521),
        ("rsa", "rsa-pkcs1", .rsa),
    ])
    func `a key in its old format becomes PKCS 8 with the same public key`(
        _ new: String, _ old: String, _ algorithm: PrivateKey.Algorithm
    ) throws {
        let (new, old) = (try Vector.file("\(new).pem").keys[0], try Vector.file("\(old).pem").keys[0])
        #expect(new.algorithm == algorithm && old.algorithm == algorithm)
        #expect(new.publicKey == old.publicKey)
        let again = try old.pkcs8.withBytes { (bytes) throws(CertificateReadError) in try PrivateKey(pkcs8: bytes) }
        #expect(again.publicKey == old.publicKey)
        // An RSA key has one form inside; SEC 1 may say its curve there or not.
        #expect(algorithm != .rsa || new.pkcs8.equals(old.pkcs8))
    }

    @Test(arguments: ["p256", "p384", "p521", "rsa", "ed25519"])
    func `each kind of key makes an identity with its certificate and with no other`(_ name: String) throws {
        let certificate = try Vector.certificate("\(name)-certificate.pem")
        let key = try Vector.file("\(name).pem").keys[0]
        #expect(Identity(certificate, key) != nil)
        #expect(key.publicKeyHash == certificate.publicKeyHash)
        let other = try Vector.certificate(name == "rsa" ? "p256-certificate.pem" : "rsa-certificate.pem")
        #expect(Identity(other, key) == nil)
    }

    @Test(arguments: ["sha1", "sha256", "sha384", "sha512"], ["aes-128", "aes-192", "aes-256"])
    func `a sealed key opens with its passphrase, and with another says so`(_ hash: String, _ cipher: String) throws {
        let sealed = try Vector.file("encrypted-\(hash)-\(cipher).pem").encryptedKeys[0]
        let key = try sealed.open(with: Vector.passphrase())
        #expect(try key.publicKey == Vector.file("p256.pem").keys[0].publicKey)
        let wrong = try Vector.passphrase("wrong")
        #expect(failure { _ = try sealed.open(with: wrong) }?.code == .wrongPassphrase)
    }

    @Test func `one wrong passphrase in 256 fits the padding and is still called wrong`() throws {
        let sealed = try Vector.file("encrypted-sha256-aes-256.pem").encryptedKeys[0]
        for number in 0..<600 {
            let wrong = try Vector.passphrase("\(number)")
            #expect(failure { _ = try sealed.open(with: wrong) }?.code == .wrongPassphrase)
        }
    }

    @Test(arguments: [
        ("encrypted-scrypt.pem", CertificateReadError.Code.unsupported, "scrypt"),
        ("encrypted-3des.pem", .unsupported, "3DES"), ("encrypted-legacy.pem", .legacyKey, "PBE-SHA1-3DES"),
        ("proc-type.pem", .legacyKey, "Proc-Type"), ("rsa-1024.pem", .unsupported, "fewer than 2048 bits"),
        ("secp256k1-sec1.pem", .unsupported, "1.3.132.0.10"),
        ("rsa-1024-certificate.pem", .unsupported, "fewer than 2048 bits"),
    ])
    func `what is refused is refused by name`(
        _ name: String, _ code: CertificateReadError.Code, _ word: String
    ) throws {
        let error = failure { _ = try Vector.file(name) }
        #expect(error?.code == code)
        #expect(error?.description.contains(word) == true)
        #expect((error?.hint != nil) == (code == .legacyKey))
    }

    @Test func `the curve that openssl writes before a key is skipped`() throws {
        #expect(try Vector.file("with-parameters.pem").keys.count == 1)
    }

    @Test func `a key whose stated public key is another's is damaged`() throws {
        var der = try Vector.bytes("p256.der")
        der[der.count - 1] ^= 1
        let error = failure { _ = try Vector.read(der) }
        #expect(error?.code == .damaged)
        #expect(error?.message == "the public key beside it is another's")
    }

    @Test func `a key that is cut short, or has bytes behind it, is told from a whole one`() throws {
        let der = try Vector.bytes("p256.der")
        let cut = failure { _ = try Vector.read(Array(der.dropLast())) }
        #expect(cut?.description == "private key: PrivateKeyInfo: is cut short")
        let long = failure { _ = try Vector.read(der + [0]) }
        #expect(long?.description == "private key: 1 bytes too many at the end")
    }

    @Test func `an empty passphrase opens nothing and harms nothing`() throws {
        let sealed = try Vector.file("encrypted-sha512-aes-256.pem").encryptedKeys[0]
        let empty = try Vector.passphrase("")
        #expect(failure { _ = try sealed.open(with: empty) }?.code == .wrongPassphrase)
    }
}
