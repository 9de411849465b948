import Foundation
import Secrets
import Testing
import Thoroughness

@testable import Certificates

/// Mutated files: none crashes a reader, and none is accepted with bytes behind its end.
@Suite struct Mutations {
    private static let seed = ProcessInfo.processInfo.environment["TRESOR_SEED"].flatMap(UInt64.init) ?? 1
    private static let names = [
        "bundle.pem", "encrypted-sha256-aes-256.pem", "ed25519.pem", "p256-certificate.der", "p256.der",
        "p521-sec1.pem", "rsa-pkcs1.pem", "p384-certificate.pem",
    ]

    @Test func `mutated files of certificates and keys are read or refused`() throws {
        var random = Mutator(seed: Self.seed)
        let originals = try Self.names.map { try Vector.bytes($0) } + Self.innerDER()
        let passphrase = try Vector.passphrase()
        var accepted = 0
        let count = Thoroughness.count(1500, soak: 12_000)
        for number in 0..<count {
            let mutated = random.mutate(originals[number % originals.count])
            guard let file = try? Vector.read(mutated) else { continue }
            accepted += 1
            for sealed in file.encryptedKeys where number % 20 == 0 { _ = try? sealed.open(with: passphrase) }
        }
        // Mutations of text between blocks, of signatures and of names stay readable; most do not.
        #expect((1..<count / 2).contains(accepted))
    }

    @Test func `mutated PKCS 12 files are opened or refused`() throws {
        var random = Mutator(seed: Self.seed)
        let passphrase = try Vector.passphrase()
        let originals = try ["few-rounds.p12", "bare-key.p12", "pbmac1.p12"].map { try Vector.bytes($0) }
        let insides = try originals.prefix(2).map(Self.authenticatedSafe)
        for number in 0..<Thoroughness.count(1000, soak: 8_000) {
            let isWhole = number % 2 == 0
            let original = isWhole ? originals[number / 2 % 3] : insides[number / 2 % 2]
            let mutated = random.mutate(original)
            // A mutated count of rounds must not cost the test its afternoon.
            var reader = PKCS12Reader(budget: WorkBudget(rounds: 2100))
            mutated.withSpan { bytes in
                if isWhole { try? reader.read(bytes, passphrase) } else { try? reader.readContents(bytes, passphrase) }
            }
            guard isWhole, !reader.contents.certificates.isEmpty else { continue }
            // What the MAC does not cover may have changed: its own salt and rounds, where PBMAC1 has others.
            #expect(try Self.authenticatedSafe(mutated) == Self.authenticatedSafe(original))
        }
    }

    @Test func `no bytes behind the end are accepted in any DER`() throws {
        var random = Mutator(seed: Self.seed)
        let passphrase = try Vector.passphrase()
        for der in try Self.innerDER() {
            #expect((try? Vector.read(der)) != nil)
            for count in 1...20 { #expect((try? Vector.read(der + random.bytes(count))) == nil) }
        }
        let file = try Vector.bytes("few-rounds.p12")
        let inside = try Self.authenticatedSafe(file)
        for count in 1...20 {
            #expect((try? Vector.open(file + random.bytes(count))) == nil)
            var reader = PKCS12Reader()
            let more = inside + random.bytes(count)
            #expect(throws: CertificateReadError.self) {
                try more.withSpan { try reader.readContents($0, passphrase) }
            }
        }
    }

    @Test func `no file that is cut short is accepted in any DER`() throws {
        for der in try Self.innerDER() {
            for count in 0..<der.count { #expect((try? Vector.read(Array(der.prefix(count)))) == nil) }
        }
        let file = try Vector.bytes("few-rounds.p12")
        for count in 0..<file.count { #expect((try? Vector.open(Array(file.prefix(count)))) == nil) }
    }

    /// The DER inside of PEM files, one of each kind.
    private static func innerDER() throws -> [[UInt8]] {
        let names = ["p521-sec1", "rsa-pkcs1", "rsa", "ed25519", "p384", "encrypted-sha256-aes-256", "rsa-certificate"]
        return try names.map { name in
            let lines = try Vector.text("\(name).pem").split(separator: "\n").filter { !$0.hasPrefix("-") }
            return [UInt8](try #require(Data(base64Encoded: lines.joined())))
        }
    }

    /// What the MAC covers.
    private static func authenticatedSafe(_ file: [UInt8]) throws -> [UInt8] {
        try file.withSpan { bytes in
            var outer = DERReader(bytes, "file")
            var pfx = try outer.sequence("PFX")
            _ = try pfx.integer("version")
            var info = try pfx.sequence("info")
            _ = try info.objectIdentifier("kind")
            var content = try info.explicit(0, "content")
            return try content.content(.octetString, "bytes").copyToArray()
        }
    }
}

/// Changes bytes by a seed (SplitMix64), so that a failure can be repeated.
struct Mutator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ (value >> 31)) % UInt64(max(bound, 1)))
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(next(256)) } }

    /// One to three changes.
    mutating func mutate(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0...next(3) where !bytes.isEmpty { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let start = next(bytes.count)
        let end = min(bytes.count, start + 1 + next(16))
        switch next(8) {
        case 0, 1: bytes[start] ^= 1 << UInt8(next(8))
        case 2: bytes[start] = UInt8(next(256))
        case 3: bytes[start] = [0x00, 0x02, 0x04, 0x30, 0x7F, 0x80, 0x84, 0xA0, 0xFF][next(9)]
        case 4: bytes.removeSubrange(start..<end)
        case 5: bytes.insert(contentsOf: self.bytes(1 + next(8)), at: start)
        case 6: bytes.insert(contentsOf: bytes[start..<end], at: next(bytes.count))
        default: bytes.removeSubrange(start...)
        }
    }
}
