/// The columns of the table that holds nearly everything, whatever version of macOS wrote it.
///
/// Core Data puts notes, folders, accounts and attachments into one table. Where several of them have an attribute of
/// one name it numbers the columns, differently in each version: a note's account is ZACCOUNT4 on macOS 12 and
/// ZACCOUNT7 on macOS 14. A row uses one column of such a family, so the first that is not NULL is the one.
struct StoreColumns {
    enum Column: String, CaseIterable {
        case entity = "Z_ENT"
        case identifier = "ZIDENTIFIER"
        case account = "ZACCOUNT"
        case folder = "ZFOLDER"
        case title = "ZTITLE"
        case created = "ZCREATIONDATE"
        case modified = "ZMODIFICATIONDATE"
        case isPinned = "ZISPINNED"
        case isMarkedForDeletion = "ZMARKEDFORDELETION"
        case isLocked = "ZISPASSWORDPROTECTED"
        case hint = "ZPASSWORDHINT"
        case typeIdentifier = "ZTYPEUTI"
        case alternativeText = "ZALTTEXT"
        case address = "ZURLSTRING"
        case media = "ZMEDIA"
        case fileName = "ZFILENAME"
        case generation = "ZGENERATION"
        case fallbackImageGeneration = "ZFALLBACKIMAGEGENERATION"
        case fallbackPDFGeneration = "ZFALLBACKPDFGENERATION"
        case mergeableData = "ZMERGEABLEDATA"
        case rounds = "ZCRYPTOITERATIONCOUNT"
        case salt = "ZCRYPTOSALT"
        case wrappedKey = "ZCRYPTOWRAPPEDKEY"
        case iv = "ZCRYPTOINITIALIZATIONVECTOR"
        case tag = "ZCRYPTOTAG"
        case assetIV = "ZASSETCRYPTOINITIALIZATIONVECTOR"
        case assetTag = "ZASSETCRYPTOTAG"
        case fallbackImageIV = "ZFALLBACKIMAGECRYPTOINITIALIZATIONVECTOR"
        case fallbackImageTag = "ZFALLBACKIMAGECRYPTOTAG"
        case fallbackPDFIV = "ZFALLBACKPDFCRYPTOINITIALIZATIONVECTOR"
        case fallbackPDFTag = "ZFALLBACKPDFCRYPTOTAG"
        case sealedValues = "ZENCRYPTEDVALUESJSON"
        case pendingRecord = "ZUNAPPLIEDENCRYPTEDRECORD"
        /// Where macOS 15 moved it.
        case pendingRecordData = "ZUNAPPLIEDENCRYPTEDRECORDDATA"
        // Of folders and accounts, read once.
        case parent = "ZPARENT"
        case folderType = "ZFOLDERTYPE"
        case name = "ZNAME"
    }

    private let families: [Column: [String]]

    /// - Parameter names: all columns that the table has.
    init(names: [String]) {
        var families: [Column: [String]] = [:]
        for column in Column.allCases {
            families[column] = names.filter { name in
                name.hasPrefix(column.rawValue) && name.dropFirst(column.rawValue.count).allSatisfy(\.isDigit)
            }
        }
        self.families = families
    }

    func has(_ column: Column) -> Bool { families[column]?.isEmpty == false }

    /// An SQL expression for the column, NULL where this version has none, or where it holds more than any note.
    func expression(_ column: Column) -> String {
        guard let family = families[column], let first = family.first else { return "NULL" }
        let value = family.count == 1 ? first : "COALESCE(\(family.joined(separator: ", ")))"
        return Self.bounded(value)
    }

    /// An SQL expression for a value, NULL where it is longer than any note.
    ///
    /// The length of a blob stands in the row's header, and costs nothing to check; that of a text would end at a NUL.
    static func bounded(_ value: String) -> String {
        let length = "CASE typeof(\(value)) WHEN 'text' THEN length(CAST(\(value) AS BLOB)) ELSE length(\(value)) END"
        return "CASE WHEN \(length) <= \(longestValue) THEN \(value) END"
    }

    /// Longer values are taken for damage.
    private static let longestValue = 64 * 1024 * 1024
}

extension Character {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
