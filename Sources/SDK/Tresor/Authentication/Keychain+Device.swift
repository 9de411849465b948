import Linux
public import Protection
public import Secrets
public import Wire

/// The device as it stands.
public struct DeviceStatus: Sendable {
    /// All that the daemon says, for programs of ours.
    package let daemon: DaemonStatus

    /// Its lock state.
    public var lockState: LockState { daemon.enclave.lock }
    /// Whether a passcode is set.
    public var hasPasscode: Bool { daemon.enclave.hasPasscode }
    /// How many items each class has.
    public var itemsPerClass: [ProtectionClass: UInt64] { daemon.itemsPerClass }
    /// Items that cannot be decoded.
    ///
    /// They are kept.
    public var damagedItems: [PersistentReference] { daemon.quarantined }
    /// The daemon's version.
    public var version: String { daemon.version }
}

extension Keychain {
    /// What the daemon tells of itself and the enclave.
    public func status() throws -> DeviceStatus {
        DeviceStatus(daemon: try conversation.reply(to: .status, .status) { try DaemonStatus(from: &$0) })
    }

    /// Locks the device: the keys of the classes that demand an unlocked device are gone when this returns.
    ///
    /// - Throws: ``TresorError`` with code `notPermitted` where no passcode is set: then nothing can be locked.
    public func lock() throws { try conversation.perform(.lock) }

    /// Unlocks the device.
    ///
    /// - Parameter passcode: UTF-8, as it was set.
    /// - Throws: ``TresorError`` with code `authenticationFailed`, and ``TresorError/retryAfter`` where the next try
    ///   has to wait.
    public func unlock(passcode: borrowing SecretBytes) throws {
        try conversation.perform(.unlock(CarriedSecret(passcode.copy())))
    }

    /// Sets a passcode where none is set.
    ///
    /// `tresord` lets the command `tresor` do this, and what follows here, and no other program: on a machine without a
    /// screen as well, an owner says `tresor passcode set --passcode-fd 3`.
    ///
    /// - Throws: ``TresorError`` with code `notPermitted` for every other program.
    public func setPasscode(_ new: borrowing SecretBytes) throws {
        try conversation.perform(.setPasscode(CarriedSecret(new.copy())))
    }

    /// Replaces the passcode.
    ///
    /// The items stay as they are. For the command `tresor` alone, as ``setPasscode(_:)``.
    public func changePasscode(from current: borrowing SecretBytes, to new: borrowing SecretBytes) throws {
        try conversation.perform(.changePasscode(PasscodeChange(current: current.copy(), new: new.copy())))
    }

    /// Removes the passcode.
    ///
    /// Items of class `whenPasscodeSetThisDeviceOnly` are gone for good. For the command `tresor` alone.
    public func removePasscode(_ current: borrowing SecretBytes) throws {
        try conversation.perform(.removePasscode(CarriedSecret(current.copy())))
    }

    /// Gives the passcode up.
    ///
    /// Every item of a class that needed it is gone for good; those of class `always` stay. For the command `tresor`
    /// alone.
    public func resetForgottenPasscode() throws { try conversation.perform(.resetPasscode) }

    /// Ends the daemon.
    package func stopDaemon() throws { try conversation.perform(.stop) }

    /// Sets after how long without input the device locks, in whole seconds; 0 for never.
    package func setIdleLock(after time: Duration) throws { try conversation.perform(.setIdleLock(after: time)) }

    /// Changes what the enclave does about wrong passcodes; the device's passcode permits it.
    package func changeSettings(_ settings: SecuritySettings, passcode: borrowing SecretBytes) throws {
        try conversation.perform(.changeSettings(SecuritySettingsChange(passcode: passcode.copy(), settings: settings)))
    }

    /// The same bytes back: what the way to the daemon alone costs.
    package func echo(_ payload: borrowing SecretBytes) throws {
        try conversation.reply(to: .echo(CarriedSecret(payload.copy())), .echo) { reader in
            _ = try reader.field(limit: StreamFrame.keychainLimit)
        }
    }
}
