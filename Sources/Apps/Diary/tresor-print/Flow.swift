import PrintStream

/// Fills pages from top to bottom.
///
/// Headings wait until what is under them is there: neither stands alone at the end of a page. A row of pictures that
/// has no room is made a little smaller, or waits for the next page while the text behind it goes on, so that no page
/// ends half empty; it never comes behind another entry's heading.
struct Flow {
    let canvas: Canvas
    let sheet: Sheet
    /// At the top of each page but those that open something.
    var runningHead = (left: "", right: "")
    private(set) var page = 1
    private var y: Double
    private var isPageEmpty = true
    private var opensSomething = false
    private var headings: [TextPiece] = []
    /// On the right at the top of this page: where the book was when it began.
    private var pageHead: String?
    /// Its number in the outline.
    private var year: Int32?
    /// Pictures for the top of the next page, and whether headings that wait belong above them.
    private var waiting: (row: PictureRow, isBelowHeadings: Bool)?
    /// All years and months so far.
    private(set) var beginnings: [OutlinePlace] = []

    init(_ canvas: Canvas, _ sheet: Sheet) {
        self.canvas = canvas
        self.sheet = sheet
        y = sheet.top
    }

    /// Keeps it with what comes next.
    mutating func addHeading(_ piece: TextPiece) { headings.append(piece) }

    mutating func add(_ piece: Piece) throws(DrawingError) {
        guard case .row(let row) = piece else { return try place(piece) }
        try settlePictures()
        let room = sheet.bottom - y - headingHeight - PictureRow.spaceAround
        if isPageEmpty || row.totalHeight <= room { return try place(piece) }
        if let smaller = row.scaled(to: room - row.captionHeight) { return try place(.row(smaller)) }
        waiting = (row: row, isBelowHeadings: !headings.isEmpty)
    }

    private var headingHeight: Double { headings.reduce(0) { $0 + height(of: $1) } }

    /// Draws pictures for which there was no room, where nothing follows that could go before them.
    private mutating func settlePictures() throws(DrawingError) {
        guard let row = waiting?.row else { return }
        waiting = nil
        try place(.row(row))
    }

    /// At the top of a page.
    private mutating func drawWaitingPictures() {
        guard let row = waiting?.row else { return }
        waiting = nil
        draw(row)
        isPageEmpty = false
    }

    private mutating func place(_ piece: Piece) throws(DrawingError) {
        let before = page
        try makeRoom(headingHeight + leastHeight(of: piece))
        if page != before, waiting?.isBelowHeadings == false { drawWaitingPictures() }
        // With the pictures there may be less.
        try makeRoom(headingHeight + leastHeight(of: piece))
        pageHead = pageHead ?? runningHead.right
        let above = headings
        headings = []
        for heading in above { try draw(heading) }
        if page == before {
            waiting?.isBelowHeadings = false
        } else if let row = waiting?.row {
            try makeRoom(PictureRow.spaceAround + row.totalHeight)
            drawWaitingPictures()
        }
        // Headings longer than a page may have left less.
        try makeRoom(leastHeight(of: piece))
        switch piece {
        case .text(let text): try draw(text)
        case .row(let row): draw(row)
        case .rule(let width):
            canvas.fill(x: sheet.left + (sheet.measure - width) / 2, y: y + 9, width: width, height: 0.5, grey: 0.6)
            y += 18
        }
        isPageEmpty = false
    }

    /// Draws headings under which nothing comes.
    mutating func settle() throws(DrawingError) {
        try settlePictures()
        let above = headings
        headings = []
        try makeRoom(above.reduce(0) { $0 + height(of: $1) })
        pageHead = pageHead ?? runningHead.right
        for heading in above { try draw(heading) }
    }

    /// Goes on at the top of a page without a running head, unless much of this one is left.
    ///
    /// - Returns: whether there is a new page.
    mutating func openYear(at offset: Double) throws(DrawingError) -> Bool {
        try settle()
        if !isPageEmpty, sheet.bottom - y > sheet.textHeight * 0.4 { return false }
        try openPage(at: offset)
        return true
    }

    /// Goes on at the top of a page without a running head.
    mutating func openPage(at offset: Double = 0) throws(DrawingError) {
        try settle()
        if !isPageEmpty { try endPage() }
        opensSomething = true
        y = sheet.top + offset
    }

    /// Ends the last page, if there is something on it.
    mutating func finish() throws(DrawingError) {
        try settle()
        if !isPageEmpty { try endPage() }
    }

    /// Ends a page that has no number.
    mutating func endCover() throws(DrawingError) {
        try canvas.endPage()
        page += 1
        isPageEmpty = true
        y = sheet.top
    }

    /// Begins a page where a height, which fits on one, does not fit on this.
    private mutating func makeRoom(_ height: Double) throws(DrawingError) {
        if y + height > sheet.bottom, !isPageEmpty { try endPage() }
    }

