import Conformance
import Secrets
import Testing
import Tresor
import TresorTesting
import Wire

@testable import Profiles

/// Profiles into a keychain and out of it again; on a device in memory, which can be cut off between any two requests.
@Suite struct Installations {
    private typealias Text = ProfileText
    private let device: TestDevice
    private let keychain: Keychain

    init() throws {
        device = try TestDevice()
        keychain = try device.makeKeychain()
    }

    private func install(
        _ payloads: [String], _ rule: AvailabilityRule = .iOS, on keychain: Keychain? = nil, more: String = ""
    ) async throws {
        let installer = ProfileInstaller(keychain ?? self.keychain)
        let profile = try Text.read(Text.profile(payloads, more: more))
        try await installer.install(try await installer.plan(profile, rule), now: 1)
    }

    /// Everything in the keychain: kind, name and class, in order.
    private func contents() async throws -> [String] {
        var found: [String] = []
        for kind in ItemKind.allCases {
            for try await item in keychain.items(ItemQuery(kind)) {
                let name = item.service ?? item.server ?? ""
                found.append("\(kind) \(name) \(item.account ?? "") \(item.protectionClass?.name ?? "")")
            }
        }
        return found.sorted()
    }

    private static let record =
        "password tresor.profile org.example.office afterFirstUnlockThisDeviceOnly"

