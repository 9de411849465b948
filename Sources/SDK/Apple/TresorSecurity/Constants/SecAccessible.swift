public import TresorCoreFoundation
public import Foundation

// When an item can be read. docs/guides/choosing-a-class.md says which to take.

/// While the device is unlocked: the default.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlocked: CFString = "ak" as CFString

/// From the first unlock after a start on.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck" as CFString

/// Always: sealed under the device's root key alone.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlways: CFString = "dk" as CFString

/// While the device is unlocked; never leaves it.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku" as CFString

/// From the first unlock after a start on; never leaves the device.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku" as CFString

/// Always; never leaves the device.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku" as CFString

/// While the device is unlocked, and gone for good once its passcode is removed.
///
/// Nothing can be added with it while no passcode is set (`errSecAuthFailed`).
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu" as CFString
