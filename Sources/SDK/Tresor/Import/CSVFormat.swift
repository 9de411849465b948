import Localization
import Secrets
package import Wire

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

    /// The program's name.
    public var name: String {
        switch self {
        case .firefox: "Firefox"
        case .bitwarden: "Bitwarden"
        case .keePassXC: "KeePassXC"
        case .chrome: "Chrome/Edge"
        case .onePassword: "1Password"
        }
    }

    /// The columns, in lower case, that a header of this format has at least.
    ///
    /// The cases above go from the more demanding to the less: a KeePassXC header has all that 1Password's needs.
    private var requiredColumns: [String] {
        switch self {
        case .firefox: ["url", "username", "password", "formactionorigin"]
        case .bitwarden: ["type", "name", "login_uri", "login_username", "login_password"]
        case .keePassXC: ["group", "title", "username", "password", "url"]
        case .chrome: ["name", "url", "username", "password"]
        case .onePassword: ["title", "url", "username", "password"]
        }
    }

    static func recognise(_ columns: [String]) -> CSVFormat? {
        let columns = Set(columns.map { $0.lowercased() })
        return allCases.first { columns.isSuperset(of: $0.requiredColumns) }
    }
}

/// What a column holds.
enum CSVColumn: Hashable {
    case title, address, username, folder, realm, type
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
        guard known.count == names.count, let format = CSVFormat.recognise(known) else {
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

/// Which part of a row an item holds.
public enum CSVPart: CaseIterable, Hashable, Sendable {
    /// The login itself, or a secure note.
    case entry
    /// The notes beside a login: secret, and so an item of its own.
    case notes
    /// The secret that one-time codes are made from.
    case oneTimeCode
    /// Bitwarden's custom fields.
    case customFields

    /// What stands in the item's description and, in parentheses, behind its service.
    public var name: String {
        switch self {
        case .entry: "login"
        case .notes: "notes"
        case .oneTimeCode: "one-time code"
        case .customFields: "custom fields"
        }
    }

    /// The service of the item beside a login: the login's label, this name, and the server where the label is another.
    ///
    /// Two logins of one label and one account, at two servers, so keep their notes apart.
    func service(beside label: String, at server: String) -> String {
        let place = server.isEmpty || server == label ? "" : ", \(server)"
        return "\(label) (\(name)\(place))"
    }

    /// Whether a service is one that ``service(beside:at:)`` gives.
    func isService(_ service: String) -> Bool {
        service.hasSuffix(" (\(name))") || (service.contains(" (\(name), ") && service.hasSuffix(")"))
    }
}

/// An item to be: its attributes, and where its secret lies.
package struct CSVItem: Sendable {
    /// In which row it stands; 1 is the first below the header.
    package let row: Int
    /// The line on which the row begins, counted from 1.
    package let line: Int
    /// What of the row it is: the login itself, or something that goes with it.
    package let part: CSVPart
    /// A password, or an internet password where the row names a server.
    package let kind: ItemKind
    /// Everything but the secret.
    package let attributes: ItemAttributes
    /// Nil for an empty secret.
    package let secret: CSVField?

    /// The item's whole primary key.
    ///
    /// A query with it matches this item and no other.
    package var key: ItemAttributes {
        var key = ItemAttributes()
        for entry in ItemSchema.primaryKey(of: kind) where entry.code != .accessGroup {
            key.values[entry.code] = attributes.values[entry.code] ?? entry.keyDefault
        }
        return key
    }
}

/// What one row says.
package struct CSVEntry: Sendable {
    /// All texts of an item together must stay below what the keychain takes for its attributes.
    static let textLimit = 8 * 1024
    static let secretLimit = StreamFrame.keychainLimit - 128 * 1024
    static let secureNote = "secure note"

    let row: CSVRow
    var title = ""
    var address = ""
    var username = ""
    var folder = ""
    var realm = ""
    var type = ""
    var password: CSVField?
    var notes: CSVField?
    var oneTimeCode: CSVField?
    var customFields: CSVField?
    /// The columns of this row whose content no item carries.
    package var leftOut: [String] = []

    init(row: CSVRow) { self.row = row }

    /// The first address of the web counts, or else the first of any kind.
    mutating func take(addresses: [String]) {
        address = addresses.first { WebAddress($0) != nil } ?? addresses.first ?? ""
        leftOut += Array(repeating: marked("further addresses"), count: addresses.isEmpty ? 0 : addresses.count - 1)
    }

    /// The items of this row: the login or secure note first, then what has no place in it.
    ///
    /// - Throws: ``CSVError`` when nothing names the row, or its type is unknown.
    package mutating func items() throws(CSVError) -> [CSVItem] {
        let type = type.lowercased()
        guard ["", "login", "note"].contains(type) else { throw CSVError(row, .unknownType) }
        var first = try attributes()
        let isNote = password == nil && username.isEmpty && address.isEmpty && (notes != nil || type == "note")
        if isNote { first.attributes.itemDescription = Self.secureNote }
        var items = [item(.entry, first.kind, first.attributes, isNote ? notes : password)]
        let label = first.attributes.label ?? ""
        let server = first.attributes.server ?? ""
        for (part, secret) in [
            (CSVPart.notes, isNote ? nil : notes), (.oneTimeCode, oneTimeCode), (.customFields, customFields),
        ] {
            guard let secret else { continue }
            items.append(item(part, .password, apart(part, label, server), secret))
        }
        return items
    }

    private func item(
        _ part: CSVPart, _ kind: ItemKind, _ attributes: ItemAttributes, _ secret: CSVField?
    ) -> CSVItem {
        CSVItem(row: row.number, line: row.line, part: part, kind: kind, attributes: attributes, secret: secret)
    }

    private mutating func attributes() throws(CSVError) -> (kind: ItemKind, attributes: ItemAttributes) {
        guard let web = WebAddress(address) else { return (.password, try passwordAttributes()) }
        var attributes = ItemAttributes()
        attributes.server = web.server
        attributes.port = web.port
        attributes.protocolName = web.protocolName
        attributes.path = web.path.nonEmpty
        attributes.values[.securityDomain] = realm.nonEmpty.map { .string($0) }
        attributes.account = username.nonEmpty
        attributes.label = title.nonEmpty ?? web.server
        attributes.comment = folder.nonEmpty
        if web.hasMore { leftOut.append(marked("user, query or fragment of the address")) }
        return (.internetPassword, attributes)
    }

    private mutating func passwordAttributes() throws(CSVError) -> ItemAttributes {
        guard let name = [title, address, username].first(where: { !$0.isEmpty }) else {
            throw CSVError(row, .nameless)
        }
        var attributes = ItemAttributes()
        attributes.service = name
        attributes.account = username.nonEmpty
        attributes.label = name
        // The comment has room for one of these.
        var rest = [
            (marked("folder"), folder), (marked("address"), title.isEmpty ? "" : address), (marked("realm"), realm),
        ]
        rest.removeAll { $0.1.isEmpty }
        attributes.comment = rest.first?.1
        leftOut += rest.dropFirst().map(\.0)
        return attributes
    }

    private func apart(_ part: CSVPart, _ label: String, _ server: String) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.service = part.service(beside: label, at: server)
        attributes.account = username.nonEmpty
        attributes.label = attributes.service
        attributes.itemDescription = part.name
        return attributes
    }
}

/// The parts of an http or https address that make up an internet password's key.
///
/// A bare host such as `mail.example:8443` is one too, without a protocol.
package struct WebAddress: Hashable, Sendable {
    /// Lower-case, without the brackets of an IPv6 address.
    package let server: String
    /// Nil for the protocol's own port.
    package let port: Int?
    /// `htps`, `http`, or nil.
    package let protocolName: String?
    /// Empty where the address says no more than `/`.
    package let path: String
    /// Whether a user, a query or a fragment stood there too.
    package let hasMore: Bool

    /// Nil for any other kind of address.
    package init?(_ text: String) {
        var rest = text[...]
        (protocolName, rest) = Self.takeProtocol(rest)
        let end = rest.firstIndex { "/?#\\".contains($0) } ?? rest.endIndex
        var authority = rest[..<end]
        let tail = rest[end...]
        let hasUser = authority.contains("@")
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        guard let (host, port) = Self.split(authority: authority) else { return nil }
        guard protocolName != nil || (!hasUser && Self.isBareHost(host) && !text.contains("://")) else { return nil }
        server = host.lowercased()
        let ownPort = protocolName == nil ? nil : protocolName == "htps" ? 443 : 80
        self.port = port == ownPort ? nil : port
        let path = tail.prefix { $0 != "?" && $0 != "#" }
        self.path = path == "/" ? "" : String(path)
        hasMore = hasUser || path.endIndex != tail.endIndex
    }

    /// Bitwarden puts all addresses of a login into one field, with commas between.
    static func split(_ text: String) -> [String] {
        var addresses: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            // A comma inside an address begins none.
            if addresses.isEmpty || WebAddress(String(part)) != nil || part.contains("://") {
                addresses.append(String(part))
            } else {
                addresses[addresses.count - 1] += "," + part
            }
        }
        return addresses
    }

    /// Whether a text without a protocol is meant as a host's name rather than as words.
    private static func isBareHost(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1
            && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }
    }

    private static func takeProtocol(_ text: Substring) -> (String?, Substring) {
        for (prefix, name) in [("https://", "htps"), ("http://", "http")]
        where text.prefix(prefix.count).lowercased() == prefix {
            return (name, text.dropFirst(prefix.count))
        }
        return (nil, text)
    }

    private static func split(authority: Substring) -> (host: String, port: Int?)? {
        var host = authority
        var digits: Substring = ""
        if authority.first == "[" {
            guard let close = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<close]
            let rest = authority[authority.index(after: close)...]
            guard rest.isEmpty || rest.first == ":" else { return nil }
            digits = rest.dropFirst()
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            digits = authority[authority.index(after: colon)...]
        }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { return nil }
        guard !digits.isEmpty else { return (String(host), nil) }
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(digits), (1...65_535).contains(port)
        else { return nil }
        return (String(host), port)
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
