import Tresor

/// An element of an array that `--json` prints, which may have elements of several kinds.
struct JSONElement: Encodable {
    private let write: (any Encoder) throws -> Void

    init(_ element: some Encodable) { write = element.encode }

    func encode(to encoder: any Encoder) throws { try write(encoder) }

    /// Items that cannot be read: of each its kind alone is known, where the list is of one.
    static func damagedItems(_ count: Int, kind: ItemKind? = nil) -> [JSONElement] {
        struct Damaged: Encodable {
            let kind: String?
            let damage = ["item"]
        }
        return (0..<count).map { _ in JSONElement(Damaged(kind: kind?.name)) }
    }
}
