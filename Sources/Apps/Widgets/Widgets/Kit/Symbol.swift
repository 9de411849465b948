/// Pictures that every renderer has: a glyph in text, a drawing elsewhere.
public enum SymbolName: UInt8, CaseIterable, Sendable {
    /// A shut padlock.
    case lock = 0
    /// An open padlock.
    case lockOpen = 1
    /// A sheet with lines.
    case note = 2
    /// A pin.
    case pin = 3
    /// Ticked lines.
    case checklist = 4
    /// A book.
    case book = 5
    /// A picture.
    case photo = 6
    /// A key.
    case key = 7
    /// A shield.
    case shield = 8
    /// A triangle with a mark.
    case warning = 9
    /// A clock.
    case clock = 10
    /// A flame.
    case flame = 11
    /// A star.
    case star = 12
    /// A sheet of a calendar.
    case calendar = 13
    /// A tick.
    case check = 14
    /// A widget without a symbol of its own.
    case square = 15

    /// As JSON and HTML classes say it.
    public var name: String {
        switch self {
        case .lock: "lock"
        case .lockOpen: "lock.open"
        case .note: "note"
        case .pin: "pin"
        case .checklist: "checklist"
        case .book: "book"
        case .photo: "photo"
        case .key: "key"
        case .shield: "shield"
        case .warning: "warning"
        case .clock: "clock"
        case .flame: "flame"
        case .star: "star"
        case .calendar: "calendar"
        case .check: "check"
        case .square: "square"
        }
    }

    /// - Parameter name: as ``name`` gives it; nil for any other text.
    public init?(name: String) {
        guard let symbol = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = symbol
    }

    /// One character for hosts of text.
    public var glyph: String {
        switch self {
        case .lock: "🔒"
        case .lockOpen: "🔓"
        case .note: "📝"
        case .pin: "📌"
        case .checklist: "☑"
        case .book: "📖"
        case .photo: "🖼"
        case .key: "🔑"
        case .shield: "🛡"
        case .warning: "⚠"
        case .clock: "🕒"
        case .flame: "🔥"
        case .star: "★"
        case .calendar: "📅"
        case .check: "✓"
        case .square: "▪"
        }
    }
}
