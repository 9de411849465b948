package import Wire

/// Takes one password out of the keychain, for programs that run without an actor.
package enum PasswordRemoval {
    /// - Throws: ``TresorError``: `notFound` where there is none, `locked`.
    package static func remove(_ home: Home, service: String, account: String) throws {
        let transport = try TresorError.translating { try SocketTransport(home, within: .seconds(10)) }
        try Conversation(transport: transport).perform(
            .remove(ItemQuery.password(service: service, account: account).wireForm))
    }
}
