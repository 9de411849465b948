/// What the program that prints is told, piece by piece; see specs/print-stream.md.
///
/// ```swift
/// let bytes = PrintMessage.note("a.mp4 · 3 MB").encoded
/// ```
package enum PrintMessage: Equatable, Sendable {
    /// First, and once.
    case cover(PrintCover)
    /// The entries behind it are of this month.
    case month(PrintMonth)
    /// Where an entry begins.
    case entry(PrintEntry)
    /// Something written in the entry.
    case text(PrintText)
    /// A line across the page, in the entry.
    case rule
    /// A picture of the entry.
    case picture(PrintPicture)
    /// A file of the entry that paper can't show, in words.
    case note(String)
    /// Last, with how many entries there were.
    case end(entryCount: UInt32)
    /// Behind the cover, where there are places: where the entries were written.
    case map(PrintMap)
    /// Behind the entries: a list of the months and their pages, with this heading.
    case contents(String)
}

/// A map of coasts, with dots where something was written.
package struct PrintMap: Equatable, Sendable {
    /// A place on the map, from its upper left corner: at most its width and height.
    package struct Point: Equatable, Sendable {
        /// To the right.
        package var x: UInt16
        /// Down.
        package var y: UInt16

        /// - Parameters:
        ///   - x: to the right.
        ///   - y: down.
        package init(x: UInt16, y: UInt16) {
            self.x = x
            self.y = y
        }
    }

    /// One or more entries.
    package struct Dot: Equatable, Sendable {
        /// Where.
        package var point: Point
        /// How many; at least 1.
        package var count: UInt16

        /// - Parameters:
        ///   - point: where.
        ///   - count: how many entries; at least 1.
        package init(_ point: Point, count: UInt16) {
            self.point = point
            self.count = count
        }
    }

    /// Above it.
    package var title: String
    /// Below it: the names of places; may be empty.
    package var caption: String
    /// Units, which become as wide as the lines of text; from 1.
    package var width: UInt16
    /// Units; from 1.
    package var height: UInt16
    /// Each of two points or more; at most ``PrintLimits/mapLines`` and all their points ``PrintLimits/mapPoints``.
    package var coast: [[Point]]
    /// At most ``PrintLimits/mapDots``.
    package var dots: [Dot]

    /// - Parameters:
    ///   - title: above it.
    ///   - caption: below it.
    ///   - width: units.
    ///   - height: units.
    ///   - coast: lines of points.
    ///   - dots: where something was written.
    package init(title: String, caption: String, width: UInt16, height: UInt16, coast: [[Point]], dots: [Dot]) {
        self.title = title
        self.caption = caption
        self.width = width
        self.height = height
        self.coast = coast
        self.dots = dots
    }
}

/// The size of the pages.
package enum PrintPaper: UInt8, Sendable, CaseIterable {
    /// 210 by 297 mm; ISO 216.
    case a4 = 1
    /// 8½ by 11 inches; ANSI/ASME Y14.1.
    case letter
}

/// What is the whole book's.
package struct PrintCover: Equatable, Sendable {
    package var paper: PrintPaper
    /// A tag of BCP 47 such as `de` or `nb`, by which fonts differ.
    package var language: String
    package var title: String
    /// Below the title: at most ``PrintLimits/coverLines``.
    package var lines: [String]
    /// What stands in place of a picture that can't be printed.
    package var brokenPicture: String

    package init(paper: PrintPaper, language: String, title: String, lines: [String], brokenPicture: String) {
        self.paper = paper
        self.language = language
        self.title = title
        self.lines = lines
        self.brokenPicture = brokenPicture
    }
}

/// A month of a year, for headings and for the outline.
package struct PrintMonth: Equatable, Sendable {
    /// 1 to 9999.
    package var year: UInt16
    /// Such as `November`.
    package var name: String

    package init(year: UInt16, name: String) {
        self.year = year
        self.name = name
    }
}

/// What stands above an entry.
package struct PrintEntry: Equatable, Sendable {
    /// Its day, in words.
    package var heading: String
    /// Time, place, mood and tags in one line; may be empty.
    package var facts: String
    package var isStarred: Bool

    package init(heading: String, facts: String, isStarred: Bool) {
        self.heading = heading
        self.facts = facts
        self.isStarred = isStarred
    }
}

/// Writing of one kind: a paragraph, or what is laid out like one.
package struct PrintText: Equatable, Sendable {
    package enum Kind: UInt8, Sendable, CaseIterable {
        case paragraph = 1
        case title, section, subsection
        case item, quote, code
    }

    package var kind: Kind
    /// How many items an item is below of: less than ``PrintLimits/levels``; 0 for all other kinds.
    package var level: UInt8
    /// What stands before an item; empty for all other kinds.
    package var marker: String
    /// Code has one, of no style.
    package var spans: [PrintSpan]

    package init(_ kind: Kind, level: UInt8 = 0, marker: String = "", _ spans: [PrintSpan]) {
        self.kind = kind
        self.level = level
        self.marker = marker
        self.spans = spans
    }
}

/// Letters of one style.
package struct PrintSpan: Equatable, Sendable {
    package struct Style: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Style(rawValue: 1)
        package static let italic = Style(rawValue: 2)
        package static let code = Style(rawValue: 4)
        static let all: Style = [.bold, .italic, .code]
    }

    package var text: String
    package var style: Style
    /// An address that ``PrintLink`` has passed; empty for none.
    package var link: String

    package init(_ text: String, _ style: Style = [], link: String = "") {
        self.text = text
        self.style = style
        self.link = link
    }
}

/// A picture with what is said below it.
package struct PrintPicture: Equatable, Sendable {
    package var caption: String
    /// A JPEG, or what was taken for one.
    package var jpeg: [UInt8]

    package init(caption: String, jpeg: [UInt8]) {
        self.caption = caption
        self.jpeg = jpeg
    }
}

/// How long each field may be, in bytes.
package enum PrintLimits {
    package static let line = 1024
    package static let coverLines = 4
    package static let facts = 16_384
    package static let marker = 16
    /// How many there are of items within items.
    package static let levels: UInt8 = 6
    package static let caption = 4096
    package static let link = 2048
    /// Of all spans of a text together.
    package static let text = 65_536
    package static let spans = 4096
    /// As much as a preview of our own may have.
    package static let picture = 8 << 20
    /// How many lines of coast a map has.
    package static let mapLines = 4096
    /// Of all its lines together.
    package static let mapPoints = 32_768
    /// How many dots a map has.
    package static let mapDots = 2048
    static let language = 16
}
