import Secrets
import Testing

@testable import Envelopes
@testable import KeyEnvelopes

/// Manifests of apps against files that other code wrote.
@Suite struct AppVectors {
    @Test(arguments: Vector.all("app-manifest")) func manifest(_ vector: Vector) throws {
        let outcome = vector.outcome {
            let file = try vector.bytes("file")
            let manifest = try AppManifest(signed: file)
            #expect(try manifest.developer == vector.bytes("developer"))
            #expect(AppManifest.prefix(of: manifest.developer) == vector["prefix"])
            #expect(manifest.applicationIdentifier == vector["identifier"])
            #expect(try Int(manifest.version) == vector.number("version"))
            #expect(try Int(manifest.expires) == vector.number("expires"))
            #expect(list(manifest.keychainGroups) == vector["keychain_groups"])
            #expect(list(manifest.applicationGroups) == vector["application_groups"])
            #expect(try manifest.executables.flatMap(\.self) == vector.bytes("executables"))
            #expect(list(manifest.sandboxes) == vector["sandboxes"])
            #expect((manifest.claim.unit ?? "none") == vector["unit"])
            #expect((manifest.claim.group ?? "none") == vector["group"])
            #expect(manifest.claim.groups.contains(vector["identifier"]))
            // Signatures of swift-crypto vary; what they sign does not.
            let again = try manifest.signed(with: vector.secret("private_key"))
            #expect(again.dropLast(64) == file.dropLast(64) && again.count == file.count)
            #expect(try AppManifest(signed: again) == manifest)
        }
        #expect(outcome == vector.refusal)
    }

    private func list(_ texts: [String]) -> String { texts.isEmpty ? "none" : texts.joined(separator: " ") }

    /// Each byte changed in turn: nothing is believed.
    @Test func `a manifest of which any byte was changed is refused`() throws {
        let vector = try #require(Vector.all("app-manifest").first { $0.path.hasSuffix("/good.txt") })
        let file = try vector.bytes("file")
        for index in file.indices {
            var changed = file
            changed[index] ^= 1
            #expect(throws: EnvelopeError.self) { try AppManifest(signed: changed) }
        }
    }

    /// RFC 4648, section 10, without the padding.
    @Test(arguments: [
        ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
        ("foobar", "MZXW6YTBOI"),
    ])
    func `base32 is that of the RFC`(_ text: String, _ encoded: String) {
        #expect(Base32.encode(Array(text.utf8)) == encoded)
    }
}
