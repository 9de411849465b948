import Linux
import Localization
package import Protection
package import Secrets
package import Wire

/// A blocking connection to the daemon, for resident programs of ours that run one loop on one thread.
///
/// Programs of others take ``Keychain``, which has a thread of its own.
package final class DaemonLink {
    private let conversation: Conversation

    /// - Parameter time: how long the daemon may take for each answer; nil waits for ever.
    package init(_ home: Home, within time: Duration? = nil) throws {
        conversation = Conversation(transport: try SocketTransport(home, within: time))
    }

    /// Over another way, for tests.
    package init(over transport: any Transport) { conversation = Conversation(transport: transport) }

    /// The secret of a password that demands the device's passcode.
    ///
    /// - Throws: ``TresorError``: as ``readPassword(service:account:)``, and `authenticationFailed`.
    package func readPassword(
        service: String, account: String, passcode: borrowing SecretBytes
    ) throws -> SecretBytes {
        var query = ItemQuery.password(service: service, account: account).wireForm
        query.returns = []
        var item: Identifier?
        try conversation.page(.find(query)) { reference, _, _ in item = reference.item }
        guard let item else { throw TresorError(.notFound, localized("no such item")) }
        let claim = PresenceClaim(
            passcode: try passcode.copy(), connection: 0, item: item, operation: ProtectedOperation.read.rawValue)
        try conversation.perform(.provePresence(claim))
        return try readPassword(service: service, account: account)
    }

    /// Adds a password.
    ///
    /// - Throws: ``TresorError``: `duplicate` where its primary key is taken, `locked`.
    package func addPassword(_ attributes: ItemAttributes, secret: borrowing SecretBytes) throws {
        let addition = ItemAddition(
            kind: ItemKind.password.code, attributes: attributes.values, secret: try secret.copy())
        try conversation.exchange(.add(addition)) { payload in
            var reader = ByteReader(payload)
            try reader.expect(.page)
        }
    }

    /// The secret of a password.
    ///
    /// - Parameters:
    ///   - group: the one access group that counts, since others may keep something under the same names; nil for any.
    ///   - protectionClass: the one class that counts, since whoever has the device's files can put a row of a class
    ///     that is always open in the place of any other; nil for any.
    /// - Throws: ``TresorError``: `notFound`, `locked`, `damaged`.
    package func readPassword(
        service: String, account: String, group: String? = nil, protectionClass: ProtectionClass? = nil
    ) throws -> SecretBytes {
        var query = ItemQuery.password(service: service, account: account).wireForm
        if let protectionClass { query.attributes[.protectionClass] = .string(protectionClass.code) }
        if let group { query.attributes[.accessGroup] = .string(group) }
        query.returns = .data
        return try conversation.secret(query)
    }

    /// Puts a password in place of the one of this service, account and group, or adds it.
    package func storePassword(_ attributes: ItemAttributes, group: String, secret: borrowing SecretBytes) throws {
        let copy = try secret.copy()
        do { try addPassword(attributes, secret: secret) } catch let error as TresorError
            where error.code == .duplicate
        {
            let query = ItemQuery.password(service: attributes.service ?? "", account: attributes.account ?? "")
            var wire = query.wireForm
            wire.attributes[.accessGroup] = .string(group)
            try conversation.perform(.update(ItemUpdate(query: wire, changes: Attributes(), secret: copy)))
        }
    }

    /// Removes the password of this service, account and group.
    ///
    /// - Throws: ``TresorError``: `notFound` where there is none.
    package func removePassword(service: String, account: String, group: String) throws {
        var query = ItemQuery.password(service: service, account: account).wireForm
        query.attributes[.accessGroup] = .string(group)
        try conversation.perform(.remove(query))
    }

    /// Whether the device has a passcode, so that it can be locked.
    package func hasPasscode() throws -> Bool { try deviceState().hasPasscode }

    /// Whether the device is locked.
    package func lockState() throws -> LockState { try deviceState().lock }

    /// Unlocks the device; wrong passcodes count and are delayed as everywhere.
    ///
    /// - Throws: ``TresorError``: `authenticationFailed` with what is left to wait, `notPermitted` where no passcode is
    ///   set, `unavailable`.
    package func unlock(passcode: borrowing SecretBytes) throws {
        try conversation.perform(.unlock(CarriedSecret(try passcode.copy())))
    }

    private func deviceState() throws -> DeviceState {
        try conversation.reply(to: .status, .status) { try DaemonStatus(from: &$0).enclave }
    }

    /// Has the device lock, without waiting for it: whoever holds something waits for itself.
    ///
    /// Nothing else is asked over this connection.
    package func beginLock() throws {
        guard let socket = conversation.transport as? SocketTransport else { return try conversation.perform(.lock) }
        do { try socket.send(.lock) } catch { throw TresorError.translate(error) }
    }

    /// Whether this is the device's passcode; wrong ones count and are delayed as at the lock screen.
    ///
    /// It opens nothing: a device that locks meanwhile stays locked.
    ///
    /// - Throws: ``TresorError``: `authenticationFailed`, `notPermitted` where no passcode is set, `locked`.
    package func verifyPasscode(_ passcode: borrowing SecretBytes) throws {
        let claim = PresenceClaim(
            passcode: try passcode.copy(), connection: 0, item: Identifier(high: 0, low: 0),
            operation: ProtectedOperation.administer.rawValue)
        try conversation.perform(.provePresence(claim))
    }

    /// Puts a key into the daemon's memory; see specs/wire.md.
    ///
    /// - Returns: the session's number, good on this connection alone.
    package func openSession(_ key: borrowing SecretBytes, lifetime: Duration) throws -> UInt64 {
        let offer = SessionOffer(key: try key.copy(), lifetime: lifetime)
        return try conversation.reply(to: .openSession(offer), .session) { try $0.uint64() }
    }

    /// A fresh key, and the same under the session's.
    package func makeSessionKey(_ session: UInt64) throws -> WrappedSessionKey {
        try sessionKey(.makeSessionKey(session: session))
    }

    /// Opens a key that a session of this connection has wrapped.
    ///
    /// - Throws: ``TresorError``: `damaged` for another session's wrap, `notFound` for a session that has ended.
    package func unwrap(_ wrapped: [UInt8], session: UInt64) throws -> SecretBytes {
        try sessionKey(.unwrapSessionKey(SessionKeyWrap(session: session, wrapped: wrapped))).takeKey()
    }

    /// Puts a session's end off, to so long from now.
    ///
    /// - Throws: ``TresorError``: `notFound` for one that has ended.
    package func extendSession(_ session: UInt64, lifetime: Duration) throws {
        try conversation.perform(.extendSession(session: session, lifetime: lifetime))
    }

    /// Ends a session; the daemon wipes its key.
    ///
    /// - Throws: ``TresorError``: `notFound` for one that has ended.
    package func closeSession(_ session: UInt64) throws { try conversation.perform(.closeSession(session: session)) }

    /// Counts a try of a password that this program checks, before it does.
    ///
    /// - Parameter known: how many wrong ones this program remembers; the daemon's count holds where it is higher.
    /// - Returns: where it has to wait, how long; the try was not counted then.
    package func countTry(_ name: TryName, known: UInt32) throws -> TryReport {
        try tries(.countTry(name, known: known))
    }

    /// Says how the try went that was counted.
    @discardableResult
    package func endTry(_ name: TryName, isRight: Bool) throws -> TryReport {
        try tries(.endTry(name, isRight: isRight))
    }

    private func tries(_ request: consuming KeychainRequest) throws -> TryReport {
        try conversation.reply(to: request, .tries) { try TryReport(from: &$0) }
    }

    private func sessionKey(_ request: consuming KeychainRequest) throws -> WrappedSessionKey {
        var key = try SecretBuffer(capacity: 32)
        var wrapped: [UInt8] = []
        try conversation.exchange(request) { payload in
            var reader = ByteReader(payload)
            try reader.expect(.sessionKey)
            try key.append(reader.field(limit: 32))
            wrapped = try reader.bytesField(limit: 40)
            try reader.end()
        }
        return WrappedSessionKey(key: key.finish(), wrapped: wrapped)
    }
}

