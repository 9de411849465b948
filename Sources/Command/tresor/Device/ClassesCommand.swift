import ArgumentParser
import Localization
import Protection
import Tresor

/// File and keychain classes side by side, with what can be read now.
struct ClassesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classes",
        abstract: localized("Show which class of files corresponds to which of the keychain, and what is open now."))

    @Flag(help: ArgumentHelp(localized("As JSON, one array.")))
    var json = false

    /// One line of the documented correspondence.
    struct Correspondence: Encodable {
        let availability: String
        let file: String?
        let keychain: [String]
        let open: Bool

        /// As a person reads when it is readable.
        var words: String {
            switch availability {
            case "while unlocked": localized("while unlocked")
            case "while locked, if open": localized("while locked, if open")
            case "after first unlock": localized("after first unlock")
            case "always": localized("always")
            case "while a passcode is set": localized("while a passcode is set")
            default: availability
            }
        }
    }

    func run() async throws {
        let status = try await Keychain().status()
        let all = Self.correspondences(status.lockState, hasPasscode: status.hasPasscode)
        if json { return try Output.json(all) }
        let state = status.lockState.words
        try Output.words(
            status.hasPasscode ? localized("device: \(state)") : localized("device: \(state), no passcode is set"))
        try Output.line("")
        try Output.words(localized("readable                  now   files                                  keychain"))
        for entry in all {
            let file = entry.file ?? "–"
            try Output.words(
                Self.padded(entry.words, 26) + Self.padded(entry.open ? localized("yes") : localized("no"), 6)
                    + Self.padded(file, 39)
                    + (entry.keychain.isEmpty ? "–" : entry.keychain.joined(separator: ", ")))
        }
    }

    /// Apple Platform Security, "Keychain data protection": the table of availability.
    static func correspondences(_ state: LockState, hasPasscode: Bool) -> [Correspondence] {
        func entry(
            _ words: String, _ availability: ProtectionClass.Availability?, _ file: FileClass?,
            _ keychain: [ProtectionClass], isOpen: Bool? = nil
        ) -> Correspondence {
            Correspondence(
                availability: words, file: file?.name, keychain: keychain.map(\.name),
                open: isOpen ?? availability.map { state.permits($0) } ?? false)
        }
        return [
            entry("while unlocked", .whenUnlocked, .complete, [.whenUnlocked, .whenUnlockedThisDeviceOnly]),
            entry("while locked, if open", .whenUnlocked, .completeUnlessOpen, []),
            entry(
                "after first unlock", .afterFirstUnlock, .completeUntilFirstUserAuthentication,
                [.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly]),
            entry("always", .always, FileClass.none, [.always, .alwaysThisDeviceOnly]),
            entry(
                "while a passcode is set", nil, nil, [.whenPasscodeSetThisDeviceOnly],
                isOpen: hasPasscode && state.permits(.whenPasscodeSetThisDeviceOnly)),
        ]
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
