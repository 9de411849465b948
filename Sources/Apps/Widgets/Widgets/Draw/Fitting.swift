/// A part that knows its size, and where in it its children stand.
struct Fitted {
    struct Child {
        let fitted: Fitted
        let x: Double
        let y: Double
    }

    let part: Part
    var width: Double
    var height: Double
    /// Of a text.
    var lineLimit = 0
    var children: [Child] = []

    init(_ part: Part, _ width: Double, _ height: Double) {
        self.part = part
        self.width = width
        self.height = height
    }
}

/// Gives each part its share of the room: once, however deep it lies, and each text is measured three times at
/// most.
struct Fitting<Measure: TextMeasure> {
    private let measure: Measure
    /// How many texts may still be drawn: stacks towards the viewer have room for any number.
    private var textsLeft = 400

    init(measure: Measure) { self.measure = measure }

    /// - Parameters:
    ///   - width: points that it may have.
    ///   - height: points that it may have.
    mutating func fit(_ part: Part, _ width: Double, _ height: Double) -> Fitted {
        switch part.content {
        case .text(let run): return fitText(part, run, width, height)
        case .picture(let picture):
            let scale = min(1, width / Double(picture.width), height / Double(picture.height))
            return Fitted(part, Double(picture.width) * scale, Double(picture.height) * scale)
        case .ring(_, let label):
            let side = min(part.idealWidth(measure), width, height)
            var ring = Fitted(part, side, side)
            let inner = (side * 0.68).rounded(.down)
            if let label, side >= 36 {
                let fitted = fit(label, inner, inner)
                let x = (side - fitted.width) / 2
                ring.children = [Fitted.Child(fitted: fitted, x: x, y: (side - fitted.height) / 2)]
            }
            return ring
        case .bar: return Fitted(part, width, part.leastHeight)
        case .symbol:
            let side = min(part.leastWidth, width, height)
            return Fitted(part, side, side)
        case .toggle: return Fitted(part, part.leastWidth, part.leastHeight)
        case .textMask: return Fitted(part, min(part.idealWidth(measure), width), part.leastHeight)
        case .imageMask:
            let side = min(part.idealWidth(measure), width, height)
            return Fitted(part, side, side)
        case .blockMask: return Fitted(part, min(part.idealWidth(measure), width), min(34, height))
        case .divider: return Fitted(part, width, 1)
        case .spacer: return Fitted(part, 0, 0)
        case .stack(.horizontal, let alignment, let spacing, let parts):
            return fitRow(part, parts, alignment, spacing, width, height)
        case .stack(.vertical, let alignment, let spacing, let parts):
            return fitColumn(part, parts, alignment, spacing, width, height)
        case .stack(.depth, let alignment, _, let parts): return fitPile(part, parts, alignment, width, height)
        }
    }

    private mutating func fitText(_ part: Part, _ run: TextRun, _ width: Double, _ height: Double) -> Fitted {
        guard textsLeft > 0, width >= 1 else { return Fitted(part, 0, 0) }
        textsLeft -= 1
        let room = max(1, Int(height / run.font.lineHeight))
        let limit = run.lineLimit == 0 ? room : min(Int(run.lineLimit), room)
        var extent = part.idealExtent(of: run, measure)
        if extent.width > width {
            extent = measure.extent(of: run, width: width)
            extent.width = extent.lineCount > limit ? width : min(extent.width.rounded(.up), width)
        }
        let lines = min(max(extent.lineCount, 1), limit)
        var fitted = Fitted(part, extent.width, Double(lines) * run.font.lineHeight)
        fitted.lineLimit = lines
        return fitted
    }

    /// How many of the parts have room for the least that they need; one has always.
    private func count(_ parts: [Part], _ spacing: Double, _ room: Double, _ least: (Part) -> Double) -> Int {
        var used = 0.0
        for (index, part) in parts.enumerated() {
            used += least(part) + (index > 0 ? spacing : 0)
            if index > 0 && used > room { return index }
        }
        return parts.count
    }

