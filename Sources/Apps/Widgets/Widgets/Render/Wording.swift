/// The words that renderers add of their own: they say to everybody, screen readers among them, why something is
/// missing.
enum Wording {
    /// In place of what is masked.
    static let hidden = "hidden"

    /// Stands behind the widget's name.
    static func suffix(_ state: Frame.State) -> String {
        switch state {
        case .shown: ""
        case .redacted: ", hidden"
        case .placeholder: ", locked"
        case .unavailable: ", not available here"
        case .waiting: ", nothing yet"
        }
    }

    /// "Notes", "Notes, hidden", "Notes, locked", "Notes, nothing yet" or "Notes, not available here".
    static func title(_ frame: Frame) -> String {
        DisplayText.isolated(DisplayText.clean(frame.displayName)) + suffix(frame.state)
    }
}

/// Where a click may lead from a page or a terminal.
enum SafeLink {
    /// The URL as it may stand in an attribute or an escape sequence: http, https or tresor, in printable ASCII.
    ///
    /// - Returns: nil for any other, `javascript:` and `file:` among them.
    static func url(_ text: String) -> String? {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy(isOfURL) else { return nil }
        let scheme = text.prefix { $0 != ":" }
        guard scheme.utf8.count < text.utf8.count, allows(scheme.lowercased()) else { return nil }
        return text
    }

    private static func allows(_ scheme: String) -> Bool {
        scheme == "http" || scheme == "https" || scheme == "tresor"
    }

    /// RFC 3986, section 2, without what an attribute would have to escape but for the ampersand.
    private static func isOfURL(_ byte: UInt8) -> Bool {
        switch byte {
        // " ' < > \ ^ ` { | }
        case 0x22, 0x27, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0x7D: false
        default: byte > 0x20 && byte < 0x7F
        }
    }
}
