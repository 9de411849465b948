import DiaryClient
import DiaryViews
import TerminalScreen

/// How an entry may begin.
extension OpenDiary {
    mutating func press(_ key: Key, inTemplates row: Int) -> [Effect] {
        let last = max(0, (templates?.count ?? 0) - 1)
        switch key {
        case .text("j"), .down: show(.templates(row: min(row + 1, last)))
        case .text("k"), .up: show(.templates(row: max(row - 1, 0)))
        case .home: show(.templates(row: 0))
        case .text("G"), .end: show(.templates(row: last))
        case .enter:
            guard let templates, templates.indices.contains(row) else { return [] }
            return [.ask(Ask(.template(name: templates[row].name)))]
        case .escape: return goBack()
        default: break
        }
        return []
    }

    /// A new entry that begins so; nothing is lost where it is closed as it is.
    mutating func begin(with template: DiaryTemplate, _ text: String) -> [Effect] {
        guard case .templates = page else { return [] }
        let time = LocalTime(microseconds: now.date, zone: zone)
        let words = TemplateText.text(text, at: time, in: language)
        show(.editor(EntryEditor(beginning: words, tags: template.tags, size)))
        return [.clear]
    }

    func drawTemplates(_ selected: Int) -> [StyledLine] {
        guard let templates else { return [] }
        guard !templates.isEmpty else { return [row(""), row(" " + ScreenPhrase.noTemplates.text(in: language))] }
        return visible(templates.count, around: selected, height: size.bodyHeight).map { index in
            let isSelected = index == selected
            let tags = templates[index].tags.map { " #" + $0 }.joined()
            let words = (isSelected ? " > " : "   ") + templates[index].name + tags
            return StyledLine(words, isSelected ? .inverse : .plain, width: size.columns)
        }
    }
}
