public import TresorCoreFoundation
public import Foundation

// Attributes that items of several kinds have.

/// When the item can be read: one of the `kSecAttrAccessible…` values.
@safe nonisolated(unsafe) public let kSecAttrAccessible: CFString = "pdmn" as CFString

/// What the item demands besides its class: a ``SecAccessControl``.
@safe nonisolated(unsafe) public let kSecAttrAccessControl: CFString = "accc" as CFString

/// Which programs reach the item.
@safe nonisolated(unsafe) public let kSecAttrAccessGroup: CFString = "agrp" as CFString

/// Whether the item may travel to the owner's other devices: a boolean, or, in a query, ``kSecAttrSynchronizableAny``.
///
/// A query that does not say it finds only items that may not.
@safe nonisolated(unsafe) public let kSecAttrSynchronizable: CFString = "sync" as CFString

/// In a query: items whether synchronizable or not.
@safe nonisolated(unsafe) public let kSecAttrSynchronizableAny: CFString = "syna" as CFString

/// When the item was added; kept by the keychain.
@safe nonisolated(unsafe) public let kSecAttrCreationDate: CFString = "cdat" as CFString

/// When the item was last changed; kept by the keychain.
@safe nonisolated(unsafe) public let kSecAttrModificationDate: CFString = "mdat" as CFString

/// The kind of item, in words.
@safe nonisolated(unsafe) public let kSecAttrDescription: CFString = "desc" as CFString

/// A comment.
@safe nonisolated(unsafe) public let kSecAttrComment: CFString = "icmt" as CFString

/// Who made the item: a number.
@safe nonisolated(unsafe) public let kSecAttrCreator: CFString = "crtr" as CFString

/// The item's type: a number.
@safe nonisolated(unsafe) public let kSecAttrType: CFString = "type" as CFString

/// What people see.
@safe nonisolated(unsafe) public let kSecAttrLabel: CFString = "labl" as CFString

/// Whether lists for people leave the item out.
@safe nonisolated(unsafe) public let kSecAttrIsInvisible: CFString = "invi" as CFString

/// Whether there is no password here on purpose.
@safe nonisolated(unsafe) public let kSecAttrIsNegative: CFString = "nega" as CFString

/// Which group of synchronized items it belongs to.
@safe nonisolated(unsafe) public let kSecAttrSyncViewHint: CFString = "vwht" as CFString

/// Which token holds the item.
@safe nonisolated(unsafe) public let kSecAttrTokenID: CFString = "tkid" as CFString

/// The persistent reference, in dictionaries of other interfaces; no query takes it.
@safe nonisolated(unsafe) public let kSecAttrPersistentReference: CFString = "persistref" as CFString

// Passwords

/// The account's name.
@safe nonisolated(unsafe) public let kSecAttrAccount: CFString = "acct" as CFString

/// The service that a generic password is for.
@safe nonisolated(unsafe) public let kSecAttrService: CFString = "svce" as CFString

/// Data of the program's own, in a generic password.
@safe nonisolated(unsafe) public let kSecAttrGeneric: CFString = "gena" as CFString

/// The security domain, or realm, of an internet password.
@safe nonisolated(unsafe) public let kSecAttrSecurityDomain: CFString = "sdmn" as CFString

/// The server.
@safe nonisolated(unsafe) public let kSecAttrServer: CFString = "srvr" as CFString

/// The protocol: one of the `kSecAttrProtocol…` values.
@safe nonisolated(unsafe) public let kSecAttrProtocol: CFString = "ptcl" as CFString

/// How the server asks: one of the `kSecAttrAuthenticationType…` values.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationType: CFString = "atyp" as CFString

/// The port: a number.
@safe nonisolated(unsafe) public let kSecAttrPort: CFString = "port" as CFString

/// The path on the server.
@safe nonisolated(unsafe) public let kSecAttrPath: CFString = "path" as CFString
