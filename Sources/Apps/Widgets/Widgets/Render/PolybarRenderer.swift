/// A frame for polybar's script modules (polybar wiki, "Formatting"): one line of text.
///
/// Its tags begin with `%{`, buttons that run commands among them, and nothing escapes them. So U+2060, which is not
/// seen, parts the two characters wherever they stand together.
public enum PolybarRenderer {
    /// - Parameters:
    ///   - frame: what to render.
    ///   - columns: the most columns of the text, from 1 to 240.
    /// - Returns: one line, without a line break.
    public static func render(_ frame: WidgetFrame, columns: Int = 80) -> String {
        var bytes: [UInt8] = []
        // By bytes: a mark that stands on the brace makes another character of it.
        for byte in TextLayout().line(frame, columns: columns).plain.utf8 {
            if byte == 0x7B && bytes.last == 0x25 { bytes += [0xE2, 0x81, 0xA0] }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
