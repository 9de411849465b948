public import TresorCoreFoundation

// The status codes of the keychain, by the names and numbers of Apple's SecBase.h.

/// Success.
public let errSecSuccess: OSStatus = 0

/// Known to Apple's keychain, and not done here.
public let errSecUnimplemented: OSStatus = -4

/// Reading or writing failed.
public let errSecIO: OSStatus = -36

/// The file is open already.
public let errSecOpWr: OSStatus = -49

/// A parameter is wrong.
public let errSecParam: OSStatus = -50

/// No locked memory is left.
public let errSecAllocate: OSStatus = -108

/// The owner declined.
public let errSecUserCanceled: OSStatus = -128

/// The request is malformed.
public let errSecBadReq: OSStatus = -909

/// Something inside failed.
public let errSecInternalComponent: OSStatus = -2070

/// The keychain is not available: the daemon does not run, or its storage fails.
public let errSecNotAvailable: OSStatus = -25_291

/// The keychain can't be written.
public let errSecReadOnly: OSStatus = -25_292

/// The owner's presence was not proved, or a passcode is needed and none is set.
public let errSecAuthFailed: OSStatus = -25_293

/// There is no such keychain.
public let errSecNoSuchKeychain: OSStatus = -25_294

/// The keychain is not valid.
public let errSecInvalidKeychain: OSStatus = -25_295

/// The keychain exists already.
public let errSecDuplicateKeychain: OSStatus = -25_296

/// An item with the same primary key exists.
public let errSecDuplicateItem: OSStatus = -25_299

/// No item matches.
public let errSecItemNotFound: OSStatus = -25_300

/// The data is too large.
public let errSecDataTooLarge: OSStatus = -25_302

/// This kind of item has no such attribute.
public let errSecNoSuchAttr: OSStatus = -25_303

/// There is no such kind of item.
public let errSecNoSuchClass: OSStatus = -25_306

/// There is no keychain.
public let errSecNoDefaultKeychain: OSStatus = -25_307

/// The item's class is not open in this lock state, or the owner would have to be asked and may not be.
public let errSecInteractionNotAllowed: OSStatus = -25_308

/// The attribute can't be changed.
public let errSecReadOnlyAttr: OSStatus = -25_309

/// The owner would have to be asked.
public let errSecInteractionRequired: OSStatus = -25_315

/// The data is not available.
public let errSecDataNotAvailable: OSStatus = -25_316

/// An item does not decode; it is kept.
public let errSecDecode: OSStatus = -26_275

/// The access group belongs to others.
public let errSecMissingEntitlement: OSStatus = -34_018

/// No chain of certificates leads to an anchor.
public let errSecCreateChainFailed: OSStatus = -25_318

/// A file of keys or certificates is of a kind that is not read.
public let errSecUnsupportedFormat: OSStatus = -25_256

/// A passphrase has to be given.
public let errSecPassphraseRequired: OSStatus = -25_260

/// A certificate was issued to another name.
public let errSecHostNameMismatch: OSStatus = -67_602

/// A certificate has a critical extension that is not understood.
public let errSecUnknownCriticalExtensionFlag: OSStatus = -67_603

/// A certificate issued another and is no authority.
public let errSecNoBasicConstraintsCA: OSStatus = -67_605

/// A certificate is for another purpose.
public let errSecInvalidExtendedKeyUsage: OSStatus = -67_609

/// An authority has more authorities below it than it allows.
public let errSecPathLengthConstraintExceeded: OSStatus = -67_611

/// A signature was not made by this key over this.
public let errSecVerifyFailed: OSStatus = -67_808

/// A certificate is no longer valid.
public let errSecCertificateExpired: OSStatus = -67_818

/// A certificate is not valid yet.
public let errSecCertificateNotValidYet: OSStatus = -67_819

/// A certificate is outside of the names that its authority may issue to.
public let errSecCertificateNameNotAllowed: OSStatus = -67_900

/// A chain of certificates ends at nothing that is trusted.
public let errSecNotTrusted: OSStatus = -67_843

/// This program may not call that.
public let errSecRestrictedAPI: OSStatus = -34_020
