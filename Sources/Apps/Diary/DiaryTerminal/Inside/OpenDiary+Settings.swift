import DiaryClient
import DiaryViews
import TerminalScreen

/// When the diary locks, and whether backups have it.
extension OpenDiary {
    enum Setting: Int, CaseIterable, Sendable { case lockMinutes, locksOnResign, isExcludedFromBackup }

    /// Minutes that the arrows go through; others can be set by a command.
    static let usualMinutes = [0, 1, 2, 5, 10, 15, 30, 60]

    mutating func press(_ key: Key, inSettings row: Int) -> [Effect] {
        let last = Setting.allCases.count - 1
        switch key {
        case .text("j"), .down, .tab: show(.settings(row: min(row + 1, last)))
        case .text("k"), .up, .backTab: show(.settings(row: max(row - 1, 0)))
        case .left: return change(row, isForward: false)
        case .right, .text(" "), .enter: return change(row, isForward: true)
        case .escape: return goBack()
        default: break
        }
        return []
    }

    private func change(_ row: Int, isForward: Bool) -> [Effect] {
        guard let settings = status?.settings, let setting = Setting(rawValue: row) else { return [] }
        var changes = DiarySettings()
        switch setting {
        case .lockMinutes:
            let minutes = settings.lockMinutes ?? 0
            let next =
                isForward
                ? Self.usualMinutes.first { $0 > minutes } ?? Self.usualMinutes.first
                : Self.usualMinutes.last { $0 < minutes } ?? Self.usualMinutes.last
            changes.lockMinutes = next
        case .locksOnResign: changes.locksOnResign = !(settings.locksOnResign ?? false)
        case .isExcludedFromBackup: changes.isExcludedFromBackup = !(settings.isExcludedFromBackup ?? false)
        }
        return [.ask(Ask(.changeSettings(changes)))]
    }

    /// A setting as words say it: minutes, or yes and no; nil for other words.
    static func changes(_ number: Int, _ words: String, _ language: DiaryLanguage) -> DiarySettings? {
        var changes = DiarySettings()
        let choice = [ScreenPhrase.yes, .no].map { $0.text(in: language) }.firstIndex(of: words.lowercased())
        switch Setting(rawValue: number - 1) {
        case .lockMinutes:
            guard let minutes = Int(words), (0...1440).contains(minutes) else { return nil }
            changes.lockMinutes = minutes
        case .locksOnResign: changes.locksOnResign = choice.map { $0 == 0 }
        case .isExcludedFromBackup: changes.isExcludedFromBackup = choice.map { $0 == 0 }
        case nil: return nil
        }
        return changes == DiarySettings() ? nil : changes
    }

    /// The settings in words, and below them how much there is.
    var settingWords: [(name: String, value: String)] {
        guard let settings = status?.settings else { return [] }
        return [
            (
                ScreenPhrase.lockMinutes.text(in: language),
                ScreenPhrase.minutes(settings.lockMinutes ?? 0, in: language)
            ),
            (ScreenPhrase.locksOnResign.text(in: language), yesNo(settings.locksOnResign)),
            (ScreenPhrase.excludedFromBackup.text(in: language), yesNo(settings.isExcludedFromBackup)),
        ]
    }

    private func yesNo(_ choice: Bool?) -> String { (choice == true ? ScreenPhrase.yes : .no).text(in: language) }

    var countWords: [(name: String, value: String)] {
        guard let status else { return [] }
        let counts: [(String, Int?)] = [
            (DiaryPhrase.drafts.text(in: language), status.drafts),
            (ScreenPhrase.trash.text(in: language), status.trashed),
            (ScreenPhrase.waitingPhotos.text(in: language), status.waitingPhotos.flatMap { $0 == 0 ? nil : $0 }),
        ]
        return counts.compactMap { name, count in count.map { (name, "\($0)") } }
    }

    func drawSettings(_ selected: Int) -> [StyledLine] {
        let settings = settingWords
        let counts = countWords
        let width = min(((settings + counts).map { CellWidth.of($0.name) }.max() ?? 0) + 5, size.columns * 2 / 3)
        let rows = settings.enumerated().map { index, fact in
            let isSelected = index == selected
            var line = StyledLine()
            line.append((isSelected ? " > " : "   ") + fact.name, isSelected ? .inverse : .bold, width: width)
            line.append(isSelected ? "‹ \(fact.value) ›" : "  " + fact.value, width: size.columns - width)
            return line
        }
        let facts = counts.map { fact in
            var line = StyledLine()
            line.append("   " + fact.name, .faint, width: width)
            line.append("  " + fact.value, .faint, width: size.columns - width)
            return line
        }
        let hint = row("   " + ScreenPhrase.passwordHint.text(in: language), .faint)
        return [row("")] + rows + [row("")] + facts + [row(""), hint]
    }
}