    private mutating func endPage() throws(DrawingError) {
        if !opensSomething {
            let left = try canvas.layOut([PrintSpan(runningHead.left)], .runningHead, width: nil)
            let right = try canvas.layOut([PrintSpan(pageHead ?? runningHead.right)], .runningHead, width: nil)
            canvas.draw(0, of: left, x: sheet.left, y: sheet.top - 34)
            let end = sheet.left + sheet.measure - right.width
            canvas.draw(0, of: right, x: end, y: sheet.top - 34)
        }
        let number = try canvas.layOut([PrintSpan(String(page))], .folio, width: sheet.measure)
        canvas.draw(0, of: number, x: sheet.left, y: sheet.bottom + 26)
        try canvas.endPage()
        page += 1
        y = sheet.top
        isPageEmpty = true
        pageHead = nil
        opensSomething = false
    }

    private func height(of text: TextPiece) -> Double {
        text.spaceBefore + text.lines.height + text.spaceAfter
    }

    /// What of a piece has to stand on one page: of a text two lines, or all three.
    private func leastHeight(of piece: Piece) -> Double {
        switch piece {
        case .text(let text):
            let count = text.lines.places.count == 3 ? 3 : 2
            return text.spaceBefore + text.lines.places.prefix(count).reduce(0) { $0 + $1.height }
        case .row(let row): return PictureRow.spaceAround + row.totalHeight
        case .rule: return 18
        }
    }
}

extension Flow {
    private mutating func draw(_ text: TextPiece) throws(DrawingError) {
        let places = text.lines.places
        y += isPageEmpty && !opensSomething ? 0 : text.spaceBefore
        switch text.outline {
        case .year(let name):
            year = canvas.addOutline(name, page: page, y: y, below: nil)
            beginnings.append(OutlinePlace(name: name, isYear: true, page: page, y: y))
        case .month(let name):
            _ = canvas.addOutline(name, page: page, y: y, below: year)
            beginnings.append(OutlinePlace(name: name, isYear: false, page: page, y: y))
        case .part(let name): _ = canvas.addOutline(name, page: page, y: y, below: nil)
        case nil: break
        }
        for index in places.indices {
            let left = places.count - index
            // The last line never stands alone at the top, and so takes the one before it along.
            let needed = left == 2 && index > 1 ? places[index].height + places[index + 1].height : places[index].height
            if y + needed > sheet.bottom, !isPageEmpty {
                try endPage()
                pageHead = runningHead.right
                // What waits below headings of its own is drawn behind them.
                if headings.isEmpty { drawWaitingPictures() }
            }
            drawLine(index, of: text, isFirst: index == 0, isLast: left == 1)
            y += places[index].height
            isPageEmpty = false
        }
        y += text.spaceAfter
    }

    private func drawLine(_ index: Int, of text: TextPiece, isFirst: Bool, isLast: Bool) {
        let height = text.lines.places[index].height
        let isMirrored = text.lines.isRightToLeft
        let x = sheet.left + (isMirrored ? 0 : text.left)
        switch text.mark {
        case .none: break
        case .bar:
            let bar = isMirrored ? sheet.left + sheet.measure - 2 : sheet.left
            canvas.fill(x: bar, y: y, width: 2, height: height, grey: 0.75)
        case .shade:
            // The pieces overlap a little, so that no viewer shows a seam.
            let above = isFirst ? 4.0 : 0.3
            canvas.fill(
                x: sheet.left, y: y - above, width: sheet.measure, height: height + above + (isLast ? 4 : 0.3),
                grey: 0.95)
        }
        if isFirst, let marker = text.marker {
            let end = sheet.left + sheet.measure - marker.x - marker.lines.width
            canvas.draw(0, of: marker.lines, x: isMirrored ? end : sheet.left + marker.x, y: y)
        }
        canvas.draw(index, of: text.lines, x: x, y: y)
        if isFirst, let target = text.target {
            canvas.link(
                toPage: target.page, at: target.y, x: sheet.left, y: y, width: sheet.measure, height: height)
        }
    }

    private mutating func draw(_ row: PictureRow) {
        if !isPageEmpty { y += PictureRow.spaceAround }
        var x = sheet.left + (sheet.measure - row.width) / 2
        for cell in row.cells {
            let width = row.height * cell.shape
            if let jpeg = cell.jpeg {
                canvas.draw(jpeg, x: x, y: y, width: width, height: row.height)
            } else {
                canvas.frame(x: x, y: y, width: width, height: row.height, grey: 0.6)
                let inset = (row.height - row.words.height) / 2
                draw(row.words, x: x + (width - PictureRow.wordsWidth) / 2, y: y + max(inset, 0))
            }
            x += width + PictureRow.gap
        }
        y += row.height
        if let caption = row.caption {
            y += PictureRow.captionGap
            draw(caption, x: sheet.left, y: y)
            y += caption.height
        }
        y += PictureRow.spaceAround
    }

    /// Draws lines that stay together.
    private func draw(_ lines: Lines, x: Double, y: Double) {
        var y = y
        for (index, place) in lines.places.enumerated() {
            canvas.draw(index, of: lines, x: x, y: y)
            y += place.height
        }
    }
}
