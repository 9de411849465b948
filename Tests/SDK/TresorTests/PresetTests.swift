import Protection
import Testing
import Tresor

/// The table of presets beside the guide's, which is typed here once more: *Apple Platform Security*, "Keychain data
/// protection", in the edition that speaks of iOS 15.
@Suite struct Presets {
    /// Kind in the guide, our name of it, and the class that stands beside it there.
    private static let guide: [(kind: String, name: String, code: String)] = [
        ("Wi-Fi passwords", "wifi", "ck"),
        ("Mail accounts", "mail", "ck"),
        ("Microsoft Exchange ActiveSync accounts", "exchange", "ck"),
        ("VPN passwords", "vpn", "ck"),
        ("LDAP, CalDAV, CardDAV", "directory", "ck"),
        ("Social network account tokens", "social", "ck"),
        ("Handoff advertisement encryption keys", "handoff", "ck"),
        ("iCloud token", "cloud-token", "ck"),
        ("iMessage keys", "message-keys", "ck"),
        ("Home Sharing password", "home-sharing", "ak"),
        ("Safari passwords", "web-password", "ak"),
        ("Safari bookmarks", "web-bookmarks", "ak"),
        ("Finder/iTunes backup", "backup", "aku"),
        ("VPN certificates", "vpn-certificate", "cku"),
        ("Bluetooth keys", "bluetooth", "dku"),
        ("Apple Push Notification service token", "push-token", "dku"),
        ("iCloud certificates and private key", "cloud-identity", "dku"),
        ("SIM PIN", "sim-pin", "dku"),
        ("Find My token", "find-device", "dk"),
        ("Voicemail", "voicemail", "dk"),
    ]

    /// Where another edition, or a careful owner, has it stricter.
    private static let stricter = [
        "message-keys": "cku", "bluetooth": "cku", "push-token": "cku", "cloud-identity": "cku", "sim-pin": "cku",
        "find-device": "ck", "voicemail": "ck",
    ]

    @Test(arguments: Presets.guide.indices)
    func `a kind has the class that the guide gives it`(index: Int) throws {
        let row = Self.guide[index]
        let preset = try #require(ItemPreset(name: row.name), "\(row.kind)")
        #expect(preset.protectionClass.code == row.code, "\(row.kind)")
        #expect(preset.protectionClass(.documented).code == row.code, "\(row.kind)")
        #expect(preset.protectionClass(.strict).code == Self.stricter[row.name] ?? row.code, "\(row.kind)")
    }

    @Test func `the guide's kinds are all there, and no others but what profiles install`() {
        #expect(ItemPreset.all.map(\.name) == Self.guide.map(\.name) + ["profile-identity"])
        #expect(ItemPreset(name: "profile-identity")?.protectionClass.code == "cku")
    }

    @Test func `the stricter choice never opens more, and never before the first unlock`() {
        for preset in ItemPreset.all {
            let (documented, strict) = (preset.protectionClass, preset.strictClass)
            for state in [LockState.beforeFirstUnlock, .locked, .unlocked] where state.permits(strict) {
                #expect(state.permits(documented), "\(preset.name)")
            }
            #expect(!LockState.beforeFirstUnlock.permits(strict), "\(preset.name)")
        }
    }
}
