import DiaryClient
import DiaryViews
import TerminalScreen

/// How an entry may begin: the diary's templates, one of which is selected.
struct TemplatesPane: Sendable {
    private(set) var row = 0

    /// - Parameter templates: nil until they are known.
    mutating func press(_ key: Key, _ templates: [DiaryTemplate]?) -> [PageWish] {
        let last = max(0, (templates?.count ?? 0) - 1)
        switch key {
        case .text("j"), .down: row = min(row + 1, last)
        case .text("k"), .up: row = max(row - 1, 0)
        case .home: row = 0
        case .text("G"), .end: row = last
        case .enter:
            guard let templates, templates.indices.contains(row) else { return [] }
            return [.ask(.template(name: templates[row].name))]
        case .escape: return [.back]
        default: return [.dead(key)]
        }
        return []
    }

    mutating func select(_ row: Int) { self.row = row }

    func draw(_ templates: [DiaryTemplate]?, _ here: Surroundings) -> [StyledLine] {
        guard let templates else { return [] }
        guard !templates.isEmpty else {
            return [here.row(""), here.row(" " + ScreenPhrase.noTemplates.text(in: here.language))]
        }
        return here.visible(templates.count, around: row, height: here.size.bodyHeight).map { index in
            let isSelected = index == row
            let tags = templates[index].tags.map { " #" + $0 }.joined()
            let words = (isSelected ? " > " : "   ") + templates[index].name + tags
            return StyledLine(words, isSelected ? .inverse : .plain, width: here.size.columns)
        }
    }
}