/// A key that a session of the daemon made.
package struct WrappedSessionKey: ~Copyable {
    /// 16 or 32 bytes, as the session's key.
    package let key: SecretBytes
    /// The same under the session's key (AES-KW), 24 or 40 bytes.
    package let wrapped: [UInt8]

    /// Gives the key away; copy the wrap before.
    package consuming func takeKey() -> SecretBytes { key }
}

/// What the daemon tells a program that holds keys or plaintext.
package final class LockNotices {
    /// What to do.
    package enum Notice: Equatable, Sendable {
        case state(LockState)
        /// Wipe what the lock shuts and end this connection; the daemon waits for that, two seconds.
        case evict
    }

    private let transport: SocketTransport

    /// - Parameter introduces: false for who wants no items, and is spared the look.
    /// - Returns: in `state`, the lock state now.
    package init(_ home: Home, introduces: Bool = true, state: inout LockState) throws {
        transport = try TresorError.translating { try SocketTransport(home, introduces: introduces) }
        var now = LockState.locked
        do {
            try transport.exchange(.hold) { payload in
                guard case .state(let state) = try Self.notice(payload) else { throw DecodingError.invalid }
                now = state
            }
        } catch { throw TresorError.translate(error) }
        state = now
    }

    /// To poll.
    package var descriptor: Int32 { transport.descriptor }

    /// Waits for the next notice.
    ///
    /// - Throws: ``TresorError`` with code `unavailable` when the daemon has ended.
    package func next() throws -> Notice {
        var notice = Notice.evict
        do { try transport.waitForEvent { notice = try Self.notice($0) } } catch { throw TresorError.translate(error) }
        return notice
    }

    /// Whether a whole notice waits already, so that the descriptor need not be readable any more.
    package var hasWaiting: Bool { transport.hasWaitingFrame }

    /// Takes every notice that has come.
    ///
    /// - Parameters:
    ///   - isReadable: whether the descriptor is.
    ///   - take: what to do about one.
    /// - Returns: false where the daemon has ended: the device is before first unlock then.
    package func takeAll(isReadable: Bool, _ take: (Notice) throws -> Void) rethrows -> Bool {
        guard isReadable || hasWaiting else { return true }
        repeat {
            guard let notice = try? next() else { return false }
            try take(notice)
        } while hasWaiting
        return true
    }

    private static func notice(_ payload: RawSpan) throws -> Notice {
        var reader = ByteReader(payload)
        let head = try KeychainReply.header(&reader)
        switch head.tag {
        case .evict: return .evict
        case .lockState:
            guard let state = LockState(rawValue: try reader.uint8()) else { throw DecodingError.invalid }
            return .state(state)
        case .error: throw try KeychainError(from: &reader)
        default: throw DecodingError.invalid
        }
    }
}

/// Hears of the lock state without being waited for: for who shows what others hold.
package final class LockWatch {
    private let transport: SocketTransport

    /// Connects to the daemon, and asks it to tell.
    package init(_ home: Home) throws {
        transport = try TresorError.translating { try SocketTransport(home, introduces: false) }
        do { try transport.exchange(.subscribe) { _ = try Self.state($0) } } catch {
            throw TresorError.translate(error)
        }
    }

    /// To poll.
    package var descriptor: Int32 { transport.descriptor }

    /// Whether a whole event waits already, so that the descriptor need not be readable any more.
    package var hasWaiting: Bool { transport.hasWaitingFrame }

    /// The next state.
    ///
    /// - Throws: ``TresorError`` with code `unavailable` when the daemon has ended.
    package func next() throws -> LockState {
        var state = LockState.locked
        do { try transport.waitForEvent { state = try Self.state($0) } } catch { throw TresorError.translate(error) }
        return state
    }

    private static func state(_ payload: RawSpan) throws -> LockState {
        var reader = ByteReader(payload)
        try reader.expect(.lockState)
        guard let state = LockState(rawValue: try reader.uint8()) else { throw DecodingError.invalid }
        try reader.end()
        return state
    }
}
