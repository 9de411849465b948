import FoundationEssentials
import Linux
import Secrets
import Wire

/// What of a form waits for the unlock: what was typed and chosen in it, and of the item itself its reference alone.
///
/// A secret is never in here: a lock wipes it, and it is typed anew.
struct HeldForm: Codable, Equatable, Sendable {
    /// The reference of the item that is changed; nil for a new one.
    var target: [UInt8]?
    /// The keychain in which a new item shall lie; nil for the one that is always there.
    var keychain: String?
    /// What stands in the lines that differ from the item's, by the names of their fields.
    var texts: [String: String] = [:]
    var kind = ItemForm.NewKind.password
    var isKindChosen = false
    /// The code of the class that was chosen; nil where it is the item's.
    var protectionClass: String?
    var secret = Draft.Secret.kept
    /// The field at which it was left.
    var field: String

    var reference: PersistentReference? { target.flatMap { PersistentReference(bytes: $0) } }

    /// The same in locked memory, which no other memory has a copy of once this value is gone.
    func held() throws -> SecretBytes {
        try Array(try JSONEncoder().encode(self)).withSpan { try SecretBytes(copying: $0) }
    }

    init(_ target: PersistentReference?, at field: String) { (self.target, self.field) = (target?.bytes, field) }

    /// What was held.
    init(_ held: borrowing SecretBytes) throws {
        self = try JSONDecoder().decode(HeldForm.self, from: Data(held.withBytes { $0.copyToArray() }))
    }
}

/// What a lock has left of a form that was open.
enum WaitingForm: Equatable, Sendable {
    case none
    /// The driver holds what was typed.
    case held
    /// It could not be held.
    case dropped
}
