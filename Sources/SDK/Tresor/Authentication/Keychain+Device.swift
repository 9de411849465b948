import Linux
public import Protection
public import Secrets
public import Wire

/// The device as it stands.
public struct DeviceStatus: Sendable {
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
        var status: DaemonStatus?
        try exchange(.status) { payload in
            var reader = ByteReader(payload)
            try reader.expect(.status)
            status = try DaemonStatus(from: &reader)
            try reader.end()
        }
        guard let status else { throw TresorError(.unavailable, "the daemon's answer cannot be read") }
        return DeviceStatus(daemon: status)
    }

    /// Locks the device: the keys of the classes that demand an unlocked device are gone when this returns.
    ///
    /// - Throws: ``TresorError`` with code `notPermitted` where no passcode is set: then nothing can be locked.
    public func lock() throws { try perform(.lock) }

    /// Unlocks the device.
    ///
    /// - Parameter passcode: UTF-8, as it was set.
    /// - Throws: ``TresorError`` with code `authenticationFailed`, and ``TresorError/retryAfter`` where the next try
    /// has
    ///   to wait.
    public func unlock(passcode: borrowing SecretBytes) throws {
        try perform(.unlock(CarriedSecret(passcode.copy())))
    }

    /// Sets a passcode where none is set.
    ///
    /// `tresord` lets the command `tresor` do this, and what follows here, and no other program: on a machine without a
    /// screen as well, an owner says `tresor passcode set --passcode-fd 3`.
    ///
    /// - Throws: ``TresorError`` with code `notPermitted` for every other program.
    public func setPasscode(_ new: borrowing SecretBytes) throws {
        try perform(.setPasscode(CarriedSecret(new.copy())))
    }

    /// Replaces the passcode.
    ///
    /// The items stay as they are. For the command `tresor` alone, as ``setPasscode(_:)``.
    public func changePasscode(from current: borrowing SecretBytes, to new: borrowing SecretBytes) throws {
        try perform(.changePasscode(PasscodeChange(current: current.copy(), new: new.copy())))
    }

    /// Removes the passcode.
    ///
    /// Items of class `whenPasscodeSetThisDeviceOnly` are gone for good. For the command `tresor` alone.
    public func removePasscode(_ current: borrowing SecretBytes) throws {
        try perform(.removePasscode(CarriedSecret(current.copy())))
    }

    /// Gives the passcode up.
    ///
    /// Every item of a class that needed it is gone for good; those of class `always` stay. For the command `tresor`
    /// alone.
    public func resetForgottenPasscode() throws { try perform(.resetPasscode) }

    /// Ends the daemon.
    package func stopDaemon() throws { try perform(.stop) }

    package func setIdleLock(seconds: UInt32) throws { try perform(.setIdleLock(seconds: seconds)) }

    package func changeSettings(_ settings: SecuritySettings, passcode: borrowing SecretBytes) throws {
        try perform(.changeSettings(SecuritySettingsChange(passcode: passcode.copy(), settings: settings)))
    }

    /// The same bytes back: what the way to the daemon alone costs.
    package func echo(_ payload: borrowing SecretBytes) throws {
        try exchange(.echo(CarriedSecret(payload.copy()))) { payload in
            var reader = ByteReader(payload)
            try reader.expect(.echo)
            _ = try reader.field(limit: Frame.nativeLimit)
            try reader.end()
        }
    }
}
