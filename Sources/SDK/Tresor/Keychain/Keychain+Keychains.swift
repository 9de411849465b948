package import Secrets
package import Wire

// Several keychains: said by the owner, through the command `tresor` alone.
extension Keychain {
    /// The names of the keychains, `login` first, for who cannot wait for an actor.
    ///
    /// - Parameter time: how long the daemon may take for each answer; nil waits for ever.
    package static func names(_ home: Home, within time: Duration? = nil) throws -> [String] {
        let transport = try TresorError.translating { try SocketTransport(home, within: time) }
        return try Conversation(transport: transport).keychains().keychains.map(\.name)
    }

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
        try Self.check(name)
        try conversation.perform(.createKeychain(KeychainCreation(name: name, ownPasscode: ownPasscode)))
    }

    /// Removes a keychain, and every item in it.
    ///
    /// - Parameter passcode: the device's, where one is set.
    package func deleteKeychain(_ name: String, passcode: consuming SecretBytes?) throws {
        try Self.check(name)
        try conversation.perform(.deleteKeychain(KeychainDeletion(passcode: passcode, name: name)))
    }

    /// New items lie in this keychain from now on, where nothing else is said.
    package func chooseKeychain(_ name: String) throws {
        try Self.check(name)
        try conversation.perform(.chooseKeychain(name: name))
    }

    /// Opens a keychain that has a passcode of its own, until it is closed or the device locks.
    package func openKeychain(_ name: String, ownPasscode: consuming SecretBytes) throws {
        try Self.check(name)
        try conversation.perform(.openKeychain(KeychainOpening(name: name, ownPasscode: ownPasscode)))
    }

    /// Shuts a keychain that has a passcode of its own.
    package func closeKeychain(_ name: String) throws {
        try Self.check(name)
        try conversation.perform(.closeKeychain(name: name))
    }

    /// Gives a keychain another passcode of its own.
    package func changeKeychainPasscode(_ name: String, _ change: consuming PasscodeChange) throws {
        try Self.check(name)
        try conversation.perform(.changeKeychainPasscode(KeychainRekeying(name: name, change: change)))
    }

    /// A longer name is none, and no request can carry it.
    private static func check(_ name: String) throws {
        guard name.utf8.count <= KeychainName.longest else { throw TresorError(KeychainError(.invalidKeychain)) }
    }
}

extension Conversation {
    fileprivate func keychains() throws -> KeychainsReport {
        try reply(to: .keychains, .keychains) { try KeychainsReport(from: &$0) }
    }
}
