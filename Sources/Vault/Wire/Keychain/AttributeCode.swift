/// The four-letter name of an attribute, as Apple's keychain spells it.
package struct AttributeCode: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The four ASCII letters, first letter in the highest byte.
    package let rawValue: UInt32

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

    package var description: String {
        String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> UInt32(24 - 8 * $0)) }, as: UTF8.self)
    }

    package static func < (left: AttributeCode, right: AttributeCode) -> Bool { left.rawValue < right.rawValue }

    package static let account = AttributeCode(literal: "acct")
    package static let service = AttributeCode(literal: "svce")
    package static let generic = AttributeCode(literal: "gena")
    package static let label = AttributeCode(literal: "labl")
    package static let descriptionText = AttributeCode(literal: "desc")
    package static let comment = AttributeCode(literal: "icmt")
    package static let alias = AttributeCode(literal: "alis")
    package static let creator = AttributeCode(literal: "crtr")
    package static let type = AttributeCode(literal: "type")
    package static let script = AttributeCode(literal: "scrp")
    package static let invisible = AttributeCode(literal: "invi")
    package static let negative = AttributeCode(literal: "nega")
    package static let customIcon = AttributeCode(literal: "cusi")
    package static let protected = AttributeCode(literal: "prot")
    package static let securityDomain = AttributeCode(literal: "sdmn")
    package static let server = AttributeCode(literal: "srvr")
    package static let protocolType = AttributeCode(literal: "ptcl")
    package static let authenticationType = AttributeCode(literal: "atyp")
    package static let port = AttributeCode(literal: "port")
    package static let path = AttributeCode(literal: "path")
    package static let certificateType = AttributeCode(literal: "ctyp")
    package static let certificateEncoding = AttributeCode(literal: "cenc")
    package static let subject = AttributeCode(literal: "subj")
    package static let issuer = AttributeCode(literal: "issr")
    package static let serialNumber = AttributeCode(literal: "slnr")
    package static let subjectKeyID = AttributeCode(literal: "skid")
    package static let publicKeyHash = AttributeCode(literal: "pkhh")
    package static let keyClass = AttributeCode(literal: "kcls")
    package static let applicationLabel = AttributeCode(literal: "klbl")
    package static let applicationTag = AttributeCode(literal: "atag")
    package static let keySize = AttributeCode(literal: "bsiz")
    package static let effectiveKeySize = AttributeCode(literal: "esiz")
    package static let startDate = AttributeCode(literal: "sdat")
    package static let endDate = AttributeCode(literal: "edat")
    package static let accessGroup = AttributeCode(literal: "agrp")
    package static let synchronizable = AttributeCode(literal: "sync")
    package static let protectionClass = AttributeCode(literal: "pdmn")
    package static let accessControl = AttributeCode(literal: "accc")
    package static let creationDate = AttributeCode(literal: "cdat")
    package static let modificationDate = AttributeCode(literal: "mdat")
    package static let multiUser = AttributeCode(literal: "musr")
    package static let viewHint = AttributeCode(literal: "vwht")
    package static let token = AttributeCode(literal: "tkid")
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
