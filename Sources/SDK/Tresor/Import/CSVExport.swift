import FoundationEssentials
import Localization
import Secrets
import Wire

/// Writes a keychain's passwords as a CSV file in KeePassXC's format, which ``CSVImport`` and most password managers
/// read.
///
/// The file holds every password in the clear. Each goes from locked memory to the output.
///
///     let report = try await CSVExport(keychain).write(to: { bytes in try file.write(bytes) })
///
/// Items that an import made for notes and one-time codes go back into the row of their login.
public struct CSVExport: Sendable {
    private let keychain: Keychain

    /// Exports from this keychain.
    public init(_ keychain: Keychain) { self.keychain = keychain }

    /// What was written.
    public struct Report: Sendable {
        /// How many rows.
        public internal(set) var rows = 0
        /// How many items those rows hold.
        public internal(set) var items = 0
        /// Items that can't be decoded and were left out.
        ///
        /// The keychain keeps them. A login whose note or one-time code is damaged goes out without it, and the other
        /// way round.
        public internal(set) var damaged = 0
        /// Those of the damaged items whose attributes can be read.
        public internal(set) var damagedItems: [Item] = []
        /// Items that open by a finger alone, which nobody was asked for, or whose fingers are enrolled no more; they
        /// were left out.
        ///
        /// The keychain keeps them.
        public internal(set) var fingers = 0
        /// Items with a password of their own, for which the context asks nobody; they were left out.
        ///
        /// The keychain keeps them.
        public internal(set) var ownPasswords = 0
        /// How many items have an attribute for which the format has no place.
        public internal(set) var leftOut: [String: Int] = [:]
    }

    /// By their whole names: a person may well have a password at tresor.example.
    private static let ownServices: Set<String> = ["tresor.profile", "tresor.developer", "tresor.notes.passphrase"]

    /// What describes an item: a note and a Wi-Fi are known by it.
    static let kindColumn = "Kind"
    /// The service of an item whose title is another.
    static let serviceColumn = "Service"
    /// KeePassXC's, and ours behind them: programs that read its exports pass over columns that they do not know.
    static let columns = [
        "Group", "Title", "Username", "Password", "URL", "Notes", "TOTP", "Icon", "Last Modified", "Created",
        kindColumn, serviceColumn,
    ]

    /// Writes all passwords and internet passwords.
    ///
    /// - Parameters:
    ///   - context: asks the owner for each item that demands it; items with a password of their own are left out
    ///     where it asks for none.
    ///   - progress: gets the number of items done and of all items.
    ///   - output: takes the bytes, a field at a time, and must not keep them.
    /// - Returns: what was written.
    /// - Throws: ``TresorError``: `locked` at the first item that the lock state shuts; whatever `output` throws.
    public func write(
        context: AuthenticationContext? = nil, progress: (Int, Int) -> Void = { _, _ in },
        to output: (RawSpan) throws -> Void
    ) async throws -> Report {
        var report = Report()
        var rows = CSVExportRows()
        for kind in [ItemKind.password, .internetPassword] {
            var items = keychain.items(ItemQuery(kind)).makeAsyncIterator()
            while let item = try await items.next() {
                // Records of profiles, developers' keys, a passphrase behind a finger: no other program has a use for
                // them.
                if kind == .password, let service = item.service, Self.ownServices.contains(service) {
                    report.leftOut[marked("Tresor's own records"), default: 0] += 1
                } else if item.accessControl.contains(.applicationPassword), context?.itemPassword == nil {
                    // Before the owner is asked for a passcode that would not do.
                    report.ownPasswords += 1
                } else {
                    rows.add(item)
                }
            }
            report.damaged += items.damagedCount
        }
        let header = try await encoded(Self.columns.map { .text($0) }, context)
        try header.withBytes { try output($0) }
        for row in rows.paired() {
            try await write(row, context, &report, to: output)
            progress(report.items, rows.items.count)
        }
        return report
    }

    /// Writes a row as a whole, or without the items in it that cannot be read.
    private func write(
        _ row: CSVExportRow, _ context: AuthenticationContext?, _ report: inout Report,
        to output: (RawSpan) throws -> Void
    ) async throws {
        do {
            let bytes = try await encoded(row.cells, context)
            try bytes.withBytes { try output($0) }
            report.count(row)
        } catch let error as TresorError where Loss(error) != nil {
            guard row.notes != nil || row.oneTimeCode != nil else { return report.count(Loss(error), of: row.item) }
            try await writeApart(row, context, &report, to: output)
        }
    }

