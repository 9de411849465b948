import Crypto
import Foundation
import Linux
import Secrets
import SecurityKeys
import Testing

@testable import SoftKeys

/// Keys in this process, through libfido2.
@Suite struct SecurityKeyTests {
    static let patience: Int32 = 10_000

    static func salt(_ byte: UInt8) throws -> SecuritySalt {
        try #require(SecuritySalt([UInt8](repeating: byte, count: 32)))
    }

    static func pin(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8).span.bytes) }

    static func open(_ authenticator: SoftAuthenticator) throws -> SecurityKey {
        try SecurityKey(reports: try authenticator.plugIn())
    }

    static func credential(_ authenticator: SoftAuthenticator, _ pin: String? = nil) throws -> SecurityKeyCredential {
        let secret = try pin.map { try Self.pin($0) }
        return try open(authenticator).makeCredential(pin: secret, milliseconds: patience)
    }

    /// The secret's bytes, over a connection of its own.
    static func derive(
        _ authenticator: SoftAuthenticator, _ credential: SecurityKeyCredential, _ salt: UInt8 = 1,
        _ pin: String? = nil, milliseconds: Int32 = patience
    ) throws -> [UInt8] {
        let secret = try pin.map { try Self.pin($0) }
        let derived = try open(authenticator).deriveSecret(
            of: credential, try Self.salt(salt), pin: secret, milliseconds: milliseconds)
        return derived.withBytes { $0.withUnsafeBytes { Array($0) } }
    }

    @Test(arguments: [[1], [2], [2, 1], [1, 2]] as [[Int64]])
    func theSameCredentialAndSaltGiveTheSameSecret_OthersOthers(_ protocols: [Int64]) throws {
        let key = SoftAuthenticator { $0.protocols = protocols }
        let (one, other) = (try Self.credential(key), try Self.credential(key))
        let secret = try Self.derive(key, one)
        #expect(secret.count == 32)
        #expect(try Self.derive(key, one) == secret)
        #expect(try Self.derive(key, one, 2) != secret)
        #expect(try Self.derive(key, other) != secret)
    }

    @Test func `the secret is the salt's HMAC under what the key alone has`() throws {
        let key = SoftAuthenticator()
        let credential = try Self.credential(key)
        let inside = try #require(key.state.withLock { $0.credentials[credential.id]?.withoutVerification })
        let expected = HMAC<SHA256>.authenticationCode(for: try Self.salt(7).bytes, using: inside)
        #expect(try Self.derive(key, credential, 7) == Array(expected))
    }

    @Test func `each secret costs a touch`() throws {
        let key = SoftAuthenticator()
        let credential = try Self.credential(key)
        for count in 2...4 {
            _ = try Self.derive(key, credential)
            #expect(key.state.withLock { $0.touches } == count)
        }
    }

    @Test func `declined at the key, there is none`() throws {
        let key = SoftAuthenticator()
        let credential = try Self.credential(key)
        key.change { $0.touch = .declined }
        #expect(throws: SecurityKeyError.refused) { try Self.derive(key, credential) }
        #expect(throws: SecurityKeyError.refused) { try Self.credential(key) }
    }

    @Test func `not touched in time, there is none, and the next touch counts`() throws {
        let key = SoftAuthenticator()
        let credential = try Self.credential(key)
        key.change { $0.touch = .missing }
        #expect(throws: SecurityKeyError.timedOut) { try Self.derive(key, credential, milliseconds: 300) }
        key.change { $0.touch = .given }
        #expect(try Self.derive(key, credential).count == 32)
    }

    @Test func `another key does not know the credential, and says so without a touch`() throws {
        let (key, stranger) = (SoftAuthenticator(), SoftAuthenticator())
        let credential = try Self.credential(key)
        #expect(throws: SecurityKeyError.otherKey) { try Self.derive(stranger, credential) }
        let touches = key.state.withLock { $0.touches }
        #expect(try Self.open(key).holds(credential, milliseconds: Self.patience))
        #expect(try !Self.open(stranger).holds(credential, milliseconds: Self.patience))
        #expect(key.state.withLock { $0.touches } == touches)
    }

    @Test func `a key without the extension is of no use`() throws {
        let key = SoftAuthenticator { $0.extensions = ["credProtect"] }
        #expect(throws: SecurityKeyError.unsupported) { try Self.credential(key) }
    }

    @Test func `a key that is pulled out is gone`() throws {
        let (near, far) = try UnixSocket.makePair()
        close(far)
        #expect(throws: SecurityKeyError.noDevice) {
            _ = try SecurityKey(reports: FileDescriptor(owning: near))
        }
    }

    @Test(arguments: [SoftAuthenticator.Flaw.noPresenceFlag, .foreignSignature, .replay])
    func whatAKeyDidNotSignForThisRequestIsRefused(_ flaw: SoftAuthenticator.Flaw) throws {
        let key = SoftAuthenticator()
        let credential = try Self.credential(key)
        _ = try Self.derive(key, credential)
        key.change { $0.flaw = flaw }
        #expect(throws: SecurityKeyError.untrustworthy) { try Self.derive(key, credential) }
    }

    @Test func `a credential has an identifier and a public key, of the right lengths`() {
        let key = [UInt8](repeating: 1, count: 64)
        #expect(SecurityKeyCredential(id: [], publicKey: key, demandsVerification: false) == nil)
        #expect(SecurityKeyCredential(id: [1], publicKey: [1], demandsVerification: false) == nil)
        let long = [UInt8](repeating: 1, count: 1025)
        #expect(SecurityKeyCredential(id: long, publicKey: key, demandsVerification: false) == nil)
        #expect(SecuritySalt([1, 2, 3]) == nil)
    }

    @Test func `the machine's keys can be listed`() throws {
        for device in try SecurityKey.connected() { #expect(device.path.hasPrefix("/dev/")) }
    }
}
