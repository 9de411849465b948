import PrintStream

/// Makes pages of what is told of a book, message by message.
///
/// Of the book there is in memory what stands on one page, and what cairo keeps of the pages before: fonts, and where
/// each page is.
struct Book {
    private let canvas: Canvas
    private let sheet: Sheet
    private let cover: PrintCover
    private var flow: Flow
    private var year: UInt16?
    private var hasEntry = false
    /// Pictures that may stand side by side.
    private var pictures: [PictureRow.Cell] = []
    private var lastKind: PrintText.Kind?
    /// Whether nothing stands below the entry's heading yet.
    private var isEntryEmpty = false

    init(_ cover: PrintCover) throws(DrawingError) {
        sheet = Sheet(cover.paper)
        canvas = try Canvas(sheet, language: cover.language)
        canvas.describe(title: cover.title)
        self.cover = cover
        flow = Flow(canvas, sheet)
        flow.runningHead.left = cover.title
        try drawCover()
    }

    /// - Parameter message: in an order that ``PrintOrder`` allows.
    mutating func add(_ message: PrintMessage) throws(DrawingError) {
        if case .picture(let picture) = message { return try add(picture) }
        try settlePictures()
        switch message {
        case .cover, .picture: break
        case .month(let month): try add(month)
        case .entry(let entry): try add(entry)
        case .text(let text): try add(text)
        case .rule: try flow.add(.rule(width: 60))
        case .note(let words):
            let lines = try canvas.layOut([PrintSpan(words)], .note, width: sheet.measure)
            try flow.add(.text(TextPiece(lines: lines, spaceBefore: 3, spaceAfter: 3)))
        case .map(let map): try add(map)
        case .contents(let title): try addContents(title)
        case .end:
            try flow.finish()
            try canvas.finish()
        }
        lastKind = if case .text(let text) = message { text.kind } else { nil }
        isEntryEmpty = if case .entry = message { true } else { false }
    }

    private mutating func drawCover() throws(DrawingError) {
        let title = try canvas.layOut([PrintSpan(cover.title)], .bookTitle, width: sheet.measure)
        var y = sheet.height * 0.3
        // A title as long as a page has its beginning on it.
        for (index, place) in title.places.enumerated() where y + place.height < sheet.bottom - 200 {
            canvas.draw(index, of: title, x: sheet.left, y: y)
            y += place.height
        }
        y += 22
        canvas.fill(x: sheet.width / 2 - 30, y: y, width: 60, height: 0.75, grey: 0.4)
        y += 22
        for text in cover.lines {
            let lines = try canvas.layOut([PrintSpan(text)], .bookLine, width: sheet.measure)
            for (index, place) in lines.places.enumerated() where y + place.height < sheet.bottom {
                canvas.draw(index, of: lines, x: sheet.left, y: y)
                y += place.height
            }
        }
        try flow.endCover()
    }

    private mutating func add(_ month: PrintMonth) throws(DrawingError) {
        let name = try canvas.layOut([PrintSpan(month.name.uppercased())], .month, width: sheet.measure)
        var piece = TextPiece(lines: name, spaceBefore: 26, spaceAfter: 8, outline: .month(month.name))
        if month.year != year {
            let isNewPage = try flow.openYear(at: 40)
            let text = try canvas.layOut([PrintSpan(String(month.year))], .year, width: sheet.measure)
            let before = isNewPage ? 0.0 : 44.0
            flow.addHeading(
                TextPiece(lines: text, spaceBefore: before, spaceAfter: 8, outline: .year(String(month.year))))
            year = month.year
            piece.spaceBefore = 10
        } else {
            try flow.settle()
        }
        flow.runningHead.right = "\(month.name) \(month.year)"
        flow.addHeading(piece)
        hasEntry = false
    }

    private mutating func add(_ entry: PrintEntry) throws(DrawingError) {
        // An entry with nothing below its heading has said it all.
        if hasEntry { try flow.settle() }
        let star = entry.isStarred ? " ★" : ""
        let day = try canvas.layOut([PrintSpan(entry.heading + star)], .day, width: sheet.measure)
        let before = hasEntry ? 26.0 : 10
        flow.addHeading(TextPiece(lines: day, spaceBefore: before, spaceAfter: entry.facts.isEmpty ? 5 : 1))
        if !entry.facts.isEmpty {
            let facts = try canvas.layOut([PrintSpan(entry.facts)], .facts, width: sheet.measure)
            flow.addHeading(TextPiece(lines: facts, spaceAfter: 7))
        }
        hasEntry = true
    }

    private mutating func add(_ text: PrintText) throws(DrawingError) {
        let face = Face.of(text.kind)
        let indent =
            switch text.kind {
            case .item: 20.0 + 18.0 * Double(text.level)
            case .quote: 14.0
            case .code: 8.0
            default: 0.0
            }
        // The same distance on the right, for what is shaded.
        let inner = sheet.measure - indent - (text.kind == .code ? indent : 0)
        let lines = try canvas.layOut(text.spans, face, width: inner)
        var piece = TextPiece(lines: lines, left: indent)
        // Of a list or a quote in several parts the parts stand together, apart from what follows.
        let isNext = lastKind == text.kind
        let isBehind = !isNext && (lastKind == .item || lastKind == .quote)
        piece.spaceBefore = isBehind ? 4 : 0
        switch text.kind {
        case .title, .section, .subsection:
            piece.spaceBefore = isEntryEmpty ? 3 : 10
            piece.spaceAfter = 3
            return flow.addHeading(piece)
        case .item:
            let marker = try canvas.layOut([PrintSpan(text.marker)], face, width: nil)
            piece.marker = (lines: marker, x: max(indent - 6 - marker.width, 0))
            piece.spaceAfter = 2
        case .quote:
            piece.mark = .bar
            if !isNext { piece.spaceBefore = 4 }
        case .code:
            piece.mark = .shade
            piece.spaceBefore = 8
            piece.spaceAfter = 10
        case .paragraph: piece.spaceAfter = 6
        }
        try flow.add(.text(piece))
    }
}

