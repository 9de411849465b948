import Conformance
import Secrets
import Testing
import Tresor
import TresorTesting

/// Private keys of the enclave's, by the SDK's public face.
@Suite struct PrivateKeysOfTheSDK {
    private let device: TestDevice
    private let keychain: Keychain

    init() throws {
        device = try TestDevice()
        keychain = try device.makeKeychain()
    }

    private func make(
        _ control: AccessControl? = nil, _ protectionClass: ProtectionClass? = nil
    ) async throws -> EnclaveKey {
        var attributes = ItemAttributes()
        attributes.label = "login"
        attributes.accessControl = control
        attributes.protectionClass = protectionClass
        return try await keychain.makePrivateKey(attributes)
    }

    private func bytes(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withBytes { $0.copyToArray() } }

    private func code(_ body: () async throws -> Void) async -> TresorError.Code? {
        do {
            try await body()
            return nil
        } catch { return (error as? TresorError)?.code }
    }

    @Test func `two keys agree, each with the other's public half`() async throws {
        let (one, other) = (try await make(), try await make())
        #expect(one.publicKey.count == 65 && one.publicKey.first == 4 && one.publicKey != other.publicKey)
        let mine = try await keychain.agree(with: other.publicKey, using: one.reference)
        let theirs = try await keychain.agree(with: one.publicKey, using: other.reference)
        #expect(bytes(mine) == bytes(theirs) && bytes(mine).count == 32)
        #expect(try await keychain.publicKey(of: ItemQuery(one.reference)) == one.publicKey)
    }

    @Test func `a key is an item of its own kind, without a secret`() async throws {
        let key = try await make()
        let item = try await keychain.find(ItemQuery(key.reference))
        #expect(item.kind == .key && item.label == "login" && item.accessControl == .privateKeyUsage)
        #expect(item.protectionClass == .whenUnlockedThisDeviceOnly)
        #expect(bytes(try await keychain.read(ItemQuery(key.reference))).isEmpty)
        let refusal = await code {
            try await keychain.update(ItemQuery(key.reference), secret: SecretBytes(text: "mine"))
        }
        #expect(refusal == .invalidParameter)
    }

    @Test(arguments: [20, 32, 48, 64]) func `a hash is signed, twice not alike`(count: Int) async throws {
        let key = try await make()
        let digest = [UInt8](repeating: 1, count: count)
        let one = try await keychain.sign(digest, with: key.reference)
        let other = try await keychain.sign(digest, with: key.reference)
        #expect(one.first == 0x30 && one.count <= 72 && one != other)
    }

    @Test func `what cannot be worked on is refused`() async throws {
        let key = try await make()
        for count in [0, 19, 28, 33, 65, 256] {
            let refusal = await code {
                _ = try await keychain.sign([UInt8](repeating: 1, count: count), with: key.reference)
            }
            #expect(refusal == .invalidParameter)
        }
        var offCurve = key.publicKey
        offCurve[64] ^= 1
        let compressed = [2] + key.publicKey[1...32]
        for point in [offCurve, compressed, [], Array(repeating: 0, count: 65)] {
            #expect(
                await code { _ = try await keychain.agree(with: point, using: key.reference) } == .invalidParameter)
        }
    }

    @Test func `an item that is no such key does no work`() async throws {
        var attributes = ItemAttributes()
        attributes.service = "mail"
        let reference = try await keychain.add(.password, attributes, secret: SecretBytes(text: "x"))
        let digest = [UInt8](repeating: 1, count: 32)
        #expect(await code { _ = try await keychain.sign(digest, with: reference) } == .invalidParameter)
        #expect(await code { _ = try await keychain.publicKey(of: ItemQuery(reference)) } == .invalidParameter)
        let key = try await make()
        try await keychain.remove(ItemQuery(key.reference))
        #expect(await code { _ = try await keychain.sign(digest, with: key.reference) } == .notFound)
    }

    @Test func `its class is one that stays on the device, and shuts it`() async throws {
        #expect(await code { _ = try await make(nil, .whenUnlocked) } == .invalidParameter)
        #expect(await code { _ = try await make([.or]) } == .invalidParameter)
        #expect(await code { _ = try await make(.userPresence) } == .notPermitted)
        try device.setPasscode("1234")
        let shut = try await make(), open = try await make(nil, .afterFirstUnlockThisDeviceOnly)
        try device.lock()
        let digest = [UInt8](repeating: 1, count: 32)
        #expect(await code { _ = try await keychain.sign(digest, with: shut.reference) } == .locked)
        #expect(await code { _ = try await keychain.sign(digest, with: open.reference) } == nil)
        #expect(await code { _ = try await make() } == .locked)
    }

    @Test func `the owner is asked for each use, and for no wrong input`() async throws {
        try device.setPasscode("1234")
        let key = try await make(.userPresence)
        let digest = [UInt8](repeating: 1, count: 32)
        #expect(await code { _ = try await keychain.sign(digest, with: key.reference) } == .presenceRequired)
        let wrong = AuthenticationContext { _ in try SecretBytes(text: "0000") }
        #expect(
            await code { _ = try await keychain.sign(digest, with: key.reference, context: wrong) }
                == .authenticationFailed)
        let right = AuthenticationContext { reason in
            #expect(reason == .use)
            return try SecretBytes(text: "1234")
        }
        #expect(try await keychain.sign(digest, with: key.reference, context: right).first == 0x30)
        #expect(await code { _ = try await keychain.sign(digest, with: key.reference) } == .presenceRequired)
        let shared = try await keychain.agree(with: key.publicKey, using: key.reference, context: right)
        #expect(bytes(shared).count == 32)
        let nobody = AuthenticationContext { _ in
            Issue.record("asked for a hash that is none")
            return try SecretBytes(text: "1234")
        }
        #expect(
            await code { _ = try await keychain.sign([1], with: key.reference, context: nobody) } == .invalidParameter)
    }
}
