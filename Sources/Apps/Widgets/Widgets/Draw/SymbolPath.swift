/// One step of a pen on a grid of 24 by 24.
public enum PathStep: Equatable, Sendable {
    /// Lifts the pen and puts it down again.
    case move(Double, Double)
    /// A straight line.
    case line(Double, Double)
    /// A cubic Bézier curve: two control points, then where it ends.
    case curve(Double, Double, Double, Double, Double, Double)
    /// A line back to where the pen was put down.
    case close
}

/// The drawings of ``SymbolName``: strokes with round ends and joins on a grid of 24 by 24, our own.
///
///     let path = SymbolPath.svg(.lock)   // "M7.2 10.5 L16.8 10.5 …"
public enum SymbolPath {
    /// A grid's side.
    public static let side = 24.0
    /// How wide the strokes are on the grid.
    public static let lineWidth = 1.8

    /// The steps of the pen.
    public static func steps(of symbol: SymbolName) -> [PathStep] {
        var pen = Pen()
        switch symbol {
        case .lock, .lockOpen: pen.drawLock(isOpen: symbol == .lockOpen)
        case .note, .photo, .book, .calendar: pen.drawSheet(symbol)
        case .pin, .key, .shield, .flame: pen.drawThing(symbol)
        case .checklist, .warning, .clock, .star, .check, .square: pen.drawMark(symbol)
        }
        return pen.steps
    }

    /// The same as the `d` of an SVG `path`.
    public static func svg(_ symbol: SymbolName) -> String {
        var text = ""
        for step in steps(of: symbol) {
            if !text.isEmpty { text += " " }
            switch step {
            case .move(let x, let y): text += "M" + SVGNumber.text(x) + " " + SVGNumber.text(y)
            case .line(let x, let y): text += "L" + SVGNumber.text(x) + " " + SVGNumber.text(y)
            case .curve(let x1, let y1, let x2, let y2, let x, let y):
                text += "C"
                for (index, value) in [x1, y1, x2, y2, x, y].enumerated() {
                    text += (index > 0 ? " " : "") + SVGNumber.text(value)
                }
            case .close: text += "Z"
            }
        }
        return text
    }
}

/// Puts steps together.
private struct Pen {
    var steps: [PathStep] = []
    /// How far the control points of a quarter of a circle lie from its ends, in radii.
    private static let quarter = 0.5523

    mutating func lines(_ points: [(Double, Double)], isClosed: Bool = false) {
        for (index, point) in points.enumerated() {
            steps.append(index == 0 ? .move(point.0, point.1) : .line(point.0, point.1))
        }
        if isClosed { steps.append(.close) }
    }

    /// A point: round ends make it one of a stroke's width.
    mutating func dot(_ x: Double, _ y: Double) { lines([(x, y), (x, y + 0.01)]) }

    mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double) {
        let (right, bottom, free) = (x + width, y + height, radius * (1 - Self.quarter))
        steps += [
            .move(x + radius, y), .line(right - radius, y),
            .curve(right - free, y, right, y + free, right, y + radius), .line(right, bottom - radius),
            .curve(right, bottom - free, right - free, bottom, right - radius, bottom), .line(x + radius, bottom),
            .curve(x + free, bottom, x, bottom - free, x, bottom - radius), .line(x, y + radius),
            .curve(x, y + free, x + free, y, x + radius, y), .close,
        ]
    }

    mutating func circle(_ x: Double, _ y: Double, radius: Double) {
        rectangle(x - radius, y - radius, 2 * radius, 2 * radius, radius: radius)
    }

    mutating func drawLock(isOpen: Bool) {
        rectangle(5, 10.5, 14, 10, radius: 2.4)
        let top = isOpen ? 2.8 : 3.5
        let handle = 4 * Self.quarter
        steps += [
            .move(8, 10.5), .line(8, top + 4), .curve(8, top + 4 - handle, 12 - handle, top, 12, top),
            .curve(12 + handle, top, 16, top + 4 - handle, 16, top + 4),
        ]
        steps.append(isOpen ? .line(16, 7.6) : .line(16, 10.5))
        lines([(12, 14.6), (12, 16.6)])
    }

    mutating func drawSheet(_ symbol: SymbolName) {
        switch symbol {
        case .note:
            steps += [
                .move(13.5, 3), .line(7.2, 3), .curve(6, 3, 5, 4, 5, 5.2), .line(5, 18.8),
                .curve(5, 20, 6, 21, 7.2, 21),
                .line(16.8, 21), .curve(18, 21, 19, 20, 19, 18.8), .line(19, 8.5), .line(13.5, 3), .line(13.5, 8.5),
                .line(19, 8.5),
            ]
            lines([(8.8, 13), (15.2, 13)])
            lines([(8.8, 16.8), (13, 16.8)])
        case .photo:
            rectangle(3, 4.5, 18, 15, radius: 2.6)
            circle(8.3, 9.4, radius: 1.5)
            lines([(3.8, 17), (9, 12.8), (12.2, 15.6), (15.8, 12), (20.4, 16)])
        case .calendar:
            rectangle(4, 5, 16, 15.5, radius: 2.6)
            lines([(4, 10), (20, 10)])
            lines([(8.5, 3), (8.5, 6.8)])
            lines([(15.5, 3), (15.5, 6.8)])
            for x in [8.2, 12, 15.8] { dot(x, 14) }
            dot(8.2, 17)
        default:
            steps += [
                .move(12, 6.2), .curve(9.8, 4.6, 6.6, 4, 3, 4.4), .line(3, 18), .curve(6.6, 17.6, 9.8, 18.4, 12, 20),
                .curve(14.2, 18.4, 17.4, 17.6, 21, 18), .line(21, 4.4), .curve(17.4, 4, 14.2, 4.6, 12, 6.2),
                .line(12, 20),
            ]
        }
    }

    mutating func drawThing(_ symbol: SymbolName) {
        switch symbol {
        case .pin:
            lines([(8.5, 3.2), (15.5, 3.2)])
            steps += [
                .move(9.8, 3.2), .line(9.8, 9.2), .curve(7.8, 10, 6.6, 11.6, 6.5, 14), .line(17.5, 14),
                .curve(17.4, 11.6, 16.2, 10, 14.2, 9.2), .line(14.2, 3.2),
            ]
            lines([(12, 14), (12, 21)])
        case .key:
            circle(8, 16, radius: 4.5)
            lines([(11.3, 12.7), (20, 4)])
            lines([(17, 7), (19.8, 9.8)])
            lines([(14.2, 9.8), (16.2, 11.8)])
        case .shield:
            steps += [
                .move(12, 3), .curve(14.4, 4.9, 17, 5.8, 19.5, 6), .line(19.5, 11.6),
                .curve(19.5, 16, 16.6, 19.4, 12, 21.2), .curve(7.4, 19.4, 4.5, 16, 4.5, 11.6), .line(4.5, 6),
                .curve(7, 5.8, 9.6, 4.9, 12, 3), .close,
            ]
        default:
            steps += [
                .move(12.6, 3), .curve(13, 7.2, 18, 9.2, 18, 14.6), .curve(18, 18.4, 15.3, 21, 12, 21),
                .curve(8.7, 21, 6, 18.6, 6, 15.2), .curve(6, 12.8, 7.2, 11.2, 8.4, 10),
                .curve(8.7, 11.6, 9.5, 12.5, 10.4, 12.8), .curve(9.9, 9.2, 10.6, 5.4, 12.6, 3), .close,
            ]
        }
    }

    mutating func drawMark(_ symbol: SymbolName) {
        switch symbol {
        case .checklist:
            for y in [6.0, 12.2] { lines([(3.5, y), (5.2, y + 1.7), (8.3, y - 1.7)]) }
            circle(5.8, 18.4, radius: 1.5)
            for y in [6.0, 12.2, 18.4] { lines([(12, y), (20.5, y)]) }
        case .warning:
            lines([(12, 4), (21.2, 19.6), (2.8, 19.6)], isClosed: true)
            lines([(12, 10), (12, 13.6)])
            dot(12, 16.6)
        case .clock:
            circle(12, 12, radius: 8.8)
            lines([(12, 7), (12, 12), (15.2, 14)])
        case .star:
            lines(
                [
                    (12, 3.4), (14.41, 9.28), (20.75, 9.76), (15.9, 13.87), (17.41, 20.04), (12, 16.7),
                    (6.59, 20.04), (8.1, 13.87), (3.25, 9.76), (9.59, 9.28),
                ], isClosed: true)
        case .check: lines([(4.8, 12.8), (9.8, 17.6), (19.4, 6.8)])
        default: rectangle(5, 5, 14, 14, radius: 3.2)
        }
    }
}
