import Secrets
import Testing

@testable import Envelopes

/// Locked notes, ours and those of Apple's databases, against files that other code wrote.
@Suite struct NoteLockVectors {
    private static let ours = Vector.all("note-lock").filter { $0.fields["suite"] != nil }
    private static let apples = Vector.all("note-lock").filter { $0.fields["suite"] == nil }

    @Test(arguments: ours) func noteLock(_ vector: Vector) throws {
        let suite = try #require(LockSuite(rawValue: UInt8(try vector.number("suite"))))
        let outcome = vector.outcome {
            if vector.fields["sealed"] != nil {
                try checkPart(vector, suite)
            } else if vector.fields["wrapped"] != nil {
                try checkWrap(vector, suite)
            } else {
                #expect(try derived(vector, suite).copied == vector.bytes("kek"))
            }
        }
        #expect(outcome == vector.refusal)
    }

    private func derived(_ vector: Vector, _ suite: LockSuite) throws -> SecretBytes {
        try NoteLockEnvelope.deriveKey(
            from: vector.secret("passphrase"), salt: vector.bytes("salt"), rounds: UInt32(vector.number("rounds")),
            suite: suite)
    }

    private func checkWrap(_ vector: Vector, _ suite: LockSuite) throws {
        let isDerived = vector.fields["passphrase"] != nil
        let kek = isDerived ? try derived(vector, suite) : try vector.secret("kek")
        let wrapped = try vector.bytes("wrapped")
        let key = try NoteLockEnvelope.unwrap(wrapped, under: kek)
        #expect(try key.copied == vector.bytes("key"))
        #expect(wrapped.count == suite.wrappedByteCount && key.count == suite.keyByteCount)
        #expect(try NoteLockEnvelope.wrap(key, under: kek) == wrapped)
    }

    private func checkPart(_ vector: Vector, _ suite: LockSuite) throws {
        let kind = try #require(LockPart.Kind(rawValue: UInt8(try vector.number("kind"))))
        let revision = vector.fields["revision"] == nil ? nil : UInt64(try vector.number("revision"))
        let part = LockPart(
            note: try vector.identifier("note"), kind: kind, id: try vector.identifier("part"), revision: revision)
        let key = try vector.secret("key")
        let sealed = try vector.bytes("sealed")
        let plaintext = try NoteLockEnvelope.open(sealed, under: key, of: part, suite: suite)
        #expect(try plaintext == vector.bytes("plaintext"))
        let again = try plaintext.withSpan { try NoteLockEnvelope.seal($0, under: key, of: part, suite: suite) }
        #expect(again.count == sealed.count && again != sealed)
        #expect(try NoteLockEnvelope.open(again, under: key, of: part, suite: suite) == plaintext)
    }

    /// As far as the file goes: from the passphrase to the KEK, from it to the note's key, from that to the content.
    @Test(arguments: apples) func appleNote(_ vector: Vector) throws {
        let outcome = vector.outcome {
            if vector.fields["passphrase"] != nil { try checkAppleChain(vector) }
            if vector.fields["passphrase"] == nil && vector.fields["wrapped"] != nil {
                _ = try AppleNoteEnvelope.unwrap(vector.bytes("wrapped"), under: vector.secret("kek"))
            }
            guard vector.fields["ciphertext"] != nil else { return }
            let plaintext = try AppleNoteEnvelope.open(
                vector.bytes("ciphertext"), iv: vector.bytes("iv"), tag: vector.bytes("tag"),
                under: vector.secret("key"), binding: vector.bytes("binding"))
            #expect(try plaintext == vector.bytes("plaintext"))
        }
        #expect(outcome == vector.refusal)
    }

    private func checkAppleChain(_ vector: Vector) throws {
        let isKnown = vector.fields["kek"] != nil
        let count = isKnown ? try vector.bytes("kek").count : try vector.number("kek_length")
        let kek = try AppleNoteEnvelope.deriveKey(
            from: vector.secret("passphrase"), salt: vector.bytes("salt"), rounds: UInt32(vector.number("rounds")),
            byteCount: count)
        if isKnown { #expect(try kek.copied == vector.bytes("kek")) }
        let key = try AppleNoteEnvelope.unwrap(vector.bytes("wrapped"), under: kek)
        #expect(try key.copied == vector.bytes("key"))
    }

    @Test func `each suite and each of Apple's formats has its vectors`() {
        let names = Vector.all("note-lock").map(\.path)
        for prefix in ["documented_128", "tresor_256"] {
            #expect(names.filter { $0.hasPrefix("note-lock/\(prefix)") }.count >= 30)
        }
        #expect(names.filter { $0.hasPrefix("note-lock/apple_v1_neo") }.count >= 1)
        #expect(Self.ours.count + Self.apples.count == names.count && Self.apples.count >= 10)
    }
}
