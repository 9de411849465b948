import Localization

/// A key that does nothing where it was pressed.
package enum DeadKey {
    /// What is typed is called so: a letter by itself, and one with Ctrl by both.
    ///
    /// - Returns: nil for keys that move or edit, of which nobody need be told that there is nowhere to go.
    package static func name(_ key: Key) -> String? {
        switch key {
        case .text(let text) where text.contains { !$0.isWhitespace }: SafeText.line(text)
        case .control(let letter): localized("Ctrl+\(letter.uppercased())")
        default: nil
        }
    }

    /// That it does nothing, and which key tells those that do something.
    ///
    /// - Parameters:
    ///   - isTyping: whether `?` is a letter there, so that F1 opens the help.
    /// - Returns: nil for keys that have no ``name(_:)``.
    package static func words(_ key: Key, isTyping: Bool = false) -> String? {
        guard let name = name(key) else { return nil }
        return isTyping
            ? localized("'\(name)' does nothing here; F1 for help")
            : localized("'\(name)' does nothing here; ? for help")
    }
}