    private mutating func fitRow(
        _ part: Part, _ all: [Part], _ alignment: Alignment, _ spacing: Double, _ width: Double, _ height: Double
    ) -> Fitted {
        let parts = Array(all.prefix(count(all, spacing, width) { $0.leastWidth }))
        var shares = self.shares(parts, width - spacing * Double(parts.count - 1))
        var fitted: [Fitted?] = Array(repeating: nil, count: parts.count)
        var left = width - spacing * Double(parts.count - 1)
        for (index, part) in parts.enumerated() where !part.growsInRow {
            let child = fit(part, part.isDivider ? 1 : shares[index], height)
            fitted[index] = child
            left -= child.width
        }
        let growing = parts.indices.filter { parts[$0].growsInRow }
        left -= growing.reduce(0) { $0 + shares[$1] }
        for index in growing {
            shares[index] += max(0, left) / Double(growing.count)
            var child = fit(parts[index], shares[index], height)
            if parts[index].isSpacer { child.width = shares[index] }
            fitted[index] = child
        }
        var row = Fitted(part, 0, 0)
        for child in fitted { if let child, !child.part.isDivider { row.height = max(row.height, child.height) } }
        for case .some(var child) in fitted {
            if child.part.isDivider { child.height = row.height }
            if row.width > 0 || !row.children.isEmpty { row.width += spacing }
            row.children.append(
                Fitted.Child(fitted: child, x: row.width, y: alignment.offset(of: child.height, in: row.height)))
            row.width += child.width
        }
        return row
    }

    /// The width of each: first what each needs, then its widest word, then what it would like to have, the modest
    /// first.
    private func shares(_ parts: [Part], _ room: Double) -> [Double] {
        var shares = parts.map { $0.leastWidth }
        if parts.count == 1 { shares[0] = min(shares[0], room) }
        var left = max(0, room - shares.reduce(0, +))
        let ideals = parts.map { $0.idealWidth(measure) }
        let wishes = zip(ideals, shares).reduce(0) { $0 + max(0, $1.0 - $1.1) }
        if wishes > left, parts.count > 1 {
            Self.share(&left, among: &shares, zip(parts, ideals).map { min($0.wordWidth(measure), $1) })
        }
        Self.share(&left, among: &shares, ideals)
        return shares
    }

    private static func share(_ left: inout Double, among shares: inout [Double], _ goals: [Double]) {
        let wishes = zip(goals, shares).map { max(0, $0 - $1) }
        let modest = wishes.indices.sorted { (wishes[$0], $0) < (wishes[$1], $1) }
        for (rank, index) in modest.enumerated() {
            let share = min(wishes[index], (left / Double(wishes.count - rank)).rounded(.down))
            shares[index] += share
            left -= share
        }
    }

    private mutating func fitColumn(
        _ part: Part, _ all: [Part], _ alignment: Alignment, _ spacing: Double, _ width: Double, _ height: Double
    ) -> Fitted {
        let parts = Array(all.prefix(count(all, spacing, height) { $0.leastHeight }))
        var left = height - spacing * Double(parts.count - 1) - parts.reduce(0) { $0 + $1.leastHeight }
        var fitted: [Fitted?] = Array(repeating: nil, count: parts.count)
        for (index, part) in parts.enumerated() where !part.growsInColumn {
            let child = fit(part, width, min(part.leastHeight + max(0, left), height))
            fitted[index] = child
            left -= child.height - part.leastHeight
        }
        let growing = parts.indices.filter { parts[$0].growsInColumn }
        for index in growing {
            let share = parts[index].leastHeight + max(0, left) / Double(growing.count)
            var child = fit(parts[index], width, share)
            if parts[index].isSpacer { child.height = share }
            fitted[index] = child
        }
        var column = Fitted(part, 0, 0)
        for child in fitted { if let child { column.width = max(column.width, child.width) } }
        for case .some(let child) in fitted {
            if column.height > 0 || !column.children.isEmpty { column.height += spacing }
            column.children.append(
                Fitted.Child(fitted: child, x: alignment.offset(of: child.width, in: column.width), y: column.height))
            column.height += child.height
        }
        return column
    }

    private mutating func fitPile(
        _ part: Part, _ parts: [Part], _ alignment: Alignment, _ width: Double, _ height: Double
    ) -> Fitted {
        var pile = Fitted(part, 0, 0)
        let fitted = parts.map { fit($0, width, height) }
        for child in fitted {
            pile.width = max(pile.width, child.width)
            pile.height = max(pile.height, child.height)
        }
        for child in fitted {
            let y = Alignment.center.offset(of: child.height, in: pile.height)
            pile.children.append(
                Fitted.Child(fitted: child, x: alignment.offset(of: child.width, in: pile.width), y: y))
        }
        return pile
    }
}

extension Part {
    var isSpacer: Bool { if case .spacer = content { true } else { false } }
    var isDivider: Bool { if case .divider = content { true } else { false } }
    fileprivate var growsInRow: Bool { growsWide || isSpacer }
    fileprivate var growsInColumn: Bool { growsHigh || isSpacer }
}
