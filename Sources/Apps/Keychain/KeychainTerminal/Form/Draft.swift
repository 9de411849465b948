import Localization
import Protection
import Wire

/// An item that is to be added or changed; a secret that is typed is never in here.
struct Draft: Equatable, Sendable {
    /// Where the secret comes from.
    enum Secret: String, CaseIterable, Codable, Sendable {
        /// It stays as it is.
        case kept
        /// It is typed, twice.
        case typed
        /// It is made by the rules of its site, or else as Apple's devices make them.
        case made
        /// It is made of words.
        case words

        var name: String {
            switch self {
            case .kept: localized("stays as it is")
            case .typed: localized("typed, with dots")
            case .made: localized("generated")
            case .words: localized("generated, six words")
            }
        }
    }

    /// The item that is changed; nil for one that is added.
    var target: PersistentReference?
    let kind: ItemKind
    /// All of a new item's, or those that shall be different.
    var attributes = Attributes()
    var secret = Secret.kept
    /// The host whose rules hold for a password that is made; empty for none.
    var host = ""
    /// What the item demands before it is changed.
    var control: AccessControl = []
}
