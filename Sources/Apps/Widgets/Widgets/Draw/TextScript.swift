/// Whose letters a text is written in, as far as fonts differ by it.
///
/// Han characters have the same numbers in China, Japan and Korea, and other forms: the letters beside them say which
/// are meant.
public enum TextScript: Int, CaseIterable, Sendable {
    /// Any but those below: what has the letters is found by the system.
    case other
    /// Han characters alone, or with Bopomofo.
    case chinese
    /// With Hiragana or Katakana.
    case japanese
    /// With Hangul.
    case korean

    /// - Parameter text: any.
    public init(_ text: String) {
        self = .other
        for scalar in text.unicodeScalars where scalar.value >= 0x1100 {
            switch scalar.value {
            // Kana says more than Han, and Hangul as well: the first of them decides.
            case 0x3041...0x30ff, 0x31f0...0x31ff, 0xff66...0xff9f:
                self = .japanese
                return
            case 0x1100...0x11ff, 0x3131...0x318e, 0xa960...0xa97c, 0xac00...0xd7fb:
                self = .korean
                return
            case 0x2e80...0x2fdf, 0x3005...0x3007, 0x3105...0x312f, 0x31a0...0x31bf, 0x3400...0x4dbf, 0x4e00...0x9fff,
                0xf900...0xfaff, 0x20000...0x3fffd:
                self = .chinese
            default: continue
            }
        }
    }

    /// A tag of BCP 47; nil where the letters say none.
    public var language: String? {
        switch self {
        case .other: nil
        case .chinese: "zh"
        case .japanese: "ja"
        case .korean: "ko"
        }
    }

    /// The fonts that are asked for one after the other, as Pango and CSS list them.
    ///
    /// Faces for screens, then what Debian has always, then faces with the letters that those lack. Emoji need no
    /// mention: for them a system has a font of its own, and one named here would give its digits to all texts where
    /// the others are missing.
    ///
    /// - Parameter isFixed: whether all letters are of one width.
    public func families(isFixed: Bool) -> String {
        let latin = isFixed ? "Noto Sans Mono, DejaVu Sans Mono" : "Inter, Noto Sans, DejaVu Sans"
        let own: String? =
            switch self {
            case .other: nil
            case .chinese: "Noto Sans CJK SC, Noto Sans SC, WenQuanYi Micro Hei, Droid Sans Fallback"
            case .japanese: "Noto Sans CJK JP, Noto Sans JP, IPAGothic, VL Gothic"
            case .korean: "Noto Sans CJK KR, Noto Sans KR, NanumGothic, UnDotum"
            }
        let last = isFixed ? "monospace" : "sans-serif"
        return ([latin] + (own.map { [$0] } ?? []) + [last]).joined(separator: ", ")
    }
}
