/// How much room a text takes.
public struct TextExtent: Equatable, Sendable {
    /// Of the longest line, in points.
    public var width: Double
    /// At least 1.
    public var lineCount: Int

    /// - Parameters:
    ///   - width: of the longest line, in points.
    ///   - lineCount: at least 1.
    public init(width: Double, lineCount: Int) {
        self.width = width
        self.lineCount = lineCount
    }
}

/// Knows the letters that a text will be drawn with.
public protocol TextMeasure {
    /// - Parameters:
    ///   - run: clean text; its line limit does not count here.
    ///   - width: points, at which lines are broken; nil where they are broken at line ends alone.
    func extent(of run: TextRun, width: Double?) -> TextExtent
}

/// Says where everything in a frame stands.
///
/// What has no room is left out, the last first; words end in an ellipsis. What stands in place of what is hidden has
/// its room from the frame alone, which knows nothing of what that is.
public enum Layout {
    /// A flat list, the widget's ground first, within the family's size.
    ///
    /// - Parameters:
    ///   - frame: what to draw.
    ///   - measure: is asked at most three times for each text.
    public static func place(_ frame: Frame, measure: some TextMeasure) -> [DrawItem] {
        let size = frame.family.size
        let (width, height) = (Double(size.width), Double(size.height))
        let ground = DrawBox(x: 0, y: 0, width: width, height: height)
        var items: [DrawItem] = [
            .fill(ground, radius: frame.family.cornerRadius, .background, isDimmed: false)
        ]
        let padding = frame.family.padding
        let box = DrawBox(
            x: padding.x, y: padding.y, width: width - 2 * padding.x, height: height - 2 * padding.y)
        let surroundings = Part.Surroundings(family: frame.family, width: box.width, height: box.height)
        let node = frame.state == .unavailable ? frame.unavailableTile : frame.root
        guard let root = Part.make(node, surroundings) else { return items }
        var fitting = Fitting(measure: measure)
        let fitted = fitting.fit(root, box.width, box.height)
        let place = RootPlace(node, family: frame.family)
        fitted.draw(
            x: box.x + place.x.offset(of: fitted.width, in: box.width),
            y: box.y + place.y.offset(of: fitted.height, in: box.height), place.x, into: &items)
        return items
    }
}

/// Where the outermost view stands in a widget.
private struct RootPlace {
    let x: Alignment
    let y: Alignment

    init(_ node: FrameNode, family: WidgetFamily) {
        let isTile = !family.isAccessory
        switch node {
        case .labelled(_, let inner), .link(_, let inner): self = RootPlace(inner, family: family)
        case _ where family == .accessoryCircular: (x, y) = (.center, .center)
        case .stack(.vertical, let alignment, _, _): (x, y) = (alignment, isTile ? .leading : .center)
        case .stack(.horizontal, let alignment, _, _): (x, y) = (.leading, isTile ? alignment : .center)
        case .stack(.depth, let alignment, _, _): (x, y) = (alignment, .center)
        case .text: (x, y) = (.leading, isTile ? .leading : .center)
        case .gauge(.linear, _, _, _), .mask(.text), .mask(.block): (x, y) = (.leading, .center)
        default: (x, y) = (.center, .center)
        }
    }
}

extension Alignment {
    /// From the beginning of the room to that of what stands in it, whole points.
    func offset(of length: Double, in room: Double) -> Double {
        switch self {
        case .leading: 0
        case .center: ((room - length) / 2).rounded(.down)
        case .trailing: room - length
        }
    }
}

extension Frame {
    /// Name and symbol, in place of a widget that is not to be had.
    fileprivate var unavailableTile: FrameNode {
        let symbol = FrameNode.symbol(self.symbol, .secondary, isDimmed: false)
        let run = TextRun(displayName, font: .caption, tint: .secondary, lineLimit: 2)
        guard family != .accessoryCircular else { return symbol }
        let axis: Axis = family == .accessoryInline ? .horizontal : .vertical
        return .stack(
            .depth, .center, spacing: 0, [.stack(axis, .center, spacing: 6, [symbol, .text(run, isDimmed: false)])])
    }
}
