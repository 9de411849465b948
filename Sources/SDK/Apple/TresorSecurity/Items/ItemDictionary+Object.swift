import TresorCoreFoundation
import Foundation
import Secrets
import Wire

// Keys, certificates and identities in a dictionary.
extension ItemDictionary {
    /// Whether it is about identities, which the keychain keeps as two items.
    var isIdentity: Bool { kind == .identityClass }

    /// Whether a result holds an object that is made of the item's attributes and data.
    var returnsObjects: Bool {
        guard returns.contains(.reference) else { return false }
        guard let code = kind ?? reference?.kind.code else { return false }
        return isIdentity || code == ItemKind.certificate.code || code == ItemKind.key.code
    }

    /// What the engine has to tell.
    var nativeReturns: KeychainQuery.Returns {
        returnsObjects ? returns.wireForm.union([.attributes, .data]) : returns.wireForm
    }

    /// Takes what an object stands for: its class, its attributes and, in an addition, its data.
    ///
    /// - Throws: `errSecParam` beside another class, data or a persistent reference, and where an attribute contradicts
    ///   the object.
    mutating func settleObject() throws {
        guard let object else { return }
        guard kind == nil || kind == object.kind, secret == nil, reference == nil else {
            throw StatusError(errSecParam)
        }
        kind = object.kind
        try merge(object)
    }

    private mutating func merge(_ object: ItemObject) throws {
        let filed = object.filed
        if let itemKind = ItemKind(code: object.kind) {
            for (code, value) in attributes.sorted where ItemObject.facts.contains(code) {
                guard let type = ItemSchema.entries(of: itemKind)[code]?.type, let known = filed[code] else { continue }
                guard value.converted(to: type)?.comparisonBytes(type) == known.comparisonBytes(type) else {
                    throw StatusError(errSecParam)
                }
            }
        }
        var merged = purpose == .add ? filed : object.name
        merged.merge(attributes)
        attributes = merged
    }

    /// The same for one of an identity's two items.
    ///
    /// - Parameter object: nil where the dictionary has none.
    func part(_ kind: ItemKind, _ object: ItemObject?) throws -> ItemDictionary {
        var part = self
        part.kind = kind.code
        part.object = object
        part.reference = nil
        part.attributes = Attributes()
        let known = ItemSchema.entries(of: kind)
        for (code, value) in attributes.sorted where known[code] != nil { part.attributes[code] = value }
        if let object { try part.merge(object) }
        return part
    }
}
