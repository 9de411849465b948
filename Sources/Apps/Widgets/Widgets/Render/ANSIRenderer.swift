/// A frame as text with the colours of a terminal (ECMA-48, SGR), gauges as bars, and links (OSC 8).
///
/// Every escape sequence in it is ours: those of the content are gone before. Each line ends in the terminal's own
/// style. Links lead to http, https and tresor only.
public enum ANSIRenderer {
    /// - Parameters:
    ///   - frame: what to render.
    ///   - columns: the most columns of a line, from 1 to 240; nil for 240.
    ///   - isColorless: whether bold, faint and links have to be enough, as `NO_COLOR` asks for (no-color.org).
    /// - Returns: lines between U+000A, without one at the end.
    public static func render(_ frame: Frame, columns: Int? = nil, isColorless: Bool = false) -> String {
        var text = ""
        for (index, line) in TextLayout(drawsBars: true).lines(frame, columns: columns).enumerated() {
            if index > 0 { text += "\n" }
            for piece in line.pieces {
                let codes = codes(piece.style, isDimmed: frame.isLuminanceReduced, isColorless: isColorless)
                write(piece, codes, to: &text)
            }
        }
        return text
    }

    private static func write(_ piece: TextPiece, _ codes: String, to text: inout String) {
        let words = DisplayText.isolated(piece.text)
        if let link = piece.style.link { text += "\u{1B}]8;;\(link)\u{1B}\\" }
        text += codes.isEmpty || piece.sort == .gap ? words : "\u{1B}[\(codes)m\(words)\u{1B}[0m"
        if piece.style.link != nil { text += "\u{1B}]8;;\u{1B}\\" }
    }

    private static func codes(_ style: PieceStyle, isDimmed: Bool, isColorless: Bool) -> String {
        var codes = ""
        if style.isBold { codes += "1" }
        if style.isDimmed || isDimmed { codes += codes.isEmpty ? "2" : ";2" }
        let colour =
            switch style.tint {
            case .primary: ""
            case .secondary: "90"
            case .accent: "36"
            case .positive: "32"
            case .warning: "33"
            case .critical: "31"
            }
        if !colour.isEmpty, !isColorless { codes += codes.isEmpty ? colour : ";" + colour }
        return codes
    }
}
