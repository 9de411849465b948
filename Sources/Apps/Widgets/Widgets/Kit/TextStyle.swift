/// One thing that is said of how words look.
///
/// Views have no place for it: it goes down to the words when it is said, so that a tree holds styles only where words
/// are, and is the same whatever the order of the modifiers.
enum TextStyle: Sendable {
    case font(Font)
    case tint(Tint)
    case bold(Bool)
    case lineLimit(UInt8)

    /// Those that a run of text was given, even where they are what it would have had anyway.
    struct Sorts: OptionSet, Sendable {
        let rawValue: UInt8

        static let font = Sorts(rawValue: 1)
        static let tint = Sorts(rawValue: 2)
        static let bold = Sorts(rawValue: 4)
        static let lineLimit = Sorts(rawValue: 8)
    }

    /// - Parameter lines: nil and what is below 1 are no limit; what is above 255 counts as 255.
    static func lines(_ lines: Int?) -> TextStyle { .lineLimit(UInt8(clamping: lines ?? 0)) }

    fileprivate var sort: Sorts {
        switch self {
        case .font: .font
        case .tint: .tint
        case .bold: .bold
        case .lineLimit: .lineLimit
        }
    }
}

extension TextRun {
    /// In this style, unless one of its sort was said further in.
    func styled(_ style: TextStyle) -> TextRun {
        guard !styles.contains(style.sort) else { return self }
        var run = self
        run.styles.insert(style.sort)
        // What is not usual was meant, also in a run that was not made by ``Text``.
        switch style {
        case .font(let font): if run.font == .body { run.font = font }
        case .tint(let tint): if run.tint == .primary { run.tint = tint }
        case .bold(let isBold): if !run.isBold { run.isBold = isBold }
        case .lineLimit(let lines): if run.lineLimit == 0 { run.lineLimit = lines }
        }
        return run
    }
}

extension Node {
    /// With this style for all the words in it that have none of its sort.
    func styled(_ style: TextStyle) -> Node {
        switch self {
        case .text(let run): return .text(run.styled(style))
        case .symbol(let name, .primary):
            guard case .tint(let tint) = style else { return self }
            return .symbol(name, tint)
        case .image, .symbol, .divider, .spacer: return self
        case .gauge(let gauge, let value, let label): return .gauge(gauge, value, label: label.styled(style))
        case .toggle(let isOn, let label): return .toggle(isOn: isOn, label: label.styled(style))
        case .stack(let axis, let alignment, let spacing, let nodes):
            return .stack(axis, alignment, spacing: spacing, nodes.map { $0.styled(style) })
        case .group(let nodes): return .group(nodes.map { $0.styled(style) })
        case .modified(let modifier, let inner): return .modified(modifier, inner.styled(style))
        case .sealed(let content, let placeholder):
            return .sealed(content?.styled(style), placeholder: placeholder.styled(style))
        case .reader(let content): return .reader { content($0).styled(style) }
        case .choice(let indices, let nodes): return .choice(indices, nodes.map { $0.styled(style) })
        }
    }
}
