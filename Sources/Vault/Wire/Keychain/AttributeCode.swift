/// The four-letter name of an attribute, as Apple's keychain spells it.
package struct AttributeCode: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The four ASCII letters, first letter in the highest byte.
    package let rawValue: UInt32

    /// Any 32 bits: a code that no kind has is refused where the query is checked.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Nil unless there are four ASCII characters.
    package init?(_ name: String) {
        let bytes = Array(name.utf8)
        guard bytes.count == 4, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
        rawValue = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    private init(literal: StaticString) {
        rawValue = literal.withUTF8Buffer { unsafe $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// The four letters, such as `acct`.
    package var description: String {
        String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> UInt32(24 - 8 * $0)) }, as: UTF8.self)
    }

    /// Attributes are encoded in this order.
    package static func < (left: AttributeCode, right: AttributeCode) -> Bool { left.rawValue < right.rawValue }

    /// Account (`kSecAttrAccount`): part of the key of both kinds of passwords.
    package static let account = AttributeCode(literal: "acct")
    /// Service (`kSecAttrService`): part of the key of passwords.
    package static let service = AttributeCode(literal: "svce")
    /// Whatever a program likes to keep beside a password (`kSecAttrGeneric`); no part of its key.
    package static let generic = AttributeCode(literal: "gena")
    /// What people call the item (`kSecAttrLabel`); no part of its key.
    package static let label = AttributeCode(literal: "labl")
    /// What kind of thing the item is, in words (`kSecAttrDescription`).
    package static let descriptionText = AttributeCode(literal: "desc")
    /// A remark of the user's (`kSecAttrComment`).
    package static let comment = AttributeCode(literal: "icmt")
    /// Another name, of macOS' file keychains.
    package static let alias = AttributeCode(literal: "alis")
    /// Four letters that say which program has made it, as a number (`kSecAttrCreator`).
    package static let creator = AttributeCode(literal: "crtr")
    /// Four letters of the program's choice, or a key's algorithm: 73 is ECDSA (`kSecAttrType`, `kSecAttrKeyType`).
    package static let type = AttributeCode(literal: "type")
    /// The script system of the texts, of macOS' file keychains.
    package static let script = AttributeCode(literal: "scrp")
    /// 1 where viewers shall not show the item (`kSecAttrIsInvisible`).
    package static let invisible = AttributeCode(literal: "invi")
    /// 1 where there is no password, and one shall be asked for each time (`kSecAttrIsNegative`).
    package static let negative = AttributeCode(literal: "nega")
    /// Whether there is an icon of its own, of macOS' file keychains.
    package static let customIcon = AttributeCode(literal: "cusi")
    /// Marked as protected, of macOS' file keychains.
    package static let protected = AttributeCode(literal: "prot")
    /// Security domain of an internet password (`kSecAttrSecurityDomain`): part of its key.
    package static let securityDomain = AttributeCode(literal: "sdmn")
    /// Server of an internet password, by name or address (`kSecAttrServer`): part of its key.
    package static let server = AttributeCode(literal: "srvr")
    /// Protocol of an internet password (`kSecAttrProtocol`): part of its key; four letters as a number, or a string.
    package static let protocolType = AttributeCode(literal: "ptcl")
    /// How one signs in there (`kSecAttrAuthenticationType`): part of an internet password's key.
    package static let authenticationType = AttributeCode(literal: "atyp")
    /// Port (`kSecAttrPort`): part of an internet password's key; 0 for none.
    package static let port = AttributeCode(literal: "port")
    /// Path on the server (`kSecAttrPath`): part of an internet password's key.
    package static let path = AttributeCode(literal: "path")
    /// Of what kind a certificate is (`kSecAttrCertificateType`): part of its key; 1 is X.509v1, 3 is X.509v3.
    package static let certificateType = AttributeCode(literal: "ctyp")
    /// How a certificate is encoded (`kSecAttrCertificateEncoding`): 3 is DER.
    package static let certificateEncoding = AttributeCode(literal: "cenc")
    /// A certificate's subject, in DER (`kSecAttrSubject`).
    package static let subject = AttributeCode(literal: "subj")
    /// A certificate's issuer, in DER (`kSecAttrIssuer`): part of its key.
    package static let issuer = AttributeCode(literal: "issr")
    /// A certificate's serial number, its DER content (`kSecAttrSerialNumber`): part of its key.
    package static let serialNumber = AttributeCode(literal: "slnr")
    /// A certificate's subject key identifier (`kSecAttrSubjectKeyID`).
    package static let subjectKeyID = AttributeCode(literal: "skid")
    /// SHA-1 of a certificate's public key (`kSecAttrPublicKeyHash`): a private key with this label belongs to it.
    package static let publicKeyHash = AttributeCode(literal: "pkhh")
    /// Which half a key is (`kSecAttrKeyClass`): 0 public, 1 private, 2 symmetric; part of its key.
    package static let keyClass = AttributeCode(literal: "kcls")
    /// SHA-1 of a key's public half (`kSecAttrApplicationLabel`): part of its key.
    package static let applicationLabel = AttributeCode(literal: "klbl")
    /// A key's name by its program (`kSecAttrApplicationTag`): part of its key.
    package static let applicationTag = AttributeCode(literal: "atag")
    /// A key's size in bits (`kSecAttrKeySizeInBits`): part of its key.
    package static let keySize = AttributeCode(literal: "bsiz")
    /// How many of a key's bits count (`kSecAttrEffectiveKeySize`): part of its key.
    package static let effectiveKeySize = AttributeCode(literal: "esiz")
    /// From when on a key is used; part of its key.
    package static let startDate = AttributeCode(literal: "sdat")
    /// Until when a key is used; part of its key.
    package static let endDate = AttributeCode(literal: "edat")
    /// Which programs reach the item (`kSecAttrAccessGroup`): part of every key.
    package static let accessGroup = AttributeCode(literal: "agrp")
    /// Whether the item may go to the owner's other devices, 0 or 1 (`kSecAttrSynchronizable`): part of every key.
    package static let synchronizable = AttributeCode(literal: "sync")
    /// When the item can be read, by its class' code such as `ak` (`kSecAttrAccessible`).
    package static let protectionClass = AttributeCode(literal: "pdmn")
    /// What is demanded of the owner, as the bits of an `AccessControl` (`kSecAttrAccessControl`).
    package static let accessControl = AttributeCode(literal: "accc")
    /// When the item was added; the store sets it, whatever the program says (`kSecAttrCreationDate`).
    package static let creationDate = AttributeCode(literal: "cdat")
    /// When the item was changed last; each change moves it on (`kSecAttrModificationDate`).
    package static let modificationDate = AttributeCode(literal: "mdat")
    /// Whose item it is among several users of a device; part of every key, and empty here.
    package static let multiUser = AttributeCode(literal: "musr")
    /// Through which view an item is synchronized; part of every key, and kept as it is given.
    package static let viewHint = AttributeCode(literal: "vwht")
    /// In which token a key lies (`kSecAttrTokenID`): `com.apple.setoken` for those of the enclave; part of every key.
    package static let token = AttributeCode(literal: "tkid")
    /// Of items that a group of people shares, internal to Apple's; part of every key, and empty here.
    package static let groupOfGroup = AttributeCode(literal: "ggrp")
    /// Ignored in queries, as documented.
    package static let noLegacy = AttributeCode(literal: "nleg")
    /// Internal, and ours: the enrolment state that an item's access control binds it to.
    package static let enrolment = AttributeCode(literal: "enrl")
    /// Ours: the name of the keychain that the item lies in; absent for `login`.
    package static let keychain = AttributeCode(literal: "kchn")
    /// Internal, and ours: the key of a keychain with a passcode of its own, 16 bytes.
    package static let keychainKey = AttributeCode(literal: "kchk")
    /// Internal, and ours: the public half of a key that stays in the enclave, as X9.63 has it.
    package static let publicKey = AttributeCode(literal: "pubk")
    /// Internal, and ours: how the key of an item with a password of its own follows from that, 33 bytes.
    package static let password = AttributeCode(literal: "apwd")
    /// Internal, and ours: when an item that lies in the trash was put there; no other item has it.
    package static let trashed = AttributeCode(literal: "trsh")
    /// Internal; refused in every query.
    package static let clip = AttributeCode(literal: "clip")
}

/// The kinds of items.
///
/// Their codes are those of the keychain's classes (`genp`, `inet`, `cert`, `keys`).
public enum ItemKind: UInt8, CaseIterable, Sendable, Hashable {
    /// A password for a service and an account (`genp`).
    case password = 1
    /// A password for a server (`inet`).
    case internetPassword = 2
    /// A certificate (`cert`).
    case certificate = 3
    /// A cryptographic key (`keys`).
    case key = 4

    /// `genp`, `inet`, `cert` or `keys`.
    package var code: AttributeCode {
        switch self {
        case .password: Self.passwordCode
        case .internetPassword: Self.internetCode
        case .certificate: Self.certificateCode
        case .key: Self.keyCode
        }
    }

    private static let passwordCode = AttributeCode(rawValue: 0x6765_6e70)
    private static let internetCode = AttributeCode(rawValue: 0x696e_6574)
    private static let certificateCode = AttributeCode(rawValue: 0x6365_7274)
    private static let keyCode = AttributeCode(rawValue: 0x6b65_7973)

    /// The kind with this class code; nil for any other, which a query answers with −25306.
    package init?(code: AttributeCode) {
        guard let match = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = match
    }
}
