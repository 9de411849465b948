import DiaryClient
import DiaryViews
import TerminalScreen

/// The tags of the diary, one of which is selected.
struct TagsPane: Sendable {
    private(set) var row = 0

    /// - Parameter tags: nil until they are known.
    mutating func press(_ key: Key, _ tags: [TagCount]?) -> [PageWish] {
        let last = max(0, (tags?.count ?? 0) - 1)
        switch key {
        case .text("j"), .down: row = min(row + 1, last)
        case .text("k"), .up: row = max(row - 1, 0)
        case .home: row = 0
        case .text("G"), .end: row = last
        case .enter:
            guard let tags, tags.indices.contains(row) else { return [] }
            return [.list(.tag(tags[row].tag))]
        case .escape: return [.back]
        default: return [.dead(key)]
        }
        return []
    }

    mutating func select(_ row: Int) { self.row = row }

    func draw(_ tags: [TagCount]?, _ here: Surroundings) -> [StyledLine] {
        guard let tags else { return [] }
        guard !tags.isEmpty else {
            return [here.row(""), here.row(" " + DiaryPhrase.noTags.text(in: here.language))]
        }
        return here.visible(tags.count, around: row, height: here.size.bodyHeight).map { index in
            let isSelected = index == row
            let count = " \(tags[index].count) "
            var line = StyledLine()
            let style: Style = isSelected ? .inverse : .plain
            let room = here.size.columns - count.count
            line.append((isSelected ? " > #" : "   #") + tags[index].tag, style, width: room)
            line.append(count, style)
            return line
        }
    }
}
