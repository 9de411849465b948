import Envelopes
import KeyEnvelopes
package import Protection
package import Secrets
package import Wire

/// Keys that live in memory only, for the secure sessions of programs: of class WhenUnlocked, with an owner and an end.
///
/// A session makes and unwraps keys for the connection that opened it, and for no other; its own key never leaves.
package final class SessionItems {
    private final class Session {
        let key: SecretBytes
        let owner: UInt64
        /// Milliseconds of the boot clock.
        var end: UInt64

        init(key: consuming SecretBytes, owner: UInt64, end: UInt64) {
            self.key = key
            self.owner = owner
            self.end = end
        }
    }

    private var sessions: [UInt64: Session] = [:]
    private var nextID: UInt64 = 1
    private let clock: () -> UInt64
    /// One connection's sessions.
    private static let mostPerOwner = 64

    /// - Parameter clock: milliseconds since the machine started, suspended time included.
    package init(clock: @escaping () -> UInt64) { self.clock = clock }

    /// - Parameter state: a locked device opens none.
    /// - Returns: the session's number.
    package func open(
        _ key: borrowing SecretBytes, lifetime: Duration, owner: UInt64, state: LockState
    ) throws -> UInt64 {
        guard state.permits(ProtectionClass.whenUnlocked) else {
            throw KeychainError(
                .interactionNotAllowed, .locked, protectionClass: .whenUnlocked, lockState: state)
        }
        guard sessions.values.count(where: { $0.owner == owner }) < Self.mostPerOwner else {
            throw KeychainError(.parameter, .tooManyRequests)
        }
        let id = nextID
        nextID += 1
        sessions[id] = Session(key: try key.copy(), owner: owner, end: clock() + lifetime.wholeMilliseconds)
        return id
    }

    /// A fresh key of the session key's length, and the same wrapped.
    package func makeKey(_ id: UInt64, owner: UInt64) throws -> SessionKey {
        let session = try find(id, owner)
        let key = try SecretBytes.makeRandom(count: session.key.count)
        let wrapped = try NoteLockEnvelope.wrap(key, under: session.key)
        return SessionKey(key: key, wrapped: wrapped)
    }

    /// - Throws: `KeychainError` with reason `damagedItem` when it was wrapped under another key.
    package func unwrap(_ wrap: SessionKeyWrap, owner: UInt64) throws -> SessionKey {
        let session = try find(wrap.session, owner)
        do {
            return SessionKey(
                key: try NoteLockEnvelope.unwrap(wrap.wrapped, under: session.key), wrapped: wrap.wrapped)
        } catch EnvelopeError.memory {
            throw KeychainError(.allocation)
        } catch { throw KeychainError(.decode, .damagedItem) }
    }

    /// Puts a session's end off, to so long from now.
    ///
    /// - Throws: `KeychainError` with reason `noSession` for one that has ended, or that another connection opened.
    package func extend(_ id: UInt64, lifetime: Duration, owner: UInt64) throws {
        try find(id, owner).end = clock() + lifetime.wholeMilliseconds
    }

    /// Ends a session and wipes its key.
    ///
    /// - Throws: `KeychainError` with reason `noSession` for one that has ended, or that another connection opened.
    package func close(_ id: UInt64, owner: UInt64) throws {
        _ = try find(id, owner)
        sessions[id] = nil
    }

    /// The owner is gone, and its sessions with it.
    package func closeAll(of owner: UInt64) { sessions = sessions.filter { $0.value.owner != owner } }

    /// The device locks.
    package func closeAll() { sessions.removeAll() }

    /// Wipes what has expired.
    package func expire() {
        let now = clock()
        sessions = sessions.filter { $0.value.end > now }
    }

    /// When the next one expires, in milliseconds of the clock.
    package var nextEnd: UInt64? { sessions.values.map(\.end).min() }

    private func find(_ id: UInt64, _ owner: UInt64) throws -> Session {
        expire()
        guard let session = sessions[id], session.owner == owner else {
            throw KeychainError(.itemNotFound, .noSession)
        }
        return session
    }
}

/// A key that a session made or unwrapped.
package struct SessionKey: ~Copyable {
    /// Of the session key's length: 16 or 32 bytes.
    package let key: SecretBytes
    /// The same under the session's key (AES-KW): 8 bytes longer.
    package let wrapped: [UInt8]

    /// Writes both behind their lengths.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(key)
        try buffer.field(wrapped)
    }
}
