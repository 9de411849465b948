import Conformance
import Foundation
import Linux
import Protection
import Secrets
import SecurityKeys
import Testing
import Tresor
import Wire

@testable import SoftKeys

/// Security keys as proofs of presence: libfido2, the real tresord and its enclave, and keys in this process.
@Suite(.serialized) struct SecurityKeyStories {
    private static let patience: Int32 = 10_000

    /// A key as it is enrolled, and what it derived then.
    private func make(_ soft: SoftAuthenticator, _ name: String) throws -> SecurityKeyDescription {
        let key = try SecurityKey(reports: try soft.plugIn())
        let credential = try key.makeCredential(pin: nil, milliseconds: Self.patience)
        return SecurityKeyDescription(
            name: name, credential: credential.id, publicKey: credential.publicKey,
            salt: SystemRandom.makeBytes(count: 32), demandsVerification: credential.demandsVerification)
    }

    private func derive(_ soft: SoftAuthenticator, _ description: SecurityKeyDescription) throws -> SecretBytes {
        let key = try SecurityKey(reports: try soft.plugIn())
        let credential = try #require(
            SecurityKeyCredential(
                id: description.credential, publicKey: description.publicKey,
                demandsVerification: description.demandsVerification))
        return try key.deriveSecret(
            of: credential, try #require(SecuritySalt(description.salt)), pin: nil, milliseconds: Self.patience)
    }

    private func secretText(_ text: String) throws -> SecretBytes { try SecretBytes(text: text) }

    private func enrol(_ soft: SoftAuthenticator, _ name: String, _ device: LiveDevice, passcode: String = "1234")
        throws
    {
        let description = try make(soft, name)
        let enrolment = SecurityKeyEnrolment(
            passcode: try secretText(passcode), secret: try derive(soft, description), description: description)
        try device.perform(.enrolSecurityKey(enrolment))
    }

    private func add(_ device: LiveDevice, _ service: String, _ access: String) throws {
        let added = try device.run(
            "keychain", "add", "--service", service, "--access", access, input: Data("of \(service)".utf8))
        #expect(added.code == 0, "\(added)")
    }

    /// Asks the soft key as `tresor` asks one that is plugged in.
    private func context(_ soft: SoftAuthenticator) -> AuthenticationContext {
        let derive = { @Sendable (description: SecurityKeyDescription) in try self.derive(soft, description) }
        return AuthenticationContext(
            securityKey: { keys in
                guard let first = keys.first else { return nil }
                return SecurityKeyAnswer(id: first.id, secret: try derive(first.description))
            },
            passcode: { _ in throw TresorError(.authenticationFailed, "nobody types") })
    }

    private func keychain(_ device: LiveDevice) throws -> Keychain {
        try Keychain(transport: SocketTransport(device.home))
    }

    private func read(_ service: String, _ device: LiveDevice, _ soft: SoftAuthenticator) async throws -> String {
        let secret = try await keychain(device).read(.password(service: service), context: context(soft))
        return secret.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
    }

