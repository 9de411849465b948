import Checkout
import Certificates
import Foundation
import Protection
import Secrets
import Testing
import Tresor
import Wire

@testable import KeychainTerminal
@testable import TresorTesting

/// The viewer's questions, answered by a keychain in memory.
@Suite struct KeychainLinkTests {
    let device: TestDevice
    let keychain: Keychain
    let link: KeychainLink

    init() throws {
        let device = try TestDevice()
        self.device = device
        keychain = try device.makeKeychain()
        let transport = device.transport
        link = KeychainLink(SharedTransport(SharedTransport.Source { transport }), RecordReader { _ in 0 })
    }

    private func add(
        _ name: String, _ kind: ItemKind = .password, _ protectionClass: ProtectionClass? = nil,
        control: AccessControl? = nil, secret: String = "s3cret"
    ) async throws {
        var attributes = ItemAttributes()
        attributes.label = name
        if kind == .password { attributes.service = name }
        if kind == .key { attributes.applicationTag = name }
        attributes.protectionClass = protectionClass
        attributes.accessControl = control
        try await keychain.add(kind, attributes, secret: try SecretBytes(text: secret))
    }

    private func text(_ secret: consuming SecretBytes) -> String {
        secret.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
    }

    @Test func `what is locked is counted by kind and class, and the rest is listed`() async throws {
        try device.setPasscode("1234")
        try await add("one", .password, .whenUnlocked)
        try await add("two", .password, .whenUnlocked)
        try await add("three", .password, .whenPasscodeSetThisDeviceOnly)
        try await add("four", .password, .afterFirstUnlock)
        try await add("five", .key, .whenUnlocked)
        try await add("six", .key, .always)
        #expect(try link.listing(date: 0).records.map(\.label) == ["one", "two", "three", "four", "five", "six"])
        try device.lock()
        let locked = try link.listing(date: 0)
        #expect(locked.records.map(\.label) == ["four", "six"])
        #expect(
            locked.locked == [
                LockedGroup(kind: .password, protectionClass: .whenUnlocked, count: 2),
                LockedGroup(kind: .password, protectionClass: .whenPasscodeSetThisDeviceOnly, count: 1),
                LockedGroup(kind: .key, protectionClass: .whenUnlocked, count: 1),
            ])
        device.restart()
        let early = try link.listing(date: 0)
        #expect(early.records.map(\.label) == ["six"])
        #expect(early.locked.reduce(0) { $0 + $1.count } == 5)
    }

    @Test func `an empty keychain is an empty list`() throws {
        #expect(try link.listing(date: 7) == Listing(date: 7))
    }

    @Test func `more items than one page holds are all listed`() async throws {
        for number in 0..<600 { try await add("item \(number)") }
        #expect(try link.listing(date: 0).records.count == 600)
    }

    @Test func `a secret that demands presence needs the right passcode each time`() async throws {
        try device.setPasscode("1234")
        try await add("guarded", control: .userPresence)
        let record = try #require(try link.listing(date: 0).records.first)
        #expect(record.control == .userPresence && !record.control.isFingerAlone)
        let reference = record.reference
        func code(_ passcode: String?) -> TresorError.Code? {
            do {
                _ = try link.read(reference, passcode: try passcode.map { try SecretBytes(text: $0) })
                return nil
            } catch { return (error as? TresorError)?.code }
        }
        #expect(code(nil) == .presenceRequired)
        #expect(code("4321") == .authenticationFailed)
        #expect(text(try link.read(reference, passcode: try SecretBytes(text: "1234"))) == "s3cret")
        #expect(code(nil) == .presenceRequired)
    }

    @Test func `an item's own password is told from the passcode, and opens beside it`() async throws {
        try device.setPasscode("1234")
        var attributes = ItemAttributes()
        attributes.service = "own"
        attributes.accessControl = [.userPresence, .applicationPassword]
        let context = AuthenticationContext(itemPassword: { _ in try SecretBytes(text: "quince") }) { _ in
            try SecretBytes(text: "1234")
        }
        try await keychain.add(.password, attributes, secret: try SecretBytes(text: "s3cret"), context: context)
        let reference = try #require(try link.listing(date: 0).records.first?.reference)
        func cause(_ passcode: String?, _ password: String?) -> String? {
            do {
                _ = try link.read(
                    reference, passcode: try passcode.map { try SecretBytes(text: $0) },
                    itemPassword: try password.map { try SecretBytes(text: $0) })
                return nil
            } catch { return (error as? TresorError)?.cause }
        }
        #expect(cause(nil, nil) == "itemPasswordRequired")
        #expect(cause(nil, "1234") == "wrongItemPassword")
        #expect(cause(nil, "") == "wrongItemPassword")
        #expect(cause(nil, "quince") == "presenceRequired")
        #expect(cause("4321", nil) == "wrongPasscode")
        #expect(cause("1234", "quince") == nil)
        #expect(cause(nil, nil) == "itemPasswordRequired", "each is good for one reading")
    }

    @Test func `locked, removed and absent items are told apart`() async throws {
        try device.setPasscode("1234")
        try await add("one")
        let reference = try #require(try link.listing(date: 0).records.first?.reference)
        try device.lock()
        #expect { _ = try link.read(reference, passcode: nil) } throws: { ($0 as? TresorError)?.code == .locked }
        try device.unlock("1234")
        try link.remove([reference], isForGood: false)
        #expect { _ = try link.read(reference, passcode: nil) } throws: { ($0 as? TresorError)?.code == .notFound }
        #expect { try link.remove([reference], isForGood: false) } throws: { ($0 as? TresorError)?.code == .notFound }
    }

    @Test func `every attribute has a plain name and dates are local`() async throws {
        var attributes = ItemAttributes()
        attributes.server = "shop.example"
        attributes.account = "anna"
        attributes.port = 8443
        attributes.protectionClass = .afterFirstUnlockThisDeviceOnly
        attributes.accessControl = .devicePasscode
        try device.setPasscode("1234")
        try await keychain.add(.internetPassword, attributes, secret: try SecretBytes(text: "x"))
        let record = try #require(try link.listing(date: 0).records.first)
        let facts = Dictionary(uniqueKeysWithValues: record.facts.map { ($0.name, $0.value) })
        #expect(record.label == "shop.example" && record.kind == .internet)
        #expect(facts["Account"] == "anna" && facts["Port"] == "8443" && facts["Access group"] == "user")
        #expect(facts["Readable"]?.contains("on this device only") == true)
        #expect(facts["Demands"] == "the device's passcode")
        #expect(facts["Added"] == "14 November 2023, 22:13")
        let abroad = RecordReader { $0 < 1_700_000_000 ? -3600 : 5 * 3600 + 1800 }
        #expect(abroad.date(1_700_000_000) == "15 November 2023, 03:43")
        #expect(abroad.date(1_699_999_999) == "14 November 2023, 21:13")
    }

    @Test func `a certificate is read, and finds its private key`() async throws {
        let folder = Checkout.root.appendingPathComponent("Tests/SDK/CertificateTests/Vectors")
        let bytes = Array(try Data(contentsOf: folder.appendingPathComponent("p256-certificate.der")))
        let certificate = try DERCertificate(bytes)
        try await keychain.add(
            .certificate, ItemAttributes(), secret: try bytes.withSpan { try SecretBytes(copying: $0) })
        var key = ItemAttributes()
        key.values[.keyClass] = .number(1)
        key.values[.applicationLabel] = .data(certificate.publicKeyHash)
        key.label = "its key"
        try await keychain.add(.key, key, secret: try SecretBytes(text: "key"))
        let listing = try link.listing(date: 0)
        let identity = try #require(listing.identities.first)
        #expect(identity.label == certificate.summary)
        #expect(identity.certificate?.fingerprint == Hexadecimal.encode(certificate.fingerprint))
        #expect(identity.facts.contains { $0.name == "Valid until" && $0.value.contains(", ") })
        #expect(text(try link.read(try #require(identity.secretReference), passcode: nil)) == "key")
    }

    @Test func `a certificate that is none is still listed`() async throws {
        try await add("broken", .certificate, secret: "no DER")
        let record = try #require(try link.listing(date: 0).records.first)
        #expect(record.label == "broken" && record.certificate == nil && record.kind == .certificate)
    }

    @Test func `secure notes are known by their description`() async throws {
        var attributes = ItemAttributes()
        attributes.service = "Safe"
        attributes.itemDescription = "secure note"
        try await keychain.add(.password, attributes, secret: try SecretBytes(text: "4711"))
        #expect(try link.listing(date: 0).records.map(\.kind) == [.secureNote])
    }

    @Test func `what four letters and numbers say is said in words, and what says nothing to people is left out`()
        async throws
    {
        var attributes = ItemAttributes()
        attributes.server = "shop.example"
        attributes.protocolName = "htps"
        attributes.values[.creator] = .number(0x6162_6364)
        try await keychain.add(.internetPassword, attributes, secret: try SecretBytes(text: "x"))
        let record = try #require(try link.listing(date: 0).records.first)
        #expect(record.kind.rawValue == "internet password")
        #expect(record.facts.contains { $0.name == "Protocol" && $0.value == "https" })
        #expect(!record.facts.contains { $0.value.contains("abcd") || $0.value == "1633837924" })
    }

    @Test func `a code is found beside its login, and made without its seed being given out`() async throws {
        try await add("Example")
        try await keychain.addOneTimeCode(
            try SecretBytes(text: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"), OneTimeCodeName(title: "Example"))
        var listing = try link.listing(date: 0)
        listing.joinCodes()
        let login = try #require(listing.records.first { $0.kind == .password })
        let code = try #require(listing.records.first { $0.kind == .code })
        #expect(login.code?.reference == code.reference && code.secretReference == nil)
        let seed = try link.read(code.reference, passcode: nil)
        let made = try OneTimeCode(seed, at: Date(timeIntervalSince1970: 1_111_111_109))
        #expect(text(try made.digits.copy()) == "081804")
    }

    @Test func `a draft is added, changed, and refused where there is such an item`() throws {
        var draft = Draft(kind: .password)
        draft.attributes[.service] = .string("one")
        draft.attributes[.label] = .string("One")
        let reference = try link.add(draft, secret: try SecretBytes(text: "first"))
        #expect(text(try link.read(reference, passcode: nil)) == "first")
        #expect { _ = try link.add(draft, secret: try SecretBytes(text: "second")) } throws: {
            ($0 as? TresorError)?.code == .duplicate
        }
        var changes = Attributes()
        changes[.label] = .string("Two")
        try link.change(reference, changes, secret: nil, KeychainLink.Proofs())
        #expect(text(try link.read(reference, passcode: nil)) == "first", "the secret stays where none is given")
        try link.change(reference, Attributes(), secret: try SecretBytes(text: "third"), KeychainLink.Proofs())
        #expect(text(try link.read(reference, passcode: nil)) == "third")
        #expect(try link.listing(date: 0).records.map(\.label) == ["Two"])
    }

    @Test func `a change of what demands presence needs the passcode`() async throws {
        try device.setPasscode("1234")
        try await add("guarded", control: .userPresence)
        let reference = try #require(try link.listing(date: 0).records.first?.reference)
        let new = { try SecretBytes(text: "new") }
        #expect { try link.change(reference, Attributes(), secret: try new(), KeychainLink.Proofs()) } throws: {
            ($0 as? TresorError)?.code == .presenceRequired
        }
        let proofs = KeychainLink.Proofs(passcode: try SecretBytes(text: "1234"), itemPassword: nil)
        try link.change(reference, Attributes(), secret: try new(), proofs)
        #expect(text(try link.read(reference, passcode: try SecretBytes(text: "1234"))) == "new")
    }

    @Test func `the device is unlocked by its passcode, and by no other`() throws {
        try device.setPasscode("1234")
        try device.lock()
        #expect { try link.unlock(try SecretBytes(text: "4321")) } throws: {
            ($0 as? TresorError)?.code == .authenticationFailed
        }
        #expect(device.lockState == .locked && link.wrongTries() != nil)
        try link.unlock(try SecretBytes(text: "1234"))
        #expect(device.lockState == .unlocked)
    }

    @Test func `a page is read at a time, and what was read is there meanwhile`() async throws {
        for number in 0..<600 { try await add("item \(number)") }
        let walk = ListingWalk(link, date: 0)
        #expect(try walk.goOn())
        let first = walk.listing.records.count
        #expect(first > 0 && first < 600)
        while try walk.goOn() {}
        #expect(walk.listing.records.count == 600)
    }
}
