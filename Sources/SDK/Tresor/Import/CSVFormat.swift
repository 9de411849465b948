import Localization
import Secrets
import Wire

/// The exports that can be read.
///
/// The header row tells which one a file is; letter case doesn't matter in it, nor do further columns.
public enum CSVFormat: CaseIterable, Sendable {
    /// Firefox.
    case firefox
    /// Bitwarden and what speaks its format, such as Vaultwarden.
    case bitwarden
    /// KeePassXC; also what ``CSVExport`` writes.
    case keePassXC
    /// Chrome, Edge and other Chromium browsers.
    case chrome
    /// 1Password; also Safari, which names its columns alike.
    case onePassword
    /// Bitwarden's unencrypted JSON, which `tresor vault import` reads.
    case bitwardenJSON
    /// KeePass 2's XML, as KeePassXC writes it too, which `tresor vault import` reads.
    case keePassXML

    /// The program's name.
    public var name: String {
        switch self {
        case .firefox: "Firefox"
        case .bitwarden: "Bitwarden"
        case .keePassXC: "KeePassXC"
        case .chrome: "Chrome/Edge"
        case .onePassword: "1Password"
        case .bitwardenJSON: "Bitwarden JSON"
        case .keePassXML: "KeePass XML"
        }
    }

    /// The columns, in lower case, that a header of this format has at least.
    ///
    /// The cases above go from the more demanding to the less: a KeePassXC header has all that 1Password's needs.
    /// The last two are no CSV files, and have none.
    private var requiredColumns: [String] {
        switch self {
        case .firefox: ["url", "username", "password", "formactionorigin"]
        case .bitwarden: ["type", "name", "login_uri", "login_username", "login_password"]
        case .keePassXC: ["group", "title", "username", "password", "url"]
        case .chrome: ["name", "url", "username", "password"]
        case .onePassword: ["title", "url", "username", "password"]
        case .bitwardenJSON, .keePassXML: []
        }
    }

    static func recognise(_ columns: [String]) -> CSVFormat? {
        let columns = Set(columns.map { $0.lowercased() })
        return allCases.first { !$0.requiredColumns.isEmpty && columns.isSuperset(of: $0.requiredColumns) }
    }
}

/// What a column holds.
enum CSVColumn: Hashable {
    case title, address, username, folder, realm, type
    case kind, service
    case password, notes, oneTimeCode, customFields

    /// The column of this name; nil for those that are not carried over.
    init?(_ name: String, in format: CSVFormat) {
        switch name.lowercased() {
        case "title", "name": self = .title
        case "url", "login_uri": self = .address
        case "username", "login_username": self = .username
        case "folder", "group", "tags", "collections": self = .folder
        case "httprealm": self = .realm
        case "password", "login_password": self = .password
        case "notes", "note": self = .notes
        case "totp", "otpauth", "login_totp": self = .oneTimeCode
        case "type" where format == .bitwarden: self = .type
        case "fields" where format == .bitwarden: self = .customFields
        // Ours, behind KeePassXC's own.
        case CSVExport.kindColumn.lowercased() where format == .keePassXC: self = .kind
        case CSVExport.serviceColumn.lowercased() where format == .keePassXC: self = .service
        default: return nil
        }
    }
}

/// A file's header: which export it is, and what stands in which column.
package struct CSVLayout: Sendable {
    /// Whose export it is, by the names of its columns.
    package let format: CSVFormat
    private let names: [String]
    private let positions: [CSVColumn: Int]

    /// - Throws: ``CSVError`` when the header is that of no known export.
    package init(_ header: CSVRow, in file: RawSpan) throws(CSVError) {
        let names = header.fields.map { $0.text(in: file) }
        let known = names.compactMap(\.self)
        guard known.count == names.count, names.count <= CSVReader.mostFields,
            let format = CSVFormat.recognise(known)
        else {
            throw CSVError(header, .unknownFormat)
        }
        var positions: [CSVColumn: Int] = [:]
        for (position, name) in known.enumerated() {
            guard let column = CSVColumn(name, in: format), positions[column] == nil else { continue }
            positions[column] = position
        }
        self.names = known
        self.format = format
        self.positions = positions
    }

    /// What a row says; its secrets are only located.
    ///
    /// - Throws: ``CSVError`` when the row can't become items.
    package func entry(_ row: CSVRow, in file: RawSpan) throws(CSVError) -> CSVEntry {
        guard row.fields.count == names.count else {
            throw CSVError(row, .fieldCount(expected: names.count, found: row.fields.count))
        }
        var entry = CSVEntry(row: row)
        entry.title = try text(.title, row, file)
        entry.username = try text(.username, row, file)
        entry.folder = try text(.folder, row, file)
        entry.realm = try text(.realm, row, file)
        entry.type = try text(.type, row, file)
        entry.kind = try text(.kind, row, file)
        entry.service = try text(.service, row, file)
        entry.password = try secret(.password, row)
        entry.notes = try secret(.notes, row)
        entry.oneTimeCode = try secret(.oneTimeCode, row)
        entry.customFields = try secret(.customFields, row)
        entry.leftOut = leftOut(row, file)
        let address = try text(.address, row, file)
        entry.take(addresses: format == .bitwarden ? WebAddress.split(address) : [address])
        return entry
    }

    private func text(_ column: CSVColumn, _ row: CSVRow, _ file: RawSpan) throws(CSVError) -> String {
        guard let position = positions[column] else { return "" }
        guard row.fields[position].count <= CSVEntry.textLimit else {
            throw CSVError(row, .textTooLong(column: names[position]))
        }
        guard let text = row.fields[position].text(in: file) else {
            throw CSVError(row, .invalidText(column: names[position]))
        }
        return text
    }

    /// Nil when there is no such column, or nothing in it.
    private func secret(_ column: CSVColumn, _ row: CSVRow) throws(CSVError) -> CSVField? {
        guard let position = positions[column], row.fields[position].count > 0 else { return nil }
        guard row.fields[position].count <= CSVEntry.secretLimit else {
            throw CSVError(row, .secretTooLarge(column: names[position]))
        }
        return row.fields[position]
    }

    private func leftOut(_ row: CSVRow, _ file: RawSpan) -> [String] {
        let carried = Set(positions.values)
        var names: [String] = []
        for (position, field) in row.fields.enumerated() where !carried.contains(position) {
            if !field.isUnset(in: file) { names.append(self.names[position]) }
        }
        return names
    }
}
