public import TresorCoreFoundation
public import Foundation

// What a dictionary tells the call itself.

// How many, and which

/// How many items a query finds: a number from 1 on, ``kSecMatchLimitOne`` or ``kSecMatchLimitAll``.
///
/// One is the default, and its result stands alone; any other limit gives an array.
@safe nonisolated(unsafe) public let kSecMatchLimit: CFString = "m_Limit" as CFString

/// One item.
@safe nonisolated(unsafe) public let kSecMatchLimitOne: CFString = "m_LimitOne" as CFString

/// All items.
@safe nonisolated(unsafe) public let kSecMatchLimitAll: CFString = "m_LimitAll" as CFString

/// Taken and without effect: values compare exactly, as in Apple's data protection keychain.
@safe nonisolated(unsafe) public let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive" as CFString

/// Taken and without effect: values compare exactly.
@safe nonisolated(unsafe) public let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive" as CFString

/// Taken and without effect: values compare exactly.
@safe nonisolated(unsafe) public let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive" as CFString

/// A list of items to search in; refused (`errSecParam`), as in Apple's data protection keychain.
@safe nonisolated(unsafe) public let kSecMatchItemList: CFString = "m_ItemList" as CFString

/// A list of keychain files; taken and without effect, since there is one keychain.
@safe nonisolated(unsafe) public let kSecMatchSearchList: CFString = "m_SearchList" as CFString

/// Narrows a search among certificates.
///
/// Passwords are not looked at by it; a search among certificates that has it is `errSecUnimplemented`.
@safe nonisolated(unsafe) public let kSecMatchPolicy: CFString = "m_Policy" as CFString

/// Narrows a search among certificates.
///
/// Passwords are not looked at by it; a search among certificates that has it is `errSecUnimplemented`.
@safe nonisolated(unsafe) public let kSecMatchIssuers: CFString = "m_Issuers" as CFString

/// Narrows a search among certificates.
///
/// Passwords are not looked at by it; a search among certificates that has it is `errSecUnimplemented`.
@safe nonisolated(unsafe) public let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent" as CFString

/// Narrows a search among certificates.
///
/// Passwords are not looked at by it; a search among certificates that has it is `errSecUnimplemented`.
@safe nonisolated(unsafe) public let kSecMatchSubjectContains: CFString = "m_SubjectContains" as CFString

/// Narrows a search among certificates.
///
/// Passwords are not looked at by it; a search among certificates that has it is `errSecUnimplemented`.
@safe nonisolated(unsafe) public let kSecMatchTrustedOnly: CFString = "m_TrustedOnly" as CFString

/// Narrows a search among certificates.
///
/// Passwords are not looked at by it; a search among certificates that has it is `errSecUnimplemented`.
@safe nonisolated(unsafe) public let kSecMatchValidOnDate: CFString = "m_ValidOnDate" as CFString

// What comes back

/// Whether the secret comes back: a boolean.
@safe nonisolated(unsafe) public let kSecReturnData: CFString = "r_Data" as CFString

/// Whether the attributes come back, as a dictionary: a boolean.
@safe nonisolated(unsafe) public let kSecReturnAttributes: CFString = "r_Attributes" as CFString

/// Whether a reference of the item's own type comes back: a boolean.
///
/// It gives a ``SecKey``, a ``SecCertificate`` or a ``SecIdentity``. Passwords have none, so it adds nothing to them.
@safe nonisolated(unsafe) public let kSecReturnRef: CFString = "r_Ref" as CFString

/// Whether a persistent reference comes back, 20 bytes that name the item for good: a boolean.
@safe nonisolated(unsafe) public let kSecReturnPersistentRef: CFString = "r_PersistentRef" as CFString

// Values

/// The secret: `Data`.
@safe nonisolated(unsafe) public let kSecValueData: CFString = "v_Data" as CFString

/// A ``SecKey``, ``SecCertificate`` or ``SecIdentity``: in an addition the item itself, in a query which item.
///
/// It stands for the class, too.
@safe nonisolated(unsafe) public let kSecValueRef: CFString = "v_Ref" as CFString

/// A persistent reference: alone, a whole query.
@safe nonisolated(unsafe) public let kSecValuePersistentRef: CFString = "v_PersistentRef" as CFString

// How the call goes about it

/// An `LAContext` that proves the owner's presence.
@safe nonisolated(unsafe) public let kSecUseAuthenticationContext: CFString = "u_AuthCtx" as CFString

/// Whether the owner may be asked: one of the `kSecUseAuthenticationUI…` values.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUI: CFString = "u_AuthUI" as CFString

/// The owner may be asked: the default.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA" as CFString

/// Where the owner would have to be asked, the call fails with `errSecInteractionNotAllowed`.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF" as CFString

/// Items for which the owner would have to be asked are left out; for SecItemCopyMatching alone.
@safe nonisolated(unsafe) public let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS" as CFString

/// The older way to say ``kSecUseAuthenticationUIFail``: a boolean.
@safe nonisolated(unsafe) public let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI" as CFString

/// What the owner is told when asked.
@safe nonisolated(unsafe) public let kSecUseOperationPrompt: CFString = "u_OpPrompt" as CFString

/// Taken and without effect: there is only this keychain.
@safe nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = "nleg" as CFString

/// Whether marks of deleted synchronizable items are looked at, and left: a boolean.
@safe nonisolated(unsafe) public let kSecUseTombstones: CFString = "u_Tombstones" as CFString

/// A keychain file; taken and without effect, since there is one keychain.
@safe nonisolated(unsafe) public let kSecUseKeychain: CFString = "u_Keychain" as CFString

/// A list of items to use; refused (`errSecParam`), as in Apple's data protection keychain.
@safe nonisolated(unsafe) public let kSecUseItemList: CFString = "u_ItemList" as CFString
