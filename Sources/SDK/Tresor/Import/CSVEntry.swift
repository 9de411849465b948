import Localization
import Secrets
package import Wire

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
    /// Of the login that the row is about; empty for none.
    let server: String
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

extension CSVItem {
    /// The same part, of the login of another label.
    func named(after label: String) -> CSVItem {
        guard part != .entry else { return self }
        var attributes = attributes
        attributes.service = part.service(beside: label, at: server)
        attributes.label = attributes.service
        return CSVItem(
            row: row, line: line, part: part, kind: kind, server: server, attributes: attributes, secret: secret)
    }
}

/// What one row says.
package struct CSVEntry: Sendable {
    /// All texts of an item together must stay below what the keychain takes for its attributes.
    package static let textLimit = 8 * 1024
    /// Of one secret.
    package static let secretLimit = StreamFrame.keychainLimit - 128 * 1024
    static let secureNote = "secure note"
    /// Apple's type of secure notes: the letters `note`.
    static let noteType: Int64 = 0x6E6F_7465

    let row: CSVRow
    /// What people call it.
    package var title = ""
    /// The first of its addresses.
    package var address = ""
    /// Whether all of the address stands elsewhere, where an item has no attribute for a part of it.
    package var isAddressKept = false
    /// The account's name.
    package var username = ""
    /// Where it lay.
    package var folder = ""
    var realm = ""
    /// `login`, `note`, or nothing.
    package var type = ""
    /// What describes the item, where an export of ours says it: what a note or a Wi-Fi is known by.
    var kind = ""
    /// Under which service it is filed, where that is not its title.
    var service = ""
    /// Where the password lies; nil for none, as below.
    package var password: CSVField?
    /// Where the notes lie.
    package var notes: CSVField?
    /// Whether there is nothing but white space in the notes.
    var hasBlankNotes = false
    /// Where that lies which one-time codes are made from.
    package var oneTimeCode: CSVField?
    /// Where the further fields lie, a line for each.
    package var customFields: CSVField?
    /// The columns of this row whose content no item carries.
    package var leftOut: [String] = []

    init(row: CSVRow) { self.row = row }

    /// An entry of a file without rows.
    ///
    /// - Parameters:
    ///   - number: of the entry; the first is 1.
    ///   - line: on which it begins, from 1.
    package init(number: Int, line: Int) { self.init(row: CSVRow(number: number, line: line, fields: [])) }

    /// Which of several addresses counts: the first of the web, or else the first of any kind; nil where there is none.
    package static func mainAddress(of addresses: [String]) -> Int? {
        addresses.firstIndex { WebAddress($0) != nil } ?? addresses.indices.first
    }

    mutating func take(addresses: [String]) {
        address = Self.mainAddress(of: addresses).map { addresses[$0] } ?? ""
        leftOut += Array(repeating: marked("further addresses"), count: addresses.isEmpty ? 0 : addresses.count - 1)
    }

    /// The items of this row: the login or secure note first, then what has no place in it.
    ///
    /// - Throws: ``CSVError`` when nothing names the row, or its type is unknown.
    package mutating func items() throws(CSVError) -> [CSVItem] {
        let type = type.lowercased()
        guard ["", "login", "note"].contains(type) else { throw CSVError(row, .unknownType) }
        var first = try attributes()
        let isOther = kind != "" && kind != Self.secureNote
        let isNote =
            password == nil && username.isEmpty && address.isEmpty && !isOther && (notes != nil || type == "note")
        describe(&first.attributes, isNote: isNote)
        let label = first.attributes.label ?? ""
        let server = first.attributes.server ?? ""
        func item(
            _ part: CSVPart, _ kind: ItemKind, _ attributes: ItemAttributes, _ secret: CSVField?
        ) -> CSVItem {
            CSVItem(
                row: row.number, line: row.line, part: part, kind: kind, server: server, attributes: attributes,
                secret: secret)
        }
        // A login needs no item beside it that says nothing; of a secure note this is all that there is.
        if hasBlankNotes && !isNote { leftOut.append(marked("blank notes")) }
        let notesBeside = isNote || hasBlankNotes ? nil : notes
        var items = [item(.entry, first.kind, first.attributes, isNote ? notes : password)]
        for (part, secret) in [
            (CSVPart.notes, notesBeside), (.oneTimeCode, oneTimeCode), (.customFields, customFields),
        ] {
            guard let secret else { continue }
            items.append(item(part, .password, apart(part, label, server), secret))
        }
        return items
    }

    /// Says what kind of item it is, by the words of the keychain that it comes from where there are some.
    private func describe(_ attributes: inout ItemAttributes, isNote: Bool) {
        attributes.itemDescription = kind.nonEmpty ?? (isNote ? Self.secureNote : nil)
        if kind == Self.secureNote { attributes.values[.type] = .number(Self.noteType) }
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
        if web.hasMore && !isAddressKept { leftOut.append(marked("user, query or fragment of the address")) }
        return (.internetPassword, attributes)
    }

    private mutating func passwordAttributes() throws(CSVError) -> ItemAttributes {
        guard let name = [title, address, username].first(where: { !$0.isEmpty }) else {
            throw CSVError(row, .nameless)
        }
        var attributes = ItemAttributes()
        attributes.service = service.nonEmpty ?? name
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

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
