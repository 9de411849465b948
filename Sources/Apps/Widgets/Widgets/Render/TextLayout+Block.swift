extension TextLayout {
    /// A node on as many lines as it needs, each of at most so many columns but for what cannot be broken.
    func block(_ node: FrameNode, _ columns: Int, _ style: PieceStyle) -> [TextLine] {
        switch node {
        case .text(let run, let isDimmed): return paragraph(run, columns, style.with(run, isDimmed))
        case .stack(.horizontal, let alignment, let spacing, let nodes):
            return row(nodes, columns, style, alignment, gap: spacing > 0 ? max(1, Int(spacing) / 8) : 0)
        case .stack(_, let alignment, _, let nodes): return column(nodes, columns, style, alignment)
        case .labelled(let label, let inner):
            let lines = block(inner, columns, style)
            guard speaks || lines.isEmpty else { return lines }
            return paragraph(TextRun(label), columns, style)
        case .link(let url, let inner): return block(inner, columns, style.with(link: url))
        case .divider: return [TextLine([rule(columns, style)])]
        case .spacer: return []
        case .image, .symbol, .gauge, .toggle, .mask:
            let line = leaf(node, style)
            return line.isEmpty ? [] : [line.truncated(to: columns)]
        }
    }

    private func paragraph(_ run: TextRun, _ columns: Int, _ style: PieceStyle) -> [TextLine] {
        let text = DisplayText.clean(run.content, keepsLines: true)
        guard !text.isEmpty else { return [] }
        let lines = text.wrapped(to: columns)
        let limit = run.lineLimit == 0 ? lines.count : min(lines.count, Int(run.lineLimit))
        return lines[..<limit].enumerated().map { index, line in
            let isCut = index == limit - 1 && limit < lines.count
            let line = isCut ? line.clipped(to: columns - 1) + "…" : line
            return TextLine([TextPiece(.words, line, style)])
        }
    }

    private func rule(_ columns: Int, _ style: PieceStyle) -> TextPiece {
        TextPiece(.symbol, String(repeating: "─", count: columns), style.with(.secondary, false))
    }

    /// Children below each other.
    private func column(
        _ nodes: [FrameNode], _ columns: Int, _ style: PieceStyle, _ alignment: Alignment
    ) -> [TextLine] {
        var lines: [TextLine?] = []
        for node in nodes {
            // How long a line across them is shows when they are there.
            if case .divider = node {
                lines.append(nil)
            } else {
                for line in block(node, columns, style) { lines.append(line) }
            }
        }
        let width = lines.map { $0?.width ?? 0 }.max() ?? 0
        return lines.map { line in
            guard let line else { return TextLine([rule(max(3, width), style)]) }
            return line.moved(by: alignment.offset(of: line.width, in: width))
        }
    }

    /// Children side by side; below each other where there is no room for that.
    private func row(
        _ nodes: [FrameNode], _ columns: Int, _ style: PieceStyle, _ alignment: Alignment, gap: Int
    ) -> [TextLine] {
        let wide = nodes.count { $0 != .divider && $0 != .spacer }
        guard 2 * wide <= columns else { return column(nodes, columns, style, .leading) }
        var blocks: [[TextLine]] = []
        var room = columns
        for (index, node) in nodes.enumerated() {
            switch node {
            case .divider: blocks.append([TextLine([TextPiece(.symbol, "│", style.with(.secondary, false))])])
            case .spacer: blocks.append([TextLine([TextPiece(.filler, "", style)])])
            default:
                let share = room - min(room / 2, 2 * (nodes.count - index - 1))
                // A word that has room on a line of its own is not broken to stand beside something.
                let isBroken = share < columns && (share + 1...columns).contains(node.widestWord)
                guard room >= min(columns, 6), !isBroken else {
                    // What has been laid out stays so: to begin anew would take twice as long on each level.
                    let before = blocks.flatMap { $0 }.filter { $0.hasContent }
                    return before + column(Array(nodes[index...]), columns, style, .leading)
                }
                let lines = block(node, share, style)
                if !lines.isEmpty { blocks.append(lines) }
            }
            room -= (blocks.last?.map { $0.width }.max() ?? 0) + gap
        }
        return merge(blocks, alignment, gap)
    }

    private func merge(_ blocks: [[TextLine]], _ alignment: Alignment, _ gap: Int) -> [TextLine] {
        let height = blocks.map { $0.count }.max() ?? 0
        var rows = [TextLine](repeating: TextLine(), count: height)
        for (index, block) in blocks.enumerated() {
            let width = block.map { $0.width }.max() ?? 0
            let top = alignment.offset(of: block.count, in: height)
            for row in 0..<height {
                let isInside = row >= top && row < top + block.count
                if isInside { rows[row].append(block[row - top]) }
                // Nothing needs room behind the last one.
                guard index < blocks.count - 1 else { continue }
                let missing = width - (isInside ? block[row - top].width : 0)
                rows[row].append(.gap(missing + gap))
            }
        }
        return rows
    }
}

extension FrameNode {
    /// Columns of the widest word in a text of more than a line; of one line words end in an ellipsis.
    fileprivate var widestWord: Int {
        guard case .text(let run, _) = self, run.lineLimit != 1 else { return 0 }
        let text = DisplayText.clean(run.content, keepsLines: true)
        return text.split { $0 == " " || $0 == "\n" }.reduce(0) { max($0, ColumnWidth.of(String($1))) }
    }
}

extension Alignment {
    /// Where something of this extent begins in that.
    fileprivate func offset(of extent: Int, in whole: Int) -> Int {
        switch self {
        case .leading: 0
        case .center: max(0, whole - extent) / 2
        case .trailing: max(0, whole - extent)
        }
    }
}
