import Linux

/// A way to draw a small picture on a terminal.
///
/// Pictures are no part of a frame: the painter knows nothing of them, and what erases text need not erase them.
protocol ThumbnailDrawing: Sendable {
    /// What erases every picture, before the screen is erased.
    var erasure: String { get }

    /// What draws a picture at its place, the cursor's movement included.
    ///
    /// - Parameter picture: a JPEG of tresor-thumb.
    /// - Returns: nil where it cannot be drawn; the name below it says enough.
    func draw(_ picture: [UInt8], at place: PicturePlace) -> String?
}

/// Finds the best way that this terminal has.
enum Thumbnails {
    /// Nil where chafa is not installed: the boxes with name and size stay.
    static func find() throws -> (any ThumbnailDrawing)? {
        guard let path = try CurrentProcess.findProgram("chafa") else { return nil }
        return ChafaDrawing(path: path, format: PictureFormat.best { CurrentProcess.environment($0) })
    }
}

/// How a terminal takes pictures.
enum PictureFormat: String, Sendable {
    /// The graphics protocol of kitty, which others speak as well.
    case kitty
    case sixels
    /// Characters in colours, for any terminal.
    case symbols

    /// What the environment tells of the terminal.
    ///
    /// A multiplexer passes pictures on only where it was told to, and characters always.
    ///
    /// - Parameter variable: the value of the environment variable of that name.
    static func best(_ variable: (String) -> String?) -> PictureFormat {
        let terminal = variable("TERM") ?? ""
        if variable("TMUX") != nil || terminal.hasPrefix("screen") || terminal.hasPrefix("tmux") { return .symbols }
        let isKitty = ["xterm-kitty", "xterm-ghostty"].contains(terminal) || variable("KITTY_WINDOW_ID") != nil
        if isKitty || ["WezTerm", "ghostty"].contains(variable("TERM_PROGRAM") ?? "") { return .kitty }
        let isSixel = ["foot", "mlterm", "yaft", "contour"].contains { terminal.hasPrefix($0) }
        return isSixel || terminal.contains("sixel") ? .sixels : .symbols
    }
}
