/// The words that renderers add of their own: they say to everybody, screen readers among them, why something is
/// missing.
///
/// English, unless whoever shows a frame gives it other ones: the kit itself knows no languages.
public struct Wording: Equatable, Sendable {
    /// In place of what is masked.
    public var hidden: String
    /// Behind the name of a widget of which something is masked.
    public var redacted: String
    /// Behind the name of one that is locked.
    public var placeholder: String
    /// Behind the name of one that is not to be had here.
    public var unavailable: String
    /// Behind the name of one that has nothing yet.
    public var waiting: String
    /// What a toggle is that is on.
    public var on: String
    /// What a toggle is that is off.
    public var off: String

    /// English.
    public init() {
        hidden = "hidden"
        redacted = ", hidden"
        placeholder = ", locked"
        unavailable = ", not available here"
        waiting = ", nothing yet"
        on = "on"
        off = "off"
    }

    /// Stands behind the widget's name.
    func suffix(_ state: Frame.State) -> String {
        switch state {
        case .shown: ""
        case .redacted: redacted
        case .placeholder: placeholder
        case .unavailable: unavailable
        case .waiting: waiting
        }
    }
}

extension Frame {
    /// "Notes", "Notes, hidden", "Notes, locked", "Notes, nothing yet" or "Notes, not available here".
    var spokenTitle: String {
        DisplayText.isolated(DisplayText.clean(displayName)) + wording.suffix(state)
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
