import Tresor

/// What an import of passwords did, as `--json` prints it: numbers of rows and names of columns, nothing else of the
/// file.
struct ImportDocument: Encodable {
    struct Duplicate: Encodable {
        let row: Int
        let line: Int
        let part: String
        /// The row of the file that has the name as well; left out where it is an item of the keychain.
        let earlierRow: Int?
        /// Left out where the two could not be compared.
        let sameSecret: Bool?
        /// True where the keychain has the login with another protocol, port or path; else left out.
        let otherAddress: Bool?

        init(_ duplicate: CSVDuplicate) {
            row = duplicate.row
            line = duplicate.line
            part = duplicate.part.name
            otherAddress = duplicate.hasAnotherAddress ? true : nil
            switch duplicate.origin {
            case .keychainItem(let same): (earlierRow, sameSecret) = (nil, same)
            case .earlierRow(let earlier, let same): (earlierRow, sameSecret) = (earlier, same)
            }
        }
    }

    struct Skipped: Encodable {
        let row: Int
        let line: Int
        let problem: String
    }

    let format: String
    let dryRun: Bool
    let added: Int
    /// Items of their own for what has no place in a login, by what it is.
    let addedApart: [String: Int]
    let duplicates: [Duplicate]
    let skipped: [Skipped]
    /// In how many rows a column had something that no item carries.
    let notCarriedOver: [String: Int]

    init(_ report: CSVImportReport, _ format: CSVFormat, isDryRun: Bool) {
        self.format = format.name
        dryRun = isDryRun
        added = report.added
        addedApart = Dictionary(uniqueKeysWithValues: report.carriedApart.map { ($0.key.name, $0.value) })
        duplicates = report.duplicates.map { Duplicate($0) }
        skipped = report.skipped.map { Skipped(row: $0.row, line: $0.line, problem: "\($0.problem)") }
        notCarriedOver = report.leftOut
    }
}

/// What an import of certificates and keys did.
struct CertificateImportDocument: Encodable {
    let dryRun: Bool
    let certificates: Int
    let keys: Int
    let identities: Int
    /// In words, each.
    let duplicates: [String]
    let leftOut: [String]

    init(_ report: CertificateImport.Report, of plan: CertificateImport, isDryRun: Bool) {
        dryRun = isDryRun
        certificates = report.added[.certificate] ?? 0
        keys = report.added[.key] ?? 0
        identities = plan.identityCount
        duplicates = report.duplicates.map { $0.words(in: nil) }
        leftOut = plan.leftOut
    }
}
