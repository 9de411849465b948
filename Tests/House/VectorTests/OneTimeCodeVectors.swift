import Secrets
import Testing

@testable import Envelopes

/// One-time codes against files that other code wrote, the RFCs' own figures among them.
@Suite struct OneTimeCodeVectors {
    @Test(arguments: Vector.all("one-time-code")) func oneTimeCode(_ vector: Vector) throws {
        if vector.fields["text"] == nil { return try published(vector) }
        let text = try vector.bytes("text")
        let outcome = vector.outcome {
            let secret = try text.withSpan { (span) throws in try OneTimeCodeSecret(span) }
            #expect(try secret.key.copied == vector.bytes("key"))
            #expect(try secret.parameters == parameters(vector))
            #expect(try secret.issuer.map { Array($0.utf8) } == name("issuer", vector))
            #expect(try secret.account.map { Array($0.utf8) } == name("account", vector))
            let code = try secret.code(at: Int64(vector.number("time")))
            #expect(String(decoding: code.copied, as: UTF8.self) == vector["code"])
        }
        #expect(outcome == vector.refusal)
    }

    /// A key and a counter or a time, without a text around them.
    private func published(_ vector: Vector) throws {
        let secret = try OneTimeCodeSecret(vector.secret("key"), parameters(vector))
        let code =
            vector.fields["counter"] == nil
            ? try secret.code(at: Int64(vector.number("time")))
            : try secret.code(counter: UInt64(vector.number("counter")))
        #expect(String(decoding: code.copied, as: UTF8.self) == vector["code"])
    }

    private func parameters(_ vector: Vector) throws -> OneTimeCodeParameters {
        OneTimeCodeParameters(
            algorithm: try #require(OneTimeCodeParameters.Algorithm(rawValue: vector["algorithm"])),
            digits: try vector.number("digits"),
            period: vector.fields["period"] == nil ? 30 : try vector.number("period"))
    }

    private func name(_ field: String, _ vector: Vector) throws -> [UInt8]? {
        vector[field] == "none" ? nil : try vector.bytes(field)
    }

    @Test func `both RFCs' tables are there in full`() {
        let names = Vector.all("one-time-code").map(\.path)
        #expect(names.filter { $0.contains("/rfc4226_") }.count == 10)
        #expect(names.filter { $0.contains("/rfc6238_") }.count == 18)
    }

    @Test(
        arguments: [
            (0, 30), (1, 29), (29, 1), (30, 30), (1_750_000_000, 20), (-5, 30), (Int64.max, 23), (Int64.min, 30),
        ] as [(Int64, Int)])
    func `a code is good to the end of its step`(_ seconds: Int64, _ left: Int) {
        #expect(OneTimeCodeParameters.standard.secondsLeft(at: seconds) == left)
    }

    @Test func `a fingerprint tells the same secret again, and only under its own key`() throws {
        let one = try SecretFingerprints()
        let other = try SecretFingerprints()
        let same: [UInt8] = Array("a password".utf8)
        let first = same.withSpan { one.fingerprint(of: $0) }
        #expect(first.count == 32)
        #expect(same.withSpan { one.fingerprint(of: $0) } == first)
        #expect(Array("a passwore".utf8).withSpan { one.fingerprint(of: $0) } != first)
        #expect(same.withSpan { other.fingerprint(of: $0) } != first)
    }
}