    @Test func `an enrolled key opens what demands presence, each time by a touch`() async throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let soft = SoftAuthenticator()
        try enrol(soft, "Blue", device)
        try add(device, "s", "userPresence")
        let before = soft.state.withLock(\.touches)
        #expect(try await read("s", device, soft) == "of s")
        #expect(try await read("s", device, soft) == "of s")
        #expect(soft.state.withLock(\.touches) == before + 2)
        #expect(try device.run("security-key", "list").text.contains("Blue\t"))
        // A key that is not touched proves nothing.
        soft.state.withLock { $0.touch = .declined }
        await #expect(throws: (any Error).self) { _ = try await read("s", device, soft) }
    }

    @Test func `it stands for presence, and neither for the passcode nor for a finger`() async throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let soft = SoftAuthenticator()
        try enrol(soft, "Blue", device)
        try add(device, "p", "devicePasscode")
        let before = soft.state.withLock(\.touches)
        await #expect(throws: (any Error).self) { _ = try await read("p", device, soft) }
        #expect(soft.state.withLock(\.touches) == before, "it is not even asked")
        // Whoever sends its proof all the same opens nothing by it.
        let found = try await keychain(device).find(.password(service: "p"))
        let key = try #require(try await keychain(device).securityKeys().first)
        let connection = try device.connect()
        try connection.perform(
            .proveSecurityKey(
                SecurityKeyClaim(
                    id: key.id, secret: try derive(soft, key.description), item: found.reference.item,
                    operation: ProtectedOperation.read.rawValue)))
        let status = status(reading: found.reference, over: connection)
        #expect(status == -25293)
    }

    private func status(reading reference: PersistentReference, over connection: SocketTransport) -> Int32 {
        var query = KeychainQuery()
        query.persistentReference = reference
        query.returns = .data
        do {
            try connection.exchange(.find(query)) { payload in
                var reader = ByteReader(payload)
                guard try KeychainReply.header(&reader).tag == .page else { throw try KeychainError(from: &reader) }
            }
            return 0
        } catch { return (error as? KeychainError)?.status.rawValue ?? 1 }
    }

    @Test func `a stolen proof, another key's, another item's and a replay open nothing`() async throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let (soft, other) = (SoftAuthenticator(), SoftAuthenticator())
        try enrol(soft, "Blue", device)
        try add(device, "one", "userPresence")
        try add(device, "two", "userPresence")
        let one = try await keychain(device).find(.password(service: "one")).reference
        let two = try await keychain(device).find(.password(service: "two")).reference
        let key = try #require(try await keychain(device).securityKeys().first)
        func claim(_ item: Identifier, _ secret: borrowing SecretBytes) throws -> SecurityKeyClaim {
            SecurityKeyClaim(
                id: key.id, secret: try secret.copy(), item: item, operation: ProtectedOperation.read.rawValue)
        }
        let connection = try device.connect()
        // Another key's secret, and one of nobody's.
        let foreign = try derive(other, make(other, "x"))
        #expect(throws: KeychainError.self) { try connection.perform(.proveSecurityKey(try claim(one.item, foreign))) }
        let short = try secretText("short")
        #expect(throws: KeychainError.self) { try connection.perform(.proveSecurityKey(try claim(one.item, short))) }
        #expect(status(reading: one, over: connection) == -25293)
        // Proved over one connection, it is no good over another, nor for another item, nor twice.
        try connection.perform(.proveSecurityKey(try claim(one.item, try derive(soft, key.description))))
        #expect(status(reading: one, over: try device.connect()) == -25293)
        #expect(status(reading: two, over: connection) == -25293)
        #expect(status(reading: one, over: connection) == 0)
        #expect(status(reading: one, over: connection) == -25293)
        // Nor behind a lock.
        try connection.perform(.proveSecurityKey(try claim(one.item, try derive(soft, key.description))))
        #expect(try device.run("lock").code == 0)
        try device.unlock()
        #expect(status(reading: one, over: connection) == -25293)
    }

    @Test func `enrolment takes the passcode, and goes with it`() async throws {
        let device = try LiveDevice()
        let soft = SoftAuthenticator()
        #expect(throws: KeychainError.self) { try enrol(soft, "Blue", device) }
        try device.setPasscode()
        #expect(throws: KeychainError.self) { try enrol(soft, "Blue", device, passcode: "9999") }
        #expect(try device.status().enclave.failures == 1)
        #expect(try await keychain(device).securityKeys().isEmpty)
        try enrol(soft, "Blue", device)
        #expect(throws: KeychainError.self) { try enrol(soft, "Blue", device) }
        try enrol(SoftAuthenticator(), "Red", device)
        #expect(try await keychain(device).securityKeys().map(\.description.name) == ["Blue", "Red"])
        try add(device, "s", "userPresence")
        try device.restart()
        try device.unlock()
        #expect(try await read("s", device, soft) == "of s")
        let refused = try device.run("security-key", "remove", "Blue", input: Data("0000\n".utf8))
        #expect(refused.code == 6, "\(refused)")
        #expect(try device.run("security-key", "remove", "Blue", input: Data("1234\n".utf8)).code == 0)
        await #expect(throws: (any Error).self) { _ = try await read("s", device, soft) }
        // A passcode that is removed or forgotten takes what counted as its owner with it.
        #expect(try await keychain(device).securityKeys().count == 1)
        #expect(try device.run("passcode", "remove", input: Data("1234\n".utf8)).code == 0)
        #expect(try await keychain(device).securityKeys().isEmpty)
        try device.setPasscode()
        #expect(try await keychain(device).securityKeys().isEmpty)
        try enrol(SoftAuthenticator(), "Red", device)
        try device.resetPasscode()
        try device.setPasscode()
        #expect(try await keychain(device).securityKeys().isEmpty)
    }
}
