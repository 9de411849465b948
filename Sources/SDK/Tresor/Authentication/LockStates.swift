import Linux
public import Protection
import Secrets
package import Wire

extension Keychain {
    /// The lock state now, and every change of it, until the sequence is dropped or the daemon ends.
    ///
    ///     for await state in try Keychain.lockStates() where state == .unlocked { await refresh() }
    ///
    /// - Throws: ``TresorError`` with code `unavailable` when the daemon does not run.
    public static func lockStates() throws -> AsyncStream<LockState> {
        try lockStates(of: Home(environment: CurrentProcess.environment, user: CurrentProcess.user))
    }

    /// The same, of the daemon of a home.
    package static func lockStates(of home: Home) throws -> AsyncStream<LockState> {
        try LockStateListener(home).states()
    }

    /// Yields each time that protected data becomes available: at once if it is, and at every unlock.
    ///
    /// - Throws: ``TresorError`` with code `unavailable` when the daemon does not run.
    public static func protectedDataDidBecomeAvailable() throws -> AsyncFilterSequence<AsyncStream<LockState>> {
        try lockStates().filter { $0 == .unlocked }
    }
}

/// Waits for events on a connection and a thread of its own.
private actor LockStateListener {
    private let thread: DedicatedThread
    private let transport: SocketTransport
    /// Wakes the wait for an event when nobody wants one any more.
    nonisolated let ender: ConnectionEnder

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    init(_ home: Home) throws {
        thread = try DedicatedThread()
        let transport = try SocketTransport(home)
        ender = transport.ender
        self.transport = transport
    }

    /// The states as they come, until nobody wants them any more or the daemon ends.
    nonisolated func states() -> AsyncStream<LockState> {
        AsyncStream { continuation in
            let work = Task { await self.run { continuation.yield($0) } }
            continuation.onTermination = { _ in self.ender.end() }
            Task {
                await work.value
                continuation.finish()
            }
        }
    }

    private func run(_ yield: @Sendable (LockState) -> Void) {
        do {
            try transport.exchange(.subscribe) { yield(try Self.state($0)) }
            while true { try transport.waitForEvent { yield(try Self.state($0)) } }
        } catch {
            // The daemon has ended, and the sequence with it.
        }
    }

    private static func state(_ payload: RawSpan) throws -> LockState {
        var reader = ByteReader(payload)
        try reader.expect(.lockState)
        guard let state = LockState(rawValue: try reader.uint8()) else { throw DecodingError.invalid }
        try reader.end()
        return state
    }
}
