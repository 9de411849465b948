import Localization

/// A secret that was copied and is to be cleared; what was copied is not in here.
struct CopiedSecret: Equatable, Sendable {
    private let way: ClipboardWay
    /// When it is cleared, in milliseconds of uptime.
    let due: UInt64

    /// Milliseconds after which it is cleared.
    static let time: UInt64 = 45_000

    /// - Parameter now: in milliseconds of uptime.
    init(_ way: ClipboardWay, at now: UInt64) { (self.way, due) = (way, now + Self.time) }

    /// What is told of it.
    var words: String {
        switch way {
        case .desktop: localized("Copied. The clipboard is cleared in 45 s or when you quit; a history of it is not.")
        case .terminal:
            localized(
                "Handed to the terminal, which may not take it. In 45 s it is asked to forget; tmux keeps its buffers.")
        }
    }

    /// What is told when it is cleared.
    var clearedWords: String {
        switch way {
        case .desktop: localized("The clipboard is cleared.")
        case .terminal: localized("The terminal was asked to forget it; whether it did cannot be known.")
        }
    }
}

extension CopyRefusal {
    var words: String {
        switch self {
        case .isNoText: localized("Not copied: this secret is no text. tresor keychain get prints its bytes.")
        case .isTooLong: localized("Not copied: it is too long for a clipboard. tresor keychain get prints it.")
        case .isEmpty: localized("Not copied: the secret is empty.")
        case .failed: localized("Not copied: the clipboard's program could not be started.")
        }
    }
}
