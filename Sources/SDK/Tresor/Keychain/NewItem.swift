import Protection
package import Secrets
import Wire

/// An item that is to be added with others.
package final class NewItem: Sendable {
    let kind: ItemKind
    let attributes: ItemAttributes
    let secret: SecretBytes

    /// - Parameter secret: held until all that come together are added.
    package init(_ kind: ItemKind, _ attributes: ItemAttributes, secret: consuming SecretBytes) {
        self.kind = kind
        self.attributes = attributes
        self.secret = secret
    }
}

extension Keychain {
    /// Adds items, each by itself, and waits for the disk once for those that come together.
    ///
    /// - Parameter items: few enough, and small enough, that all of them fit into locked memory twice.
    /// - Returns: for each whether it was added; false where its primary key is taken.
    /// - Throws: ``TresorError`` for the first that failed otherwise; those before it were added, and those behind it
    ///   may have been.
    package func add(_ items: [NewItem]) throws -> [Bool] {
        try conversation.add(items)
    }
}

extension Conversation {
    fileprivate func add(_ items: [NewItem]) throws -> [Bool] {
        var added: [Bool] = []
        do {
            try transport.exchange(items.count) { number in
                let item = items[number]
                return .add(
                    ItemAddition(
                        kind: item.kind.code, attributes: item.attributes.values, secret: try item.secret.copy()))
            } _: { _, payload in
                var reader = ByteReader(payload)
                do {
                    try reader.expect(.page)
                    added.append(true)
                } catch let error as KeychainError where error.status == .duplicateItem { added.append(false) }
            }
        } catch { throw TresorError.translate(error) }
        return added
    }
}
