import Localization

/// What is done to one note.
enum PlainDeed: String, Sendable {
    case open, edit, pin, lock, unlock, delete, copy

    /// Whether it changes something, so that a name in part is not enough for it.
    var isChange: Bool { self == .pin || self == .lock || self == .delete }

    /// Whether it needs the text, and so the passphrase of a locked note.
    var showsText: Bool { self == .open || self == .edit || self == .copy }

    /// What is asked then.
    var question: String {
        switch self {
        case .pin: localized("Pin this one, or unpin it?")
        case .lock: localized("Change the lock of this one?")
        case .delete: localized("Delete this one?")
        case .open, .edit, .unlock, .copy: ""
        }
    }
}
