import Linux
import Synchronization
package import Wire

/// The connection of those functions that name no keychain: one per process, made when it is first needed.
///
/// Every use goes through one lock. A connection that broke is dropped, and the next use makes a new one: the daemon
/// may have been started anew in between.
package final class SharedTransport: Sendable {
    /// The one of this process.
    package static let process = SharedTransport(Source(connect: connectToDaemon))

    /// Where connections come from, and how strictly what goes over them is read.
    package struct Source: Sendable {
        /// Makes a connection; called again where one broke.
        package let connect: @Sendable () throws -> any Transport
        /// How strictly parameters are read that go over it.
        package let profile: KeychainQuery.Profile

        /// - Parameter profile: that of macOS where it is not said.
        package init(
            profile: KeychainQuery.Profile = .tolerant, connect: @escaping @Sendable () throws -> any Transport
        ) {
            self.connect = connect
            self.profile = profile
        }
    }

    private struct State {
        var source: Source
        var transport: (any Transport)?
    }

    private let state: Mutex<State>

    /// Connects at the first use, and not before.
    package init(_ source: Source) { state = Mutex(State(source: source)) }

    /// How strictly parameters are read.
    package var profile: KeychainQuery.Profile { state.withLock { $0.source.profile } }

    /// From now on, connections come from here.
    ///
    /// Nothing in the environment leads to this call: a program that shall use another keychain has to link it.
    package func use(_ source: Source) { state.withLock { $0 = State(source: source) } }

    /// As in a program that links no other keychain.
    package func useDaemon() { use(Source(connect: Self.connectToDaemon)) }

    /// Lends the connection; nobody else uses it meanwhile.
    ///
    /// A request that the daemon may have carried out is not repeated: where the connection breaks under it, the error
    /// says so.
    package func withTransport<Result: Sendable>(_ body: (any Transport) throws -> Result) throws -> Result {
        try state.withLock { state in
            let transport = try Self.connection(&state)
            do {
                return try body(transport)
            } catch {
                // A refusal is an answer. Whatever else went wrong, the rest of a reply may still be on its way.
                if !(error is KeychainError) { state.transport = nil }
                throw error
            }
        }
    }

    /// The connection there is, unless its daemon has ended meanwhile, or else a new one.
    private static func connection(_ state: inout State) throws -> any Transport {
        if let transport = state.transport, (transport as? SocketTransport)?.hasEnded != true { return transport }
        let transport = try state.source.connect()
        state.transport = transport
        return transport
    }

    @Sendable private static func connectToDaemon() throws -> any Transport {
        try SocketTransport(Home(environment: CurrentProcess.environment, user: CurrentProcess.user))
    }
}

extension SocketTransport {
    /// Whether the daemon has closed this connection.
    ///
    /// Nothing is on its way between two requests, so anything to be read is the end.
    fileprivate var hasEnded: Bool {
        switch try? Poll.wait(untilReadable: descriptor, milliseconds: 0) {
        case .ready?, nil: true
        case .timedOut?, .interrupted?: false
        }
    }
}
