public import FoundationEssentials
public import Tresor

/// A device in memory for the tests of programs that use a keychain: the same calls, the same rules and the same
/// cryptography, with lock state and clock in the test's hand.
///
///     let device = try TestDevice()
///     let keychain = try device.makeKeychain()
///     try device.setPasscode("1234")
///     try device.lock()
///     await #expect(throws: TresorError.self) { try await keychain.read(query) }
///
/// Nothing of it is ever on a disk, and no environment variable switches a program over to it: it has to be linked, and
/// handed to the code under test.
public final class TestDevice: Sendable {
    let transport: InMemoryTransport

    /// A device without a passcode, unlocked, without items.
    ///
    /// - Parameter now: the time that new items get.
    /// - Throws: ``SecretMemoryError`` where the kernel grants no locked memory.
    public init(now: Date = Date(timeIntervalSince1970: 1_700_000_000)) throws {
        transport = try InMemoryTransport(now: Self.microseconds(now))
    }

    /// A keychain on this device.
    ///
    /// Several share its items.
    public func makeKeychain() throws -> Keychain { try Keychain(transport: transport) }

    /// The lock state now.
    public var lockState: LockState { transport.turn { $0.keystore.lockState } }

    /// Sets a passcode, so that the device can be locked.
    public func setPasscode(_ passcode: String) throws {
        let secret = try Self.secret(passcode)
        try transport.turn { try $0.keystore.setPasscode(secret) }
    }

    /// Locks the device.
    ///
    /// - Throws: where no passcode is set.
    public func lock() throws { try transport.turn { try $0.lock() } }

    /// Starts the device anew: before first unlock, if a passcode is set.
    public func restart() { transport.turn { $0.restart() } }

    /// Unlocks the device, as its owner would.
    ///
    /// - Throws: for a wrong passcode.
    public func unlock(_ passcode: String) throws {
        let secret = try Self.secret(passcode)
        try transport.turn { try $0.unlock(secret) }
    }

    /// Removes the passcode, and with it the items of class `whenPasscodeSetThisDeviceOnly`.
    ///
    /// - Throws: for a wrong passcode.
    public func removePasscode(_ passcode: String) throws {
        let secret = try Self.secret(passcode)
        try transport.turn { try $0.removePasscode(secret) }
    }

    /// Sets the clock by which items are dated.
    public func setTime(_ now: Date) { transport.turn { $0.now = Self.microseconds(now) } }

    private static func secret(_ text: String) throws -> SecretBytes {
        try unsafe SecretBytes(copying: Array(text.utf8).span.bytes)
    }

    private static func microseconds(_ date: Date) -> Int64 { Int64(date.timeIntervalSince1970 * 1_000_000) }
}