// Pictures.
extension Book {
    /// Of a page's height.
    private static let tallest = 0.62
    /// Up to which sum of shapes pictures stand side by side: two or three upright ones, two square ones.
    private static let widestRow = 2.3

    private mutating func add(_ picture: PrintPicture) throws(DrawingError) {
        let size = JPEGSize(picture.jpeg)
        let shape = size.map { min(max(Double($0.width) / Double($0.height), 0.05), 20) } ?? 4
        let cell = PictureRow.Cell(jpeg: size == nil ? nil : picture.jpeg, shape: shape)
        let sum = pictures.reduce(shape) { $0 + $1.shape }
        if sum > Self.widestRow || !picture.caption.isEmpty { try settlePictures() }
        pictures.append(cell)
        lastKind = nil
        isEntryEmpty = false
        if !picture.caption.isEmpty || shape > Self.widestRow { try settlePictures(caption: picture.caption) }
    }

    private mutating func settlePictures(caption: String = "") throws(DrawingError) {
        guard !pictures.isEmpty else { return }
        let cells = pictures
        pictures = []
        let gaps = PictureRow.gap * Double(cells.count - 1)
        let shape = cells.reduce(0) { $0 + $1.shape }
        var lines = caption.isEmpty ? nil : try canvas.layOut([PrintSpan(caption)], .caption, width: sheet.measure)
        // A caption that would need the page for itself is a text.
        if let long = lines, long.height > sheet.textHeight * 0.25 { lines = nil }
        let isBroken = cells.allSatisfy { $0.jpeg == nil }
        let height = min((sheet.measure - gaps) / shape, isBroken ? 60 : sheet.textHeight * Self.tallest)
        let words = try canvas.layOut([PrintSpan(cover.brokenPicture)], .caption, width: PictureRow.wordsWidth)
        let row = PictureRow(
            cells: cells, height: height, width: height * shape + gaps, caption: lines, words: words)
        try flow.add(.row(row))
        guard !caption.isEmpty, lines == nil else { return }
        let text = try canvas.layOut([PrintSpan(caption)], .note, width: sheet.measure)
        try flow.add(.text(TextPiece(lines: text, spaceAfter: 6)))
    }
}

// What is before and behind the entries.
extension Book {
    /// A page for the map, like the cover without a number.
    private mutating func add(_ map: PrintMap) throws(DrawingError) {
        let title = try canvas.layOut([PrintSpan(map.title)], .part, width: sheet.measure)
        var y = sheet.top
        _ = canvas.addOutline(map.title, page: flow.page, y: y, below: nil)
        for (index, place) in title.places.enumerated() where y + place.height < sheet.top + 120 {
            canvas.draw(index, of: title, x: sheet.left, y: y)
            y += place.height
        }
        y += 20
        let scale = min(sheet.measure / Double(map.width), sheet.textHeight * 0.6 / Double(map.height))
        let (width, height) = (Double(map.width) * scale, Double(map.height) * scale)
        let left = sheet.left + (sheet.measure - width) / 2
        canvas.stroke(map, x: left, y: y, scale: scale, grey: 0.5)
        canvas.frame(x: left, y: y, width: width, height: height, grey: 0.7)
        for dot in map.dots {
            let radius = min(2 + Double(dot.count).squareRoot() / 2, 7)
            canvas.dot(x: left + Double(dot.point.x) * scale, y: y + Double(dot.point.y) * scale, radius: radius)
        }
        y += height + 14
        if !map.caption.isEmpty {
            let lines = try canvas.layOut([PrintSpan(map.caption)], .caption, width: sheet.measure)
            for (index, place) in lines.places.enumerated() where y + place.height < sheet.bottom {
                canvas.draw(index, of: lines, x: sheet.left, y: y)
                y += place.height
            }
        }
        try flow.endCover()
    }

    /// The months with the pages on which they begin.
    private mutating func addContents(_ title: String) throws(DrawingError) {
        try flow.openPage()
        flow.runningHead.right = title
        let places = flow.beginnings
        let heading = try canvas.layOut([PrintSpan(title)], .part, width: sheet.measure)
        flow.addHeading(TextPiece(lines: heading, spaceAfter: 16, outline: .part(title)))
        for place in places {
            if place.isYear {
                let year = try canvas.layOut([PrintSpan(place.name)], .contentsYear, width: sheet.measure)
                flow.addHeading(TextPiece(lines: year, spaceBefore: 8, spaceAfter: 3))
                continue
            }
            let number = try canvas.layOut([PrintSpan(String(place.page))], .body, width: nil)
            let name = try canvas.layOut([PrintSpan(place.name)], .body, width: sheet.measure - 80)
            var row = TextPiece(lines: name, left: 18, spaceAfter: 2)
            row.marker = (lines: number, x: sheet.measure - number.width)
            row.target = place
            try flow.add(.text(row))
        }
    }
}
