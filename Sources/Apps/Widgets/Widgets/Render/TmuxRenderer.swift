/// A frame for the status line of tmux (tmux(1), STYLES): what `#(…)` in `status-right` prints.
///
/// Every `#` of the content is doubled, so that neither a style nor a format of the content is left; the styles in it
/// are ours, and each ends in `#[default]`.
public enum TmuxRenderer {
    /// - Parameters:
    ///   - frame: what to render.
    ///   - columns: the most columns of the text, from 1 to 240.
    /// - Returns: one line, without a line break.
    public static func render(_ frame: Frame, columns: Int = 80) -> String {
        var text = ""
        for piece in TextLayout().line(frame, columns: columns).pieces {
            let words = escaped(DisplayText.isolated(piece.text))
            let style = style(piece.style, isDimmed: frame.isLuminanceReduced)
            text += style.isEmpty || piece.sort == .gap ? words : "#[\(style)]\(words)#[default]"
        }
        // A hash at the end would take its meaning from the style that tmux puts behind it.
        return text.utf8.last == 0x23 ? text + "#[default]" : text
    }

    private static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 { bytes += byte == 0x23 ? [byte, byte] : [byte] }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func style(_ style: PieceStyle, isDimmed: Bool) -> String {
        var words =
            switch style.tint {
            case .primary: ""
            case .secondary: "fg=brightblack"
            case .accent: "fg=cyan"
            case .positive: "fg=green"
            case .warning: "fg=yellow"
            case .critical: "fg=red"
            }
        if style.isBold { words += words.isEmpty ? "bold" : ",bold" }
        if style.isDimmed || isDimmed { words += words.isEmpty ? "dim" : ",dim" }
        return words
    }
}
