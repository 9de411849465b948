/// Which attributes each kind has, of what type, and which of them make up its primary key.
package enum ItemSchema {
    /// One attribute, as a kind of items has it.
    package struct Entry: Sendable {
        /// The attribute's name.
        package let code: AttributeCode
        /// What it takes, and how it compares.
        package let type: AttributeType
        /// What stands in a primary key when the item lacks the attribute; nil outside primary keys.
        package let keyDefault: AttributeValue?
        /// Whether exact searches for it go through the blind index.
        package let isIndexed: Bool
    }

    /// Every attribute that items of a kind may have; a query that names another is refused with −25303.
    package static func entries(of kind: ItemKind) -> [AttributeCode: Entry] {
        switch kind {
        case .password: password
        case .internetPassword: internet
        case .certificate: certificate
        case .key: key
        }
    }

    /// Codes of the primary key, ascending; the access group and synchronizability are part of every one.
    package static func primaryKey(of kind: ItemKind) -> [Entry] {
        switch kind {
        case .password: passwordKey
        case .internetPassword: internetKey
        case .certificate: certificateKey
        case .key: keyKey
        }
    }

    private static let passwordKey = keyEntries(password)
    private static let internetKey = keyEntries(internet)
    private static let certificateKey = keyEntries(certificate)
    private static let keyKey = keyEntries(key)

    private static func keyEntries(_ table: [AttributeCode: Entry]) -> [Entry] {
        table.values.filter { $0.keyDefault != nil }.sorted { $0.code < $1.code }
    }

    private static let empty = AttributeValue.string("")
    private static let zero = AttributeValue.number(0)

    private static func table(_ own: [Entry]) -> [AttributeCode: Entry] {
        Dictionary(uniqueKeysWithValues: (common + own).map { ($0.code, $0) })
    }

    private static func entry(
        _ code: AttributeCode, _ type: AttributeType, key: AttributeValue? = nil, indexed: Bool = false
    ) -> Entry {
        Entry(code: code, type: type, keyDefault: key, isIndexed: indexed)
    }

    private static func plain(_ type: AttributeType, _ codes: AttributeCode...) -> [Entry] {
        codes.map { entry($0, type) }
    }

    private static func named(_ type: AttributeType, _ names: String) -> [Entry] {
        names.split(separator: " ").compactMap { AttributeCode(String($0)) }.map { entry($0, type) }
    }

    private static let common: [Entry] =
        [
            entry(.accessGroup, .string, key: empty), entry(.synchronizable, .number, key: zero),
            entry(.multiUser, .data, key: .data([])), entry(.viewHint, .string, key: empty),
            entry(.token, .string, key: empty), entry(.groupOfGroup, .string, key: empty),
        ] + plain(.date, .creationDate, .modificationDate) + plain(.string, .protectionClass)
        + plain(.number, .accessControl)
        + [entry(.keychain, .string, indexed: true)]

    private static let passwordCommon: [Entry] =
        [entry(.label, .blob, indexed: true)] + plain(.blob, .descriptionText, .comment, .alias, .protected)
        + plain(.number, .creator, .type, .script, .invisible, .negative, .customIcon)

    private static let password = table(
        passwordCommon + [
            entry(.account, .blob, key: empty, indexed: true), entry(.service, .blob, key: empty, indexed: true),
            entry(.generic, .blob),
        ])

    private static let internet = table(
        passwordCommon + [
            entry(.account, .blob, key: empty, indexed: true), entry(.server, .blob, key: empty, indexed: true),
            entry(.securityDomain, .blob, key: empty), entry(.protocolType, .number, key: zero),
            entry(.authenticationType, .blob, key: empty), entry(.port, .number, key: zero),
            entry(.path, .blob, key: empty),
        ])

    private static let certificate = table(
        [
            entry(.certificateType, .number, key: zero), entry(.issuer, .data, key: .data([]), indexed: true),
            entry(.serialNumber, .data, key: .data([])), entry(.label, .blob, indexed: true),
            entry(.subject, .data, indexed: true), entry(.subjectKeyID, .data, indexed: true),
            entry(.publicKeyHash, .data, indexed: true),
        ] + plain(.number, .certificateEncoding) + plain(.blob, .alias))

    private static let key = table(
        [
            entry(.keyClass, .number, key: zero), entry(.applicationLabel, .data, key: .data([]), indexed: true),
            entry(.applicationTag, .blob, key: .data([]), indexed: true), entry(.creator, .number, key: zero),
            entry(.type, .number, key: zero), entry(.keySize, .number, key: zero),
            entry(.effectiveKeySize, .number, key: zero), entry(.startDate, .date, key: .date(0)),
            entry(.endDate, .date, key: .date(0)), entry(.label, .blob, indexed: true),
        ] + plain(.blob, .alias)
            + named(.number, "perm priv modi sens asen extr next encr decr drve sign vrfy snrc vyrc wrap unwp"))
}
