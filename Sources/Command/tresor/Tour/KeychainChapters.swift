import Linux
import Localization
import Secrets
import Tresor
import Wire

extension TourChapter {
    private static let items: [(service: String, protectionClass: ProtectionClass, why: String)] = [
        ("bank", .whenUnlocked, localized("a password that you read yourself")),
        ("mail", .afterFirstUnlock, localized("one that a background program needs")),
        ("alarm clock", .always, localized("one that must work before anybody was here")),
    ]

    static let keychain = TourChapter(title: localized("1. What opens when")) { device in
        let keychain = try Keychain()
        for item in items {
            var attributes = ItemAttributes()
            attributes.service = item.service
            attributes.protectionClass = item.protectionClass
            try await keychain.add(.password, attributes, secret: secret("the secret of \(item.service)"))
            try Output.words(
                localized("   add   \(pad(item.service)) class \(item.protectionClass.name): \(item.why)"))
        }
        try await keychain.setPasscode(secret("tour"))
        try Output.words(
            localized("   A passcode is set. It opens class keys inside the enclave, a process of its own."))
        try await show(localized("unlocked"), keychain)
        try await keychain.lock()
        try await show(localized("locked: the keys of class whenUnlocked have left memory"), keychain)
        try await device.restart()
        let restarted = try Keychain()
        try await show(localized("restarted: only what needs no passcode opens"), restarted)
        try await restarted.unlock(passcode: secret("tour"))
        try await show(localized("unlocked again"), restarted)
    }

    static let onDisk = TourChapter(title: localized("2. What the disk shows")) { device in
        let keychain = try Keychain()
        try? await keychain.lock()
        let bytes = try FileSystem.read(device.home.database) + FileSystem.read(device.home.database + "-wal")
        try Output.words(
            localized("   \(bytes.count) bytes of database; a look at 32 of them: \(sample(bytes))"))
        try search(bytes, for: ["bank", "alarm clock", "the secret of mail", "SQLite format 3"])
        try Output.words(localized("   (The last one shows that the search works: it is the file's own first line.)"))
    }

    private static func show(_ state: String, _ keychain: Keychain) async throws {
        try Output.line("   \(state)")
        for item in items {
            do {
                let secret = try await keychain.read(.password(service: item.service))
                try Output.words(localized("      \(pad(item.service)) opens, \(secret.count) bytes"))
            } catch let error as TresorError where error.code == .locked {
                try Output.words(localized("      \(pad(item.service)) shut: \(error.message)"))
            }
        }
    }
}