    @Test func `items come with the profile and leave with it, and nobody else's do`() async throws {
        var own = ItemAttributes()
        own.service = "wifi"
        own.account = "Office-W"
        try await keychain.add(.password, own, secret: SecretBytes(text: "my own"))
        let before = try await contents()
        try await install([try Text.authority(), Text.wirelessNetwork(), try Text.identity(), Text.management()])
        #expect(
            try await contents() == [
                "certificate   always", "certificate   always", "key   always",
                Self.record, "password wifi Office-W afterFirstUnlockThisDeviceOnly",
                "password wifi Office-W whenUnlocked",
            ])
        let records = try await ProfileShelf(keychain).records().readable
        #expect(records.count == 1 && records[0].state == .installed && records[0].items.count == 4)
        #expect(records[0].items.allSatisfy { $0.reference != nil } && records[0].displayName == "Office")
        try await ProfileInstaller(keychain).remove("org.example.office")
        #expect(try await contents() == before)
        let again = await #expect(throws: ProfileError.self) {
            try await ProfileInstaller(keychain).remove("org.example.office")
        }
        #expect(again?.code == .notInstalled)
    }

    @Test func `two profiles with the same authority have one each`() async throws {
        try await install([try Text.authority()])
        let other = try Text.read(Text.profile([try Text.authority()], identifier: "org.example.other"))
        let installer = ProfileInstaller(keychain)
        try await installer.install(try await installer.plan(other, .iOS), now: 1)
        try await installer.remove("org.example.office")
        #expect(try await contents().filter { $0.hasPrefix("certificate") }.count == 1)
    }

    @Test func `a newer profile takes the place of the older one`() async throws {
        try await install([Text.wirelessNetwork("W", "old"), Text.wirelessNetwork("X")])
        try await install([Text.wirelessNetwork("W", "new")])
        #expect(try await contents() == [Self.record, "password wifi Office-W afterFirstUnlockThisDeviceOnly"])
        let secret = try await keychain.read(.password(service: "wifi", account: "Office-W"))
        #expect(secret.withBytes { $0.copyToArray() } == Array("new".utf8))
    }

    @Test func `what was installed under the older rule stays always readable, until the profile is removed`()
        async throws
    {
        try await install([Text.wirelessNetwork()], .macOS)
        #expect(try await contents().contains("password wifi Office-W always"))
        try await install([Text.wirelessNetwork(), Text.wirelessNetwork("X")], .iOS)
        #expect(try await contents().contains("password wifi Office-W always"))
        #expect(try await contents().contains("password wifi Office-X afterFirstUnlockThisDeviceOnly"))
        try await ProfileInstaller(keychain).remove("org.example.office")
        try await install([Text.wirelessNetwork()], .iOS)
        #expect(try await contents().contains("password wifi Office-W afterFirstUnlockThisDeviceOnly"))
    }

    @Test func `a profile that may not be removed is removed by force alone`() async throws {
        try await install([Text.wirelessNetwork()], more: "<key>PayloadRemovalDisallowed</key><true/>")
        let refused = await #expect(throws: ProfileError.self) {
            try await ProfileInstaller(keychain).remove("org.example.office")
        }
        #expect(refused?.code == .removalDisallowed)
        #expect(try await contents().count == 2)
        try await ProfileInstaller(keychain).remove("org.example.office", isForced: true)
        #expect(try await contents() == [])
    }

    @Test func `an installation that ends between any two requests is undone or finished by the next`() async throws {
        let old = [Text.wirelessNetwork("W", "old"), Text.wirelessNetwork("X", "old")]
        let new = [Text.wirelessNetwork("W", "new"), try Text.authority(), Text.wirelessNetwork("Y", "new")]
        var cut = 0
        while true {
            try await install(old)
            let cutting = try Keychain(transport: CutTransport(device, after: cut))
            let isWhole = (try? await install(new, on: cutting)) != nil
            let between = try await contents()
            // The older one is whole, or the newer one is.
            let hasOld = between.contains { $0.contains("Office-X") }
            let hasNew = between.contains { $0.contains("Office-Y") } && between.contains { $0.contains("certificate") }
            #expect(hasOld || hasNew, "\(cut)")
            if cut % 2 == 0 {
                try await install(new)
                #expect(
                    try await contents() == [
                        "certificate   always", Self.record, "password wifi Office-W afterFirstUnlockThisDeviceOnly",
                        "password wifi Office-Y afterFirstUnlockThisDeviceOnly",
                    ], "\(cut)")
            }
            try await ProfileInstaller(keychain).remove("org.example.office")
            #expect(try await contents() == [], "\(cut)")
            if isWhole { break }
            cut += 1
        }
        #expect(cut > 8)
    }

    @Test func `an installation that fails leaves the keychain as it was`() async throws {
        try device.setPasscode("1234")
        try await install([Text.wirelessNetwork("W", "old")])
        let before = try await contents()
        for failing in 2..<7 {
            let failingOnce = try Keychain(transport: CutTransport(device, after: failing, once: true))
            let isWhole = (try? await install([Text.wirelessNetwork("X", "new")], on: failingOnce)) != nil
            if !isWhole, try await ProfileShelf(keychain).records().readable[0].superseded.isEmpty {
                #expect(try await contents() == before, "\(failing)")
            }
            try await install([Text.wirelessNetwork("W", "old")])
        }
        device.restart()
        let locked = await #expect(throws: TresorError.self) { try await install([Text.wirelessNetwork()]) }
        #expect(locked?.code == .locked)
    }

    @Test func `what fails behind an installation, or in a removal, is told with what was done, and can be finished`()
        async throws
    {
        var told = (installed: 0, removing: 0)
        for failing in 1..<30 {
            try await install([Text.wirelessNetwork("W", "old")])
            let installing = try Keychain(transport: CutTransport(device, after: failing, once: true))
            var hasFailed = false
            do { try await install([Text.wirelessNetwork("X", "new")], on: installing) } catch let error
                as UnfinishedProfile
            {
                #expect(error.work == .installed)
                #expect(error.description.hasPrefix("the profile is installed; then this failed: "))
                told.installed += 1
            } catch is TresorError { hasFailed = true }
            let isThere = try await contents().contains { $0.contains("Office-X") }
            #expect(isThere == !hasFailed, "\(failing)")
            try await install([Text.wirelessNetwork("X", "new")])
            #expect(
                try await contents() == [Self.record, "password wifi Office-X afterFirstUnlockThisDeviceOnly"],
                "\(failing)")
            let removing = try Keychain(transport: CutTransport(device, after: failing, once: true))
            do { try await ProfileInstaller(removing).remove("org.example.office") } catch let error
                as UnfinishedProfile
            {
                #expect(error.work == .removing && error.description.contains("some of its items may be gone"))
                try await ProfileInstaller(keychain).remove("org.example.office")
                told.removing += 1
            } catch is TresorError { try await ProfileInstaller(keychain).remove("org.example.office") }
            #expect(try await contents() == [], "\(failing)")
        }
        #expect(told.installed >= 2 && told.removing >= 2)
    }

    @Test func `behind the idle lock that profiles demand stands the one that somebody had set`() async throws {
        try await install([Text.wirelessNetwork()])
        let plain = try await ProfileShelf(keychain).records().readable[0]
        func record(_ idleLock: UInt32, former: UInt32?) -> ProfileRecord {
            var record = plain
            (record.idleLockSeconds, record.formerIdleLock) = (idleLock, former)
            return record
        }
        let both = [record(300, former: 900), record(120, former: 900), plain]
        #expect(IdleLockWish.seconds(behind: 120, both) == 900)
        #expect(IdleLockWish.seconds(behind: 300, [both[0]]) == 900)
        #expect(IdleLockWish.seconds(behind: 60, both) == 60, "somebody has set it since")
        #expect(IdleLockWish.seconds(behind: 300, [record(300, former: nil)]) == 300)
        #expect(IdleLockWish.seconds(behind: 300, [record(300, former: 0)]) == 0, "it was never")
        #expect(IdleLockWish.seconds(behind: 900, [plain]) == 900)
    }

    @Test func `roots are those of the complete installation, and of no other`() async throws {
        try await install([Text.wirelessNetwork()])
        var record = try await ProfileShelf(keychain).records().readable[0]
        func item(_ role: AvailabilityRule.Role, _ number: UInt64) -> ProfileRecord.Item {
            let reference = PersistentReference(kind: .certificate, item: Identifier(high: 0, low: number))
            return ProfileRecord.Item(
                kind: .certificate, role: role, protectionClass: .always, payload: "R", reference: reference)
        }
        (record.items, record.superseded) = ([item(.root, 1), item(.certificate, 2)], [item(.root, 3)])
        record.state = .installed
        #expect(record.roots == [item(.root, 1).reference])
        record.state = .installing
        #expect(record.roots == [item(.root, 3).reference], "the one before, as long as this one is not complete")
        for role in AvailabilityRule.Role.allCases where role != .other {
            #expect(
                AvailabilityRule.iOS.protectionClass(of: role) == .always
                    && AvailabilityRule.macOS.protectionClass(of: role) == .always)
        }
        #expect(try await ProfileRoots.read(keychain).roots.isEmpty)
    }

    @Test func `a record that is damaged is kept and counted, and keeps no other from being read`() async throws {
        try await install([Text.wirelessNetwork()])
        var attributes = ItemAttributes()
        attributes.service = ProfileShelf.service
        attributes.account = "org.example.damaged"
        try await keychain.add(.password, attributes, secret: SecretBytes(text: "no record"))
        let records = try await ProfileShelf(keychain).records()
        #expect(records.readable.map(\.identifier) == ["org.example.office"] && records.damagedCount == 1)
        let refused = await #expect(throws: ProfileError.self) {
            try await ProfileInstaller(keychain).remove("org.example.damaged")
        }
        #expect(refused?.code == .damagedRecord)
        #expect(try await contents().count == 3)
    }

    @Test func `a record reads as it was written, and mutated ones are refused or read as one`() async throws {
        try await install([try Text.authority(), Text.wirelessNetwork()])
        let record = try await ProfileShelf(keychain).records().readable[0]
        let bytes = record.encoded
        #expect(try bytes.withSpan { try ProfileRecord($0) } == record)
        for place in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[place] ^= 1 << UInt8(bit)
                if let read = try? changed.withSpan({ try ProfileRecord($0) }) { #expect(read.encoded == changed) }
            }
            #expect(throws: ProfileError.self) { try Array(bytes[..<place]).withSpan { _ = try ProfileRecord($0) } }
        }
        #expect(throws: ProfileError.self) { try (bytes + [0]).withSpan { _ = try ProfileRecord($0) } }
    }
}
