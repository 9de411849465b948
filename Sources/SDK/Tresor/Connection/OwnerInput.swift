import Linux
package import Wire

/// Tells tresord that its owner types into a screen of this program, which puts the idle lock off.
///
/// It waits for nothing but its first connection: a key must not hang on a daemon that is busy. Only the command
/// `tresor` is believed; see specs/wire.md, "Causes of a lock".
package final class OwnerInput {
    private let home: Home
    private var transport: SocketTransport?
    private var isAnswered = true

    /// Connects with the first word, and not before.
    package init(_ home: Home) { self.home = home }

    /// Says so once; nothing where the last word has not been answered yet, or no tresord runs.
    package func note() {
        do { try say() } catch {
            transport = nil
            isAnswered = true
        }
    }

    private func say() throws {
        let transport = try self.transport ?? SocketTransport(home)
        self.transport = transport
        if !isAnswered { isAnswered = try transport.takeWaitingReply() }
        guard isAnswered else { return }
        try transport.send(.ownerInput)
        isAnswered = false
    }
}
