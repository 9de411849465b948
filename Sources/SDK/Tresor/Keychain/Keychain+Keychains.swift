package import Secrets
package import Wire

// Several keychains: said by the owner, through the command `tresor` alone.
extension Keychain {
    /// The keychains there are, `login` first.
    package func keychains() throws -> KeychainsReport {
        try conversation.keychains()
    }

    /// Makes a keychain.
    ///
    /// - Parameters:
    ///   - name: 1 to 64 bytes of UTF-8.
    ///   - ownPasscode: asked for before secrets in it are read; nil for one that opens with the device.
    /// - Throws: ``TresorError``: `duplicate`, `invalidParameter` for what is no name, `locked`.
    package func createKeychain(_ name: String, ownPasscode: consuming SecretBytes?) throws {
        let name = try SentName(name).text
        try conversation.perform(.createKeychain(KeychainCreation(name: name, ownPasscode: ownPasscode)))
    }

    /// Removes a keychain, and every item in it.
    ///
    /// - Parameter passcode: the device's, where one is set.
    package func deleteKeychain(_ name: String, passcode: consuming SecretBytes?) throws {
        let name = try SentName(name).text
        try conversation.perform(.deleteKeychain(KeychainDeletion(passcode: passcode, name: name)))
    }

    /// New items lie in this keychain from now on, where nothing else is said.
    package func chooseKeychain(_ name: String) throws {
        let name = try SentName(name).text
        try conversation.perform(.chooseKeychain(name: name))
    }

    /// Opens a keychain that has a passcode of its own, until it is closed or the device locks.
    package func openKeychain(_ name: String, ownPasscode: consuming SecretBytes) throws {
        let name = try SentName(name).text
        try conversation.perform(.openKeychain(KeychainOpening(name: name, ownPasscode: ownPasscode)))
    }

    /// Shuts a keychain that has a passcode of its own.
    package func closeKeychain(_ name: String) throws {
        let name = try SentName(name).text
        try conversation.perform(.closeKeychain(name: name))
    }

    /// Gives a keychain another passcode of its own.
    package func changeKeychainPasscode(_ name: String, _ change: consuming PasscodeChange) throws {
        let name = try SentName(name).text
        try conversation.perform(.changeKeychainPasscode(KeychainRekeying(name: name, change: change)))
    }
}

/// A name that a request can carry: a longer one is none.
private struct SentName {
    let text: String

    init(_ text: String) throws {
        guard text.utf8.count <= KeychainName.longest else { throw TresorError(KeychainError(.invalidKeychain)) }
        self.text = text
    }
}

/// The keychains by their names, for whoever cannot wait for an actor.
package enum KeychainList {
    /// `login` first.
    ///
    /// - Parameter time: how long the daemon may take for each answer; nil waits for ever.
    package static func names(of home: Home, within time: Duration? = nil) throws -> [String] {
        let transport = try TresorError.translating { try SocketTransport(home, within: time) }
        return try Conversation(transport: transport).keychains().keychains.map(\.name)
    }
}

extension Conversation {
    fileprivate func keychains() throws -> KeychainsReport {
        try reply(to: .keychains, .keychains) { try KeychainsReport(from: &$0) }
    }
}
