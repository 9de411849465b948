import PrintStream

/// How letters look.
struct Face {
    enum Family {
        case serif, mono

        /// The first that is installed: faces for books, then what Debian has always.
        var names: String {
            switch self {
            case .serif: "Gentium Plus, Gentium, Libertinus Serif, Linux Libertine O, Noto Serif, DejaVu Serif, serif"
            case .mono: "DejaVu Sans Mono, Noto Sans Mono, monospace"
            }
        }
    }

    enum Alignment { case start, center }

    var family = Family.serif
    /// In points, 72 to the inch.
    var size: Double
    /// From line to line, in sizes; a line whose letters need more has more.
    var leading = 1.42
    var isBold = false
    var isItalic = false
    /// From 0, black, to 1.
    var grey = 0.0
    /// Between letters, in sizes.
    var tracking = 0.0
    var alignment = Alignment.start

    static let body = Face(size: 10.5)
    static let code = Face(family: .mono, size: 9, leading: 1.35)
    static let caption = Face(size: 8.5, leading: 1.3, isItalic: true, grey: 0.3, alignment: .center)
    static let note = Face(size: 9, leading: 1.35, isItalic: true, grey: 0.3)
    static let facts = Face(size: 8.5, leading: 1.4, grey: 0.38)
    static let day = Face(size: 13, leading: 1.3, isBold: true)
    static let month = Face(size: 11, leading: 1.4, grey: 0.3, tracking: 0.04, alignment: .center)
    static let year = Face(size: 40, leading: 1.2, alignment: .center)
    static let bookTitle = Face(size: 34, leading: 1.25, alignment: .center)
    static let bookLine = Face(size: 12, leading: 1.6, grey: 0.3, alignment: .center)
    static let part = Face(size: 20, leading: 1.3, alignment: .center)
    static let contentsYear = Face(size: 10.5, isBold: true)
    static let runningHead = Face(size: 8, leading: 1.3, isItalic: true, grey: 0.45)
    static let folio = Face(size: 9, leading: 1.3, grey: 0.3, alignment: .center)

    static func of(_ kind: PrintText.Kind) -> Face {
        switch kind {
        case .paragraph, .item: .body
        case .title: Face(size: 12.5, leading: 1.3, isBold: true)
        case .section: Face(size: 11.5, leading: 1.3, isBold: true)
        case .subsection: Face(size: 10.5, leading: 1.3, isBold: true, isItalic: true)
        case .quote: Face(size: 10.5, isItalic: true, grey: 0.2)
        case .code: .code
        }
    }
}

/// A page and what of it is printed on, in points from its upper left corner.
struct Sheet {
    let width: Double
    let height: Double
    let left: Double
    let top = 78.0
    let bottom: Double
    /// Of the lines.
    let measure: Double

    /// Lines are of the same length on both papers, some seventy letters.
    init(_ paper: PrintPaper) {
        switch paper {
        case .a4: (width, height) = (595.28, 841.89)
        case .letter: (width, height) = (612, 792)
        }
        measure = 425
        left = ((width - 425) / 2).rounded()
        bottom = height - 82
    }

    var textHeight: Double { bottom - top }
}