    /// What can be read of a row whose items cannot all be.
    private func writeApart(
        _ row: CSVExportRow, _ context: AuthenticationContext?, _ report: inout Report,
        to output: (RawSpan) throws -> Void
    ) async throws {
        var lost: Set<PersistentReference> = []
        for item in [row.item, row.notes, row.oneTimeCode].compactMap(\.self) {
            do { _ = try await keychain.read(ItemQuery(item.reference), context: context) } catch let error
                as TresorError
            {
                guard let loss = Loss(error) else { throw error }
                lost.insert(item.reference)
                report.count(loss, of: item)
            }
        }
        var rest = row
        rest.notes = row.notes.flatMap { lost.contains($0.reference) ? nil : $0 }
        rest.oneTimeCode = row.oneTimeCode.flatMap { lost.contains($0.reference) ? nil : $0 }
        let alone = [rest.notes, rest.oneTimeCode].compactMap(\.self).map { CSVExportRow($0) }
        for row in lost.contains(row.item.reference) ? alone : [rest] {
            do {
                let bytes = try await encoded(row.cells, context)
                try bytes.withBytes { try output($0) }
                report.count(row)
            } catch let error as TresorError {
                // Deleted, or damaged, since it was read.
                guard let loss = Loss(error) else { throw error }
                report.count(loss, of: row.item)
            }
        }
    }

    /// Why an item is left out, and no failure of the export.
    fileprivate enum Loss {
        case damaged, finger
        /// Deleted since the export began.
        case deleted

        init?(_ error: TresorError) {
            if error.code == .damaged {
                self = .damaged
            } else if error.code == .notFound {
                self = .deleted
            } else if error.cause == "enrolmentChanged" || error.cause == Keychain.fingerDemanded {
                self = .finger
            } else {
                return nil
            }
        }
    }

    private func encoded(
        _ row: [CSVExportRow.Cell], _ context: AuthenticationContext?
    ) async throws -> SecretBytes {
        var line = try SecretBuffer(capacity: 512)
        for (position, cell) in row.enumerated() {
            let end = UInt8(ascii: position == row.count - 1 ? "\n" : ",")
            switch cell {
            case .text(let text): try Array(text.utf8).withSpan { try Self.append($0, end, to: &line) }
            case .secret(let reference):
                let secret = try await keychain.read(ItemQuery(reference), context: context)
                try secret.withBytes { try Self.append($0, end, to: &line) }
            }
        }
        return line.finish()
    }

    /// Writes a field as RFC 4180 wants it: in quotes, with those inside doubled.
    private static func append(
        _ field: RawSpan, _ end: UInt8, to line: inout SecretBuffer
    ) throws(SecretMemoryError) {
        let quote = UInt8(ascii: "\"")
        try line.append(byte: quote)
        for offset in 0..<field.byteCount {
            let byte = field.byte(at: offset)
            if byte == quote { try line.append(byte: quote) }
            try line.append(byte: byte)
        }
        try line.append(byte: quote)
        try line.append(byte: end)
    }
}

extension CSVExport.Report {
    fileprivate mutating func count(_ loss: CSVExport.Loss?, of item: Item) {
        switch loss {
        case .damaged:
            damaged += 1
            damagedItems.append(item)
        case .finger: fingers += 1
        case .deleted, nil: break
        }
    }

    mutating func count(_ row: CSVExportRow) {
        rows += 1
        items += 1 + (row.notes == nil ? 0 : 1) + (row.oneTimeCode == nil ? 0 : 1)
        for name in row.leftOut { leftOut[name, default: 0] += 1 }
    }
}

/// The items to export, and which of them belong into one row.
struct CSVExportRows {
    private(set) var items: [Item] = []
    /// Items that hold a part of a login, by that part, their service and their account.
    private var parts: [Part: Item] = [:]

    private struct Part: Hashable {
        let part: CSVPart
        let service: String
        let account: String
    }

    mutating func add(_ item: Item) {
        items.append(item)
        if let part = Self.part(of: item) {
            parts[Part(part: part, service: item.service ?? "", account: item.account ?? "")] = item
        }
    }

