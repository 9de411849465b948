import Secrets
import SecurityKeys
import Testing

@testable import SoftKeys

/// Keys that want to recognise their owner.
@Suite struct SecurityKeyVerification {
    private typealias Keys = SecurityKeyTests

    @Test(arguments: [[1], [2]] as [[Int64]])
    func withAPINTheCredentialDemandsIt(_ protocols: [Int64]) throws {
        let key = SoftAuthenticator {
            $0.pin = "1234"
            $0.protocols = protocols
        }
        #expect(throws: SecurityKeyError.pinRequired) { try Keys.credential(key) }
        let credential = try Keys.credential(key, "1234")
        #expect(credential.demandsVerification)
        let secret = try Keys.derive(key, credential, 1, "1234")
        #expect(try Keys.derive(key, credential, 1, "1234") == secret)
        #expect(throws: SecurityKeyError.pinRequired) { try Keys.derive(key, credential) }
    }

    @Test func `touch alone gets another secret than the one behind the PIN`() throws {
        let key = SoftAuthenticator { $0.pin = "1234" }
        let credential = try Keys.credential(key, "1234")
        let stripped = try #require(
            SecurityKeyCredential(id: credential.id, publicKey: credential.publicKey, demandsVerification: false))
        #expect(try Keys.derive(key, stripped) != Keys.derive(key, credential, 1, "1234"))
    }

    @Test func `a PIN set later does not change the secret of a credential made before`() throws {
        let key = SoftAuthenticator()
        let credential = try Keys.credential(key)
        let secret = try Keys.derive(key, credential)
        key.change { $0.pin = "1234" }
        #expect(try Keys.derive(key, credential) == secret)
        #expect(try Keys.derive(key, credential, 1, "1234") == secret)
    }

    @Test func `each wrong PIN costs a try, three pause the key, eight block it`() throws {
        let key = SoftAuthenticator { $0.pin = "1234" }
        let credential = try Keys.credential(key, "1234")
        for _ in 0..<2 {
            let opened = try Keys.open(key)
            for count in 1...4 {
                let before = try opened.remainingPINTries()
                let wrong: SecretBytes? = try Keys.pin("4321")
                #expect(throws: count < 3 ? SecurityKeyError.pinWrong : .pinPaused) {
                    _ = try opened.deriveSecret(
                        of: credential, try Keys.salt(1), pin: wrong, milliseconds: Keys.patience)
                }
                #expect(try opened.remainingPINTries() == (count < 4 ? before - 1 : before))
            }
        }
        #expect(throws: SecurityKeyError.pinWrong) { try Keys.derive(key, credential, 1, "4321") }
        #expect(throws: SecurityKeyError.pinBlocked) { try Keys.derive(key, credential, 1, "4321") }
        #expect(throws: SecurityKeyError.pinBlocked) { try Keys.derive(key, credential, 1, "1234") }
    }

    @Test func `the right PIN brings all tries back`() throws {
        let key = SoftAuthenticator { $0.pin = "1234" }
        let credential = try Keys.credential(key, "1234")
        #expect(throws: SecurityKeyError.pinWrong) { try Keys.derive(key, credential, 1, "4321") }
        _ = try Keys.derive(key, credential, 1, "1234")
        #expect(try Keys.open(key).remainingPINTries() == 8)
    }

    @Test(arguments: [[0x31, 0x32, 0x33], [UInt8](repeating: 0x31, count: 64), [0x31, 0x32, 0, 0x33, 0x34]])
    func whatCannotBeAPINCostsNoTry(_ bytes: [UInt8]) throws {
        let key = SoftAuthenticator { $0.pin = "1234" }
        #expect(throws: SecurityKeyError.pinUnusable) {
            try Keys.credential(key, String(decoding: bytes, as: UTF8.self))
        }
        #expect(key.state.withLock { $0.tries } == 8)
    }

    @Test func `a PIN for a key that has none is refused`() throws {
        let key = SoftAuthenticator { $0.pin = "1234" }
        let credential = try Keys.credential(key, "1234")
        key.change { $0.pin = nil }
        #expect(throws: SecurityKeyError.pinNotSet) { try Keys.derive(key, credential, 1, "1234") }
        #expect(throws: SecurityKeyError.pinNotSet) { try Keys.derive(key, credential) }
    }

    @Test func `a key with a sensor recognises its owner itself, and nobody else`() throws {
        let key = SoftAuthenticator { $0.hasSensor = true }
        let credential = try Keys.credential(key)
        #expect(credential.demandsVerification)
        let secret = try Keys.derive(key, credential)
        key.change { $0.recognizes = false }
        #expect(throws: SecurityKeyError.notVerified) { try Keys.derive(key, credential) }
        key.change { $0.recognizes = true }
        #expect(try Keys.derive(key, credential) == secret)
    }

    @Test func `a key that does not say that it recognised its owner is not believed`() throws {
        let key = SoftAuthenticator { $0.pin = "1234" }
        let credential = try Keys.credential(key, "1234")
        key.change { $0.flaw = .noVerificationFlag }
        #expect(throws: SecurityKeyError.untrustworthy) { try Keys.derive(key, credential, 1, "1234") }
    }
}
