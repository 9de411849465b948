public import TresorCoreFoundation
public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// What a status means, in a sentence for a person.
///
///     let text = SecCopyErrorMessageString(status, nil) as String? ?? "error \(status)"
///
/// - Parameters:
///   - status: what a call returned.
///   - reserved: nil.
/// - Returns: nil for a status that no call here returns.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    messages[status].map { $0 as CFString }
}

private let messages: [OSStatus: String] = [
    errSecSuccess: "No error.",
    errSecUnimplemented: "This is not implemented.",
    errSecIO: "Reading or writing failed.",
    errSecOpWr: "The file is already open for writing.",
    errSecParam: "A parameter is not valid.",
    errSecAllocate: "There is no memory left for secrets.",
    errSecUserCanceled: "The owner declined.",
    errSecBadReq: "The request or its state is not valid.",
    errSecInternalComponent: "Something inside the keychain failed.",
    errSecNotAvailable: "The keychain is not available.",
    errSecReadOnly: "The keychain cannot be written.",
    errSecAuthFailed: "The owner could not be authenticated.",
    errSecNoSuchKeychain: "There is no such keychain.",
    errSecInvalidKeychain: "The keychain is not valid.",
    errSecDuplicateKeychain: "Such a keychain exists already.",
    errSecDuplicateItem: "Such an item exists already.",
    errSecItemNotFound: "There is no such item.",
    errSecDataTooLarge: "The data is too large.",
    errSecNoSuchAttr: "This kind of item has no such attribute.",
    errSecNoSuchClass: "There is no such kind of item.",
    errSecNoDefaultKeychain: "There is no default keychain.",
    errSecInteractionNotAllowed: "The device is locked, or its owner may not be asked.",
    errSecReadOnlyAttr: "The attribute cannot be changed.",
    errSecInteractionRequired: "The owner has to be asked.",
    errSecDataNotAvailable: "The data is not available.",
    errSecDecode: "An item or a file cannot be decoded.",
    errSecCreateChainFailed: "No chain of certificates leads to an anchor.",
    errSecUnsupportedFormat: "The file is of a kind that is not read.",
    errSecPassphraseRequired: "A passphrase is needed.",
    errSecHostNameMismatch: "The certificate was issued to another name.",
    errSecUnknownCriticalExtensionFlag: "A certificate has a critical extension that is not understood.",
    errSecNoBasicConstraintsCA: "A certificate issued another and is no authority.",
    errSecInvalidExtendedKeyUsage: "A certificate is for another purpose.",
    errSecPathLengthConstraintExceeded: "An authority has more authorities below it than it allows.",
    errSecVerifyFailed: "The signature is not this key's over this.",
    errSecCertificateExpired: "A certificate has expired.",
    errSecCertificateNotValidYet: "A certificate is not valid yet.",
    errSecCertificateNameNotAllowed: "A certificate is outside of the names that its authority may issue to.",
    errSecNotTrusted: "The certificates lead to nothing that is trusted.",
    errSecMissingEntitlement: "The access group belongs to other programs.",
    errSecRestrictedAPI: "This program may not call that.",
]