    /// What an import made beside a login; nil for everything else.
    private static func part(of item: Item) -> CSVPart? {
        guard item.kind == .password, item.comment == nil else { return nil }
        return [CSVPart.notes, .oneTimeCode].first {
            item.itemDescription == $0.name && $0.isService(item.service ?? "")
        }
    }

    /// The rows: each part stands in the first row whose title and account are its own, or else alone.
    func paired() -> [CSVExportRow] {
        var rows: [CSVExportRow] = []
        var paired: Set<PersistentReference> = []
        for item in items where Self.part(of: item) == nil {
            var row = CSVExportRow(item)
            if !row.isSecureNote { row.notes = take(.notes, row, &paired) }
            row.oneTimeCode = take(.oneTimeCode, row, &paired)
            rows.append(row)
        }
        let alone = items.filter { Self.part(of: $0) != nil && !paired.contains($0.reference) }
        return rows + alone.map { CSVExportRow($0) }
    }

    private func take(_ part: CSVPart, _ row: CSVExportRow, _ paired: inout Set<PersistentReference>) -> Item? {
        let key = Part(
            part: part, service: part.service(beside: row.title, at: row.item.server ?? ""),
            account: row.item.account ?? "")
        guard let item = parts[key], paired.insert(item.reference).inserted else { return nil }
        return item
    }
}

/// One row of an export: an item, and what goes with it.
struct CSVExportRow {
    let item: Item
    var notes: Item?
    var oneTimeCode: Item?

    init(_ item: Item) { self.item = item }

    enum Cell {
        case text(String)
        /// The secret of this item.
        case secret(PersistentReference)
    }

    /// What identifies the item comes first, so that an import finds the same primary key.
    ///
    /// The service of a Wi-Fi names none: all of them have one, which stands in a column of its own.
    var title: String {
        let names = item.wifiNetwork.map { [item.label, $0] } ?? plainNames
        return names.compactMap { $0 }.first { !$0.isEmpty } ?? ""
    }

    private var plainNames: [String?] {
        item.kind == .password ? [item.service, item.label] : [item.label, item.server]
    }

    /// What describes the item; Apple's programs know a note by its type alone.
    private var kind: String {
        let description = item.itemDescription ?? ""
        let isNote = item.attributes.number(.type) == CSVEntry.noteType
        return description.isEmpty && isNote ? CSVEntry.secureNote : description
    }

    var isSecureNote: Bool {
        item.kind == .password && kind == CSVEntry.secureNote && (item.account ?? "").isEmpty
    }

    var cells: [Cell] {
        let secret = Cell.secret(item.reference)
        return [
            .text(item.comment ?? ""), .text(title), .text(item.account ?? ""),
            isSecureNote ? .text("") : secret, .text(address),
            isSecureNote ? secret : cell(notes), cell(oneTimeCode),
            .text("0"), .text(Self.time(item.modified)), .text(Self.time(item.created)), .text(kind),
            .text(item.wifiNetwork == nil ? "" : item.service ?? ""),
        ]
    }

    /// What an import of this row would not bring back.
    var leftOut: [String] {
        let isPlain = item.protocolName == nil || item.protocolName == "htps" || item.protocolName == "http"
        let label = item.label ?? ""
        return [
            label.isEmpty || label == title ? nil : marked("label"),
            isPlain ? nil : marked("protocol"),
            (item.attributes.string(.securityDomain) ?? "").isEmpty ? nil : marked("realm"),
            item.protectionClass == nil || item.protectionClass == .whenUnlocked ? nil : marked("class"),
            item.accessControl.rawValue == 0 ? nil : marked("access control"),
            item.isSynchronizable ? marked("synchronizable") : nil,
        ].compactMap { $0 }
    }

    private func cell(_ item: Item?) -> Cell { item.map { .secret($0.reference) } ?? .text("") }

    private var address: String {
        guard item.kind == .internetPassword, let server = item.server, !server.isEmpty else { return "" }
        let host = server.contains(":") ? "[\(server)]" : server
        let port = item.port.map { $0 == 0 ? "" : ":\($0)" } ?? ""
        let path = item.path ?? ""
        return scheme + host + port + (path.isEmpty || path.hasPrefix("/") ? path : "/" + path)
    }

    private var scheme: String {
        switch item.protocolName {
        case .none, "", "0": ""
        case "htps": "https://"
        case .some(let name): name.filter { $0 != " " } + "://"
        }
    }

    private static func time(_ date: Date?) -> String { date.map { $0.formatted(.iso8601) } ?? "" }
}
