package import Protection
package import Secrets
package import Wire

// Which programs may read what: said by the owner, through the command `tresor` alone.
extension Keychain {
    /// Registers an app, or a newer version of it.
    ///
    /// - Parameters:
    ///   - manifest: as the developer signed it.
    ///   - passcode: the device's, where one is set.
    /// - Throws: ``TresorError``: `notPermitted` with the reason, `presenceRequired`, `authenticationFailed`, `locked`.
    package func registerApp(_ manifest: [UInt8], passcode: consuming SecretBytes?) throws {
        try conversation.perform(.registerApp(AppRegistration(passcode: passcode, manifest: manifest)))
    }

    /// Registers an app no more; its items stay.
    package func removeApp(_ identifier: String, passcode: consuming SecretBytes?) throws {
        try conversation.perform(.removeApp(AppRemoval(passcode: passcode, identifier: identifier)))
    }

    /// Lets a program into a group that is not its own, or no longer.
    package func change(_ grant: AccessGrant, isGranted: Bool, passcode: consuming SecretBytes?) throws {
        try conversation.perform(.changeGrant(GrantChange(passcode: passcode, grant: grant, isGranted: isGranted)))
    }

    /// Removes every item of a group that nobody needs any more.
    package func purge(group: String, passcode: consuming SecretBytes?) throws {
        try conversation.perform(.purgeGroup(GroupPurge(passcode: passcode, group: group)))
    }

    /// All registered apps, what was granted, and who asked in vain.
    package func apps() throws -> AppsReport { try conversation.apps() }

    /// The access groups of all items.
    package func accessGroups() throws -> GroupsReport {
        try conversation.reply(to: .groups, .groups) { try GroupsReport(from: &$0) }
    }
}

extension Conversation {
    /// All pages of the report.
    fileprivate func apps() throws -> AppsReport {
        var all = try apps(after: "")
        while !all.next.isEmpty {
            let page = try apps(after: all.next)
            all.manifests += page.manifests
            all.next = page.next
        }
        return all
    }

    private func apps(after identifier: String) throws -> AppsReport {
        try reply(to: .apps(after: identifier), .apps) { try AppsReport(from: &$0) }
    }
}
