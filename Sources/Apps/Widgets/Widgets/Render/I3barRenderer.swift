/// Frames as i3bar and swaybar read them: swaybar-protocol(7), and i3's i3bar-protocol.
///
///     var output = I3barRenderer.header()
///     output += I3barRenderer.line([lock, notes])   // again for each change
///
/// Blocks have no markup. Their `name` is `tresor`, their `instance` the kind, `/` and the family; a widget with
/// something critical in it is urgent.
public enum I3barRenderer {
    /// Opens the protocol: the header, and the endless array with a first, empty status line.
    ///
    /// - Parameter receivesClicks: whether the bar writes clicks to the program's standard input.
    /// - Returns: ends in U+000A.
    public static func header(receivesClicks: Bool = false) -> String {
        "{\"version\":1,\"click_events\":\(receivesClicks ? "true" : "false")}\n[\n[]\n"
    }

    /// A status line behind ``header(receivesClicks:)`` or another: one block for each frame.
    ///
    /// - Returns: begins with a comma and ends in U+000A, which stands nowhere else in it.
    public static func line(_ frames: [Frame], columns: Int = 80) -> String {
        var json = ",["
        for (index, frame) in frames.enumerated() {
            json += (index > 0 ? "," : "") + render(frame, columns: columns)
        }
        return json + "]\n"
    }

    /// One block.
    ///
    /// - Parameters:
    ///   - frame: what to render.
    ///   - columns: the most columns of the text, from 1 to 240; the short one has at most 20.
    /// - Returns: the object, without a line break.
    public static func render(_ frame: Frame, columns: Int = 80) -> String {
        let tint = FrameTone(frame).tint
        let layout = TextLayout()
        var json = "{\"full_text\":" + Markup.quoted(layout.line(frame, columns: columns).plain)
        json += ",\"short_text\":" + Markup.quoted(layout.line(frame, columns: min(columns, 20)).plain)
        let instance = DisplayText.clean(frame.kind) + "/" + frame.family.name
        json += ",\"name\":\"tresor\",\"instance\":" + Markup.quoted(instance)
        let isDimmed = frame.isLuminanceReduced || frame.state.isPlaceholder || frame.state == .unavailable
        if let color = color(isDimmed ? .secondary : tint) { json += ",\"color\":\"\(color)\"" }
        return json + ",\"urgent\":\(tint == .critical ? "true" : "false"),\"markup\":\"none\"}"
    }

    /// To be read on the dark ground that both bars have by default; nil for the bar's own.
    private static func color(_ tint: Tint) -> String? {
        switch tint {
        case .primary: nil
        case .secondary: "#9a9a9a"
        case .accent: "#6cb6ff"
        case .positive: "#6bc46d"
        case .warning: "#e0b84c"
        case .critical: "#ff7b72"
        }
    }
}
