import Localization

extension ItemPreset {
    /// Every kind of the documented table, in its order: what background work needs first.
    ///
    /// The table calls "nonmigratory" what our classes call ThisDeviceOnly. It is that of the edition that speaks of
    /// iOS 15; where another edition, or a careful owner, has a stricter class, that one is the preset's
    /// ``ItemPreset/strictClass``.
    public static let all: [ItemPreset] = [
        ItemPreset("wifi", marked("password of a wireless network"), .afterFirstUnlock),
        ItemPreset("mail", marked("password of a mail account"), .afterFirstUnlock),
        ItemPreset("exchange", marked("password of a Microsoft Exchange ActiveSync account"), .afterFirstUnlock),
        ItemPreset("vpn", marked("password of a virtual private network"), .afterFirstUnlock),
        ItemPreset("directory", marked("password of an LDAP, CalDAV or CardDAV account"), .afterFirstUnlock),
        ItemPreset("social", marked("token of a social network's account"), .afterFirstUnlock),
        ItemPreset("handoff", marked("key over what devices of one owner announce to each other"), .afterFirstUnlock),
        ItemPreset("cloud-token", marked("token of a cloud account"), .afterFirstUnlock),
        ItemPreset(
            "message-keys", marked("keys of a messenger"), .afterFirstUnlock, strict: .afterFirstUnlockThisDeviceOnly),
        ItemPreset("home-sharing", marked("password of a library that is shared at home"), .whenUnlocked),
        ItemPreset("web-password", marked("password that a browser keeps"), .whenUnlocked),
        ItemPreset("web-bookmarks", marked("bookmarks of a browser"), .whenUnlocked),
        ItemPreset("backup", marked("password of this device's backups"), .whenUnlockedThisDeviceOnly),
        ItemPreset(
            "vpn-certificate", marked("identity for a virtual private network"), .afterFirstUnlockThisDeviceOnly),
        ItemPreset(
            "bluetooth", marked("keys of paired Bluetooth devices"), .alwaysThisDeviceOnly,
            strict: .afterFirstUnlockThisDeviceOnly),
        ItemPreset(
            "push-token", marked("token of a push notification service"), .alwaysThisDeviceOnly,
            strict: .afterFirstUnlockThisDeviceOnly),
        ItemPreset(
            "cloud-identity", marked("certificates and key of a cloud account"), .alwaysThisDeviceOnly,
            strict: .afterFirstUnlockThisDeviceOnly),
        ItemPreset(
            "sim-pin", marked("PIN of a SIM card"), .alwaysThisDeviceOnly, strict: .afterFirstUnlockThisDeviceOnly),
        ItemPreset("find-device", marked("token for finding a lost device"), .always, strict: .afterFirstUnlock),
        ItemPreset("voicemail", marked("password of a voice mailbox"), .always, strict: .afterFirstUnlock),
        // Not in that table: the guide's rule for what profiles install, which is the one of `tresor profile`.
        ItemPreset(
            "profile-identity", marked("certificates and private keys that a configuration profile installed"),
            .afterFirstUnlockThisDeviceOnly),
    ]
}
