import Secrets
import Testing

@testable import Envelopes
@testable import KeyEnvelopes

/// Sealed timelines of widgets against files that other code wrote.
@Suite struct WidgetStoreVectors {
    @Test(arguments: Vector.all("widget-store")) func widgetStore(_ vector: Vector) throws {
        let outcome = vector.outcome {
            if vector.fields["file"] == nil {
                _ = try sealedToPublicKey(vector)
            } else {
                try checkFile(vector)
            }
        }
        #expect(outcome == vector.refusal)
    }

    private func checkFile(_ vector: Vector) throws {
        let file = try vector.bytes("file")
        let envelope = try WidgetTimelineEnvelope(file)
        #expect(envelope.encoded == file)
        let key = try vector.secret("key")
        let open = try envelope.openPublicPart(kind: vector["kind"], key: key)
        let secrets = try envelope.openSecrets(kind: vector["kind"], key: key)
        #expect(try open.copied == vector.bytes("open") && secrets.copied == vector.bytes("secrets"))
        #expect(try Int(envelope.protection) == vector.number("protection"))
        #expect(try Array(file[2..<18]) == vector.identifier("id").bytes)
        let again = try vector.fields["public_key"] == nil ? sealed(vector, key) : sealedToPublicKey(vector)
        #expect(again.encoded.count == file.count && again != envelope)
        let reopened = try WidgetTimelineEnvelope(again.encoded)
        #expect(try reopened.openPublicPart(kind: vector["kind"], key: key).copied == open.copied)
        #expect(try reopened.openSecrets(kind: vector["kind"], key: key).copied == secrets.copied)
    }

    private func sealed(_ vector: Vector, _ key: borrowing SecretBytes) throws -> WidgetTimelineEnvelope {
        try WidgetTimelineEnvelope(
            open: vector.secret("open"), secrets: vector.secret("secrets"), kind: vector["kind"],
            protection: UInt8(vector.number("protection")), under: key)
    }

    private func sealedToPublicKey(_ vector: Vector) throws -> WidgetTimelineEnvelope {
        try WidgetTimelineEnvelope(
            open: vector.secret("open"), secrets: vector.secret("secrets"), kind: vector["kind"],
            protection: UInt8(vector.number("protection")), to: vector.bytes("public_key"))
    }

    @Test func `a half opens although the other one is damaged`() throws {
        let vectors = Vector.all("widget-store")
        let damaged = try #require(vectors.first { $0.path.hasSuffix("/secrets_ciphertext_flipped_bit.txt") })
        let whole = try #require(vectors.first { $0.path.hasSuffix("/complete_good.txt") })
        let envelope = try WidgetTimelineEnvelope(damaged.bytes("file"))
        let key = try damaged.secret("key")
        #expect(try envelope.openPublicPart(kind: damaged["kind"], key: key).copied == whole.bytes("open"))
        #expect(throws: EnvelopeError.notAuthentic) {
            _ = try envelope.openSecrets(kind: damaged["kind"], key: key).copied
        }
    }

    @Test func `each class has its vectors`() throws {
        let vectors = Vector.all("widget-store")
        let classes = try vectors.filter { $0.refusal == nil }.map { try $0.number("protection") }
        #expect(Set(classes) == [0, 1, 2, 3] && vectors.count >= 45)
    }
}
