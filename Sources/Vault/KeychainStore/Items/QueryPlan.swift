import Protection
import SQLite
import Secrets
import Wire

/// A query that was checked: what to look for, and how.
struct QueryPlan {
    /// Nil where a persistent reference names the item.
    var kind: ItemKind?
    var reference: PersistentReference?
    /// What each match must have, by ascending code.
    var expectations: [Attributes.Expectation]
    /// The attributes that the blind index knows.
    var indexed: [(entry: ItemSchema.Entry, value: AttributeValue)]
    /// All of the query's attributes, converted, for the primary tag.
    var attributes: Attributes
    /// Whether the tags alone decide: then a row that is locked is known to match.
    var isDecidedByTags: Bool
    var protectionClass: ProtectionClass?
    /// Nil for any.
    var synchronizable: Bool?
    /// The groups that may be searched; one, where the query names it.
    var groups: [String]
    var keychain: KeychainScope
    var wantsTombstones: Bool
    var skipsAccessControlled: Bool

    /// What the query is for: the calls take different parameters.
    enum Purpose { case find, update, remove }

    /// - Throws: `KeychainError` with the documented status.
    init(_ query: KeychainQuery, for purpose: Purpose, caller: Caller) throws {
        try Self.checkParameters(query, purpose)
        reference = query.persistentReference
        wantsTombstones = purpose == .find && query.usesTombstones == true
        skipsAccessControlled = query.skipsAccessControlled
        var given = query.attributes
        if reference != nil {
            // The tolerant profile drops `sync` beside a reference; anything else is one parameter too many.
            if query.profile == .tolerant {
                given[.synchronizable] = nil
                given[.modificationDate] = nil
            }
            guard given.isEmpty, query.kind == nil || query.kind == reference?.kind.code else {
                throw KeychainError(.parameter)
            }
            guard !caller.accessGroups.isEmpty else { throw KeychainError(.itemNotFound) }
            (expectations, indexed, attributes) = ([], [], Attributes())
            keychain = .any
            (isDecidedByTags, groups) = (true, caller.accessGroups)
            return
        }
        guard let code = query.kind else { throw KeychainError(.parameter) }
        guard let kind = ItemKind(code: code) else { throw KeychainError(.noSuchClass) }
        self.kind = kind
        if query.profile == .tolerant { given[.modificationDate] = nil }
        var attributes = try Self.convert(given, kind)
        protectionClass = try Self.takeClass(&attributes)
        synchronizable = query.matchesAnySynchronizable ? nil : attributes.number(.synchronizable) == 1
        attributes[.synchronizable] = nil
        groups = try Self.groups(attributes, caller)
        keychain = KeychainScope(attributes.string(.keychain))
        // What is always there has no name in the index.
        if keychain == .login { attributes[.keychain] = nil }
        self.attributes = attributes
        (expectations, indexed, isDecidedByTags) = Self.expectations(attributes, kind)
        if keychain == .login { isDecidedByTags = false }
    }

    /// Everything that a caller reaches.
    init(allOf caller: Caller) {
        (expectations, indexed, attributes) = ([], [], Attributes())
        groups = caller.accessGroups
        keychain = .any
        (isDecidedByTags, wantsTombstones, skipsAccessControlled) = (true, false, false)
    }

    private static func checkParameters(_ query: KeychainQuery, _ purpose: Purpose) throws {
        guard query.profile == .strict || purpose == .find || !query.skipsAccessControlled else {
            throw KeychainError(.parameter)
        }
        if query.skipsAccessControlled && purpose != .find { throw KeychainError(.parameter) }
        if query.profile == .strict && purpose != .find {
            guard !query.hasLimit, purpose == .remove || query.returns == [] else { throw KeychainError(.parameter) }
        }
        guard query.attributes[.clip] == nil else { throw KeychainError(.parameter) }
    }

    /// Every attribute must be one of the kind's, with a value that its type takes.
    static func convert(_ given: Attributes, _ kind: ItemKind) throws -> Attributes {
        guard given[.clip] == nil else { throw KeychainError(.parameter) }
        let entries = ItemSchema.entries(of: kind)
        var converted = Attributes()
        for (code, value) in given.sorted where code != .noLegacy {
            guard let entry = entries[code] else { throw KeychainError(.noSuchAttribute) }
            guard let value = value.converted(to: entry.type) else { throw KeychainError(.parameter) }
            converted[code] = value
        }
        return converted
    }

    private static func takeClass(_ attributes: inout Attributes) throws -> ProtectionClass? {
        guard let code = attributes.string(.protectionClass) else { return nil }
        attributes[.protectionClass] = nil
        guard let protectionClass = ProtectionClass(code: code) else { throw KeychainError(.parameter) }
        return protectionClass
    }

    /// An explicit foreign group is refused; without one, only the caller's are searched.
    private static func groups(_ attributes: Attributes, _ caller: Caller) throws -> [String] {
        guard let group = attributes.string(.accessGroup) else { return caller.accessGroups }
        guard caller.accessGroups.contains(group) else { throw KeychainError(.missingEntitlement) }
        return [group]
    }

