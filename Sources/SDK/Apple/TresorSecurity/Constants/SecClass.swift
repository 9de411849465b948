public import TresorCoreFoundation
public import Foundation

// Kinds of items. The texts behind these names and all others here are those of Apple's SecItem.h, so that a
// dictionary written out by hand means the same.

/// The key of an item's kind; every dictionary has it, but for a query by persistent reference.
@safe nonisolated(unsafe) public let kSecClass: CFString = "class" as CFString

/// A password for a service and an account, which are its primary key.
@safe nonisolated(unsafe) public let kSecClassGenericPassword: CFString = "genp" as CFString

/// A password for a server.
///
/// Its primary key is account, security domain, server, protocol, authentication type, port and path.
@safe nonisolated(unsafe) public let kSecClassInternetPassword: CFString = "inet" as CFString

/// A certificate, by its attributes and data.
@safe nonisolated(unsafe) public let kSecClassCertificate: CFString = "cert" as CFString

/// A key, by its attributes and data.
@safe nonisolated(unsafe) public let kSecClassKey: CFString = "keys" as CFString

/// A certificate with its private key.
///
/// It is kept as those two items, which belong together while the certificate's public key is the key's. It can be
/// added, found and removed; its two items are changed each by itself.
@safe nonisolated(unsafe) public let kSecClassIdentity: CFString = "idnt" as CFString
