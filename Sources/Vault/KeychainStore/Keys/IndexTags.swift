import Envelopes
import Secrets
import Wire

/// The tags under which a row is found.
///
/// See specs/blind-index.md.
struct RowTags: Equatable {
    var primary: [UInt8]
    /// The primary tag under the index key of class Always, for rows of that class.
    var alwaysPrimary: [UInt8]?
    var attributes: [[UInt8]]
}

/// One index key, and the store that it serves.
struct IndexKey {
    let key: CachedKey
    let storeID: Identifier
    /// Whether it is the key of class dk, under which only rows of class Always have tags.
    let isForAlwaysRows: Bool

    /// - Parameter attributes: of a whole item; what its primary key lacks is filled with the documented defaults.
    func primaryTag(_ kind: ItemKind, _ attributes: Attributes) -> [UInt8] {
        BlindIndex.tag(of: primaryMessage(kind, attributes), under: key.bytes)
    }

    private func primaryMessage(_ kind: ItemKind, _ attributes: Attributes) -> [UInt8] {
        var message = prefix("tresor index primary v1", kind)
        for entry in ItemSchema.primaryKey(of: kind) {
            let value = attributes[entry.code] ?? entry.keyDefault ?? .string("")
            message.uint32(entry.code.rawValue)
            message.field(value.comparisonBytes(entry.type))
        }
        // An item of the keychain that was always there has the key that it always had.
        if let name = attributes.string(.keychain) {
            message.uint32(AttributeCode.keychain.rawValue)
            message.field(AttributeValue.string(name).comparisonBytes(.string))
        }
        return message.bytes
    }

    func attributeTag(_ kind: ItemKind, _ entry: ItemSchema.Entry, _ value: AttributeValue) -> [UInt8] {
        BlindIndex.tag(of: attributeMessage(kind, entry, value), under: key.bytes)
    }

    private func attributeMessage(_ kind: ItemKind, _ entry: ItemSchema.Entry, _ value: AttributeValue) -> [UInt8] {
        var message = prefix("tresor index attribute v1", kind)
        message.uint32(entry.code.rawValue)
        message.field(value.comparisonBytes(entry.type))
        return message.bytes
    }

    /// All tags of a whole item, the primary one first.
    func tags(_ kind: ItemKind, _ attributes: Attributes) -> [[UInt8]] {
        var messages = [primaryMessage(kind, attributes)]
        // What an item lacks is found only where its absence means a default.
        for entry in ItemSchema.entries(of: kind).values where entry.isIndexed {
            guard let value = attributes[entry.code] ?? entry.keyDefault else { continue }
            messages.append(attributeMessage(kind, entry, value))
        }
        messages.append(groupMessage(kind, attributes.string(.accessGroup) ?? ""))
        return BlindIndex.tags(of: messages, under: key.bytes)
    }

    /// No search goes by it, since a group has many rows: it says of a row that is shut whose it is.
    func groupTag(_ kind: ItemKind, _ group: String) -> [UInt8] {
        BlindIndex.tag(of: groupMessage(kind, group), under: key.bytes)
    }

    private func groupMessage(_ kind: ItemKind, _ group: String) -> [UInt8] {
        var message = prefix("tresor index attribute v1", kind)
        message.uint32(AttributeCode.accessGroup.rawValue)
        message.field(AttributeValue.string(group).comparisonBytes(.string))
        return message.bytes
    }

    private func prefix(_ purpose: String, _ kind: ItemKind) -> ByteWriter {
        var writer = ByteWriter()
        writer.field(purpose)
        writer.identifier(storeID)
        writer.uint8(kind.rawValue)
        return writer
    }
}
