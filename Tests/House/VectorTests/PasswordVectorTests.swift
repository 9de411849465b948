import Secrets
import Testing
import Tresor

@testable import Envelopes

/// Account keys under passwords, and the hashes of passwords, against files that other code wrote.
@Suite struct PasswordVectors {
    @Test(arguments: Vector.all("account-key")) func accountKey(_ vector: Vector) throws {
        let way = try #require(AccountKeyEnvelope.Way(rawValue: UInt8(try vector.number("way"))))
        let account = try vector.identifier("account")
        let secret = try vector.secret("secret")
        let outcome = vector.outcome {
            let opened = try AccountKeyEnvelope.open(vector.bytes("sealed"), under: secret, of: account, by: way)
            #expect(try opened.copied == vector.bytes("account_key"))
            let again = try AccountKeyEnvelope.seal(opened, under: secret, of: account, by: way)
            #expect(try AccountKeyEnvelope.open(again, under: secret, of: account, by: way).copied == opened.copied)
        }
        #expect(outcome == vector.refusal)
    }

    @Test(arguments: Vector.all("password-hash")) func passwordHash(_ vector: Vector) throws {
        guard vector.fields["digest"] == nil else { return try bookHash(vector) }
        let stored = String(decoding: try vector.bytes("text"), as: UTF8.self)
        guard let hash = PasswordHash(stored) else {
            #expect(vector.refusal?.hasSuffix("nil") == true && vector.fields["password"] == nil)
            return
        }
        #expect(hash.description == stored)
        let key = try hash.open(try vector.secret("password"))
        switch key {
        case .some(let key): #expect(try key.copied == vector.bytes("key"))
        case .none: #expect(vector.refusal != nil)
        }
    }

    private func bookHash(_ vector: Vector) throws {
        let digest = try vector.bytes("digest")
        let salt = try vector.bytes("salt")
        let password = try vector.secret("password")
        let text = Hexadecimal.encode(digest)
        let matches = try #require(InsecurePasswordHash(text, salt: salt)).matches(password)
        #expect(matches)
        let matchesSalted = try #require(InsecurePasswordHash(text, salt: salt + [0])).matches(password)
        #expect(!matchesSalted)
        #expect(InsecurePasswordHash(text.uppercased(), salt: salt) == nil)
        #expect(InsecurePasswordHash(String(text.dropLast()), salt: salt) == nil)
    }

    @Test func `the book's example is of a password with a line feed`() throws {
        let example = try #require(
            Vector.all("password-hash").first { $0["about"].hasSuffix("line feed behind the password") })
        #expect(example.fields["digest"]?.hasPrefix("e150a1") == true)
    }
}
