import Envelopes
import Protection
import Secrets
import Wire

/// What the store keeps for itself: passwords in a group that no program reaches.
struct HiddenItems {
    struct Entry {
        var item: Identifier
        var account: String
        var label: String?
        var secret: [UInt8]
    }

    /// The groups of all such items.
    static let groups: Set<String> = [AppRegister.group, KeychainRegister.group, SecurityKeyRegister.group]

    private unowned let store: KeychainStore
    private let group: String
    private let caller: Caller

    init(group: String, in store: KeychainStore) {
        self.store = store
        self.group = group
        caller = Caller(connection: 0, accessGroups: [group])
    }

    func add(
        _ service: String, account: String, class protectionClass: ProtectionClass, label: String? = nil,
        _ content: [UInt8]
    ) throws {
        var attributes = Attributes()
        attributes[.service] = .string(service)
        attributes[.account] = .string(account)
        attributes[.accessGroup] = .string(group)
        attributes[.protectionClass] = .string(protectionClass.code)
        if let label { attributes[.label] = .string(label) }
        let item = ItemAddition(
            kind: ItemKind.password.code, attributes: attributes, secret: try Self.secret(content))
        _ = try store.add(item, caller: caller)
    }

    /// Adds an item, or replaces what it holds: it may have been written by a daemon that was ended before it said so.
    func keep(
        _ service: String, account: String, class protectionClass: ProtectionClass, label: String? = nil,
        _ content: [UInt8]
    ) throws {
        do {
            try add(service, account: account, class: protectionClass, label: label, content)
        } catch let error as KeychainError where error.status == .duplicateItem {
            try replace(service, account, content)
        }
    }

    func replace(_ service: String, _ account: String, _ content: [UInt8]) throws {
        let update = ItemUpdate(
            query: query(service, account), changes: Attributes(), secret: try Self.secret(content))
        try store.update(update, caller: caller)
    }

    /// - Parameter rows: of other items, which go with it or stay with it.
    func remove(_ service: String, _ account: String, withRows rows: [Int64] = []) throws {
        try store.remove(query(service, account), caller: caller, withRows: rows)
    }

    /// What one item holds; nil where there is none.
    func content(_ service: String, _ account: String, class protectionClass: ProtectionClass) throws -> [UInt8]? {
        try entries(service, class: protectionClass).first { $0.account == account }?.secret
    }

    /// Every item of a service.
    ///
    /// Of the class that it was kept in: whoever has the device's files and no passcode can put a row of a class that
    /// is always open in the place of any other.
    func entries(_ service: String, class protectionClass: ProtectionClass) throws -> [Entry] {
        try entries(query(service, nil), protectionClass, beginning: service)
    }

    /// Every item of all services that begin so.
    func entries(beginning service: String, class protectionClass: ProtectionClass) throws -> [Entry] {
        try entries(query(nil, nil), protectionClass, beginning: service)
    }

    /// Lists an item as damaged, though it can be read: what it says is not what this device said.
    func quarantine(_ entry: Entry) throws { try store.table.quarantine(entry.item) }

    private func query(_ service: String?, _ account: String?) -> KeychainQuery {
        var query = KeychainQuery(kind: .password)
        if let service { query.attributes[.service] = .string(service) }
        query.attributes[.accessGroup] = .string(group)
        if let account { query.attributes[.account] = .string(account) }
        return query
    }

    private static func secret(_ bytes: [UInt8]) throws(SecretMemoryError) -> SecretBytes {
        try bytes.withSpan { (span) throws(SecretMemoryError) in try SecretBytes(copying: span) }
    }

    private func entries(
        _ search: KeychainQuery, _ protectionClass: ProtectionClass, beginning service: String
    ) throws -> [Entry] {
        var entries: [Entry] = []
        var damaged: UInt32 = 0
        defer { store.noteDamage(in: group, count: damaged) }
        var query = search
        query.attributes[.protectionClass] = .string(protectionClass.code)
        query.limit = nil
        query.returns = [.attributes, .data]
        query.skipsLocked = true
        repeat {
            var buffer = try SecretBuffer(capacity: 4096)
            var page = try PageWriter(in: &buffer)
            do {
                let end = try store.find(query, caller: caller, into: &page, &buffer)
                damaged += end.damaged
                try page.end(end, in: &buffer)
            } catch let error as KeychainError where error.status == .itemNotFound { return entries }
            query.cursor = try buffer.withBytes { bytes in
                var reader = ByteReader(bytes)
                return try Page(from: &reader) { reference, attributes, secret in
                    guard let attributes, let account = attributes.string(.account),
                        attributes.string(.service)?.hasPrefix(service) == true
                    else { return }
                    entries.append(
                        Entry(
                            item: reference.item, account: account, label: attributes.string(.label),
                            secret: secret?.copyToArray() ?? []))
                }.end.next
            }
        } while query.cursor != 0
        return entries
    }
}