    private static func expectations(
        _ attributes: Attributes, _ kind: ItemKind
    ) -> ([Attributes.Expectation], [(entry: ItemSchema.Entry, value: AttributeValue)], Bool) {
        let entries = ItemSchema.entries(of: kind)
        var expectations: [Attributes.Expectation] = []
        var indexed: [(entry: ItemSchema.Entry, value: AttributeValue)] = []
        var decided = true
        for (code, value) in attributes.sorted {
            guard let entry = entries[code] else { continue }
            expectations.append(
                Attributes.Expectation(code, value, type: entry.type, defaultValue: entry.keyDefault))
            if entry.isIndexed {
                indexed.append((entry: entry, value: value))
            } else if code != .accessGroup {
                decided = false
            }
        }
        return (expectations, indexed, decided)
    }
}

// The rows that a plan may mean.
extension QueryPlan {
    /// - Parameters:
    ///   - index: whose tags are searched; nil searches by kind alone.
    ///   - after: rows up to this id are behind the caller.
    func candidates(
        in database: Database, index: IndexKey?, after: Int64, count: Int, withSecret: Bool, storeID: Identifier
    ) throws -> [ItemRow] {
        var sql = "SELECT \(withSecret ? ItemRow.secretColumns : ItemRow.columns) FROM item WHERE item.id > ?"
        var arguments: [any DatabaseValueConvertible] = [after]
        if let reference {
            sql += " AND uuid = ? AND kind = ?"
            arguments.append(reference.item.bytes)
            arguments.append(Int(reference.kind.rawValue))
        }
        if let kind {
            sql += " AND kind = ?"
            arguments.append(Int(kind.rawValue))
            if let index, !indexed.isEmpty {
                let searches = indexed.map { _ in "SELECT item FROM tag WHERE tag = ?" }
                sql += " AND item.id IN (\(searches.joined(separator: " INTERSECT ")))"
                for search in indexed { arguments.append(index.attributeTag(kind, search.entry, search.value)) }
            }
        }
        if index?.isForAlwaysRows == true { sql += " AND always_tag IS NOT NULL" }
        if let protectionClass {
            sql += " AND class = ?"
            arguments.append(Int(protectionClass.rawValue))
        }
        if let synchronizable {
            sql += " AND sync = ?"
            arguments.append(synchronizable)
        }
        sql += wantsTombstones ? " AND tombstone <> 2" : " AND tombstone = 0"
        do {
            let statement = try database.cachedStatement(sql + " ORDER BY item.id LIMIT ?")
            return try statement.rows(arguments + [count]).map { ItemRow($0, storeID: storeID) }
        } catch let error as DatabaseError where error.isOfPage {
            return try candidates(one: sql + " AND item.id = ?", arguments, in: database, after, count, storeID)
        }
    }

    /// The same, row by row: one that stands on a page that cannot be read stands for itself, and opens as damaged.
    private func candidates(
        one sql: String, _ arguments: [any DatabaseValueConvertible], in database: Database, _ after: Int64,
        _ count: Int, _ storeID: Identifier
    ) throws -> [ItemRow] {
        var found: [ItemRow] = []
        var last = after
        while found.count < count {
            // The index has the ids, also of rows on other pages.
            let ids = try database.rows(
                "SELECT id FROM item INDEXED BY item_class WHERE id > ? ORDER BY id LIMIT 256", [last]
            ).compactMap { $0.integer(0) }
            guard !ids.isEmpty else { break }
            for id in ids where found.count < count {
                last = id
                do {
                    let row = try database.row(sql, arguments + [id])
                    if let row { found.append(ItemRow(row, storeID: storeID)) }
                } catch let error as DatabaseError where error.isOfPage {
                    found.append(ItemRow(lost: id, kind: kind, storeID: storeID))
                }
            }
        }
        return found
    }

    /// The rows with the query's whole primary key.
    ///
    /// What the query leaves out of the key stands at its default, so an item with an account is found only where the
    /// query names the account.
    ///
    /// One on a page that cannot be read is left to the search by attributes, which tells of it or opens its copy.
    ///
    /// - Parameter tags: of that key in each group of each keychain; the rows come in their order.
    func exactRows(in database: Database, tags: [[UInt8]], isAlways: Bool, storeID: Identifier) throws -> [ItemRow] {
        let column = isAlways ? "always_tag" : "primary_tag"
        let statement = try database.cachedStatement(
            "SELECT \(ItemRow.secretColumns) FROM item WHERE \(column) = ? AND tombstone = 0")
        var found: [ItemRow] = []
        for tag in tags {
            do {
                guard let row = try statement.row([tag]) else { continue }
                found.append(ItemRow(row, storeID: storeID))
            } catch let error as DatabaseError where error.isOfPage { continue }
        }
        return found.filter { protectionClass == nil || $0.protectionClass == protectionClass }
    }

    /// The query as a primary key in a group of a keychain.
    ///
    /// "Any" begins with local items.
    ///
    /// - Parameter keychain: nil for `login`.
    func primaryKey(in group: String, of keychain: String?) -> Attributes {
        var key = attributes
        key[.accessGroup] = .string(group)
        key[.keychain] = keychain.map { .string($0) }
        key[.synchronizable] = .number(synchronizable == true ? 1 : 0)
        return key
    }
}
