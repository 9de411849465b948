import DiaryClient
import DiaryViews
import TerminalScreen

/// When the diary locks, and whether backups have it; one of these is selected.
struct SettingsPane: Sendable {
    enum Setting: Int, CaseIterable, Sendable { case lockMinutes, locksOnResign, isExcludedFromBackup }

    private(set) var row = 0

    /// Minutes that the arrows go through; others can be set by a command.
    static let usualMinutes = [0, 1, 2, 5, 10, 15, 30, 60]

    /// - Parameter settings: nil until they are known.
    mutating func press(_ key: Key, _ settings: DiarySettings?) -> [PageWish] {
        let last = Setting.allCases.count - 1
        switch key {
        case .text("j"), .down, .tab: row = min(row + 1, last)
        case .text("k"), .up, .backTab: row = max(row - 1, 0)
        case .left: return change(settings, isForward: false)
        case .right, .text(" "), .enter: return change(settings, isForward: true)
        case .escape: return [.back]
        default: return [.dead(key)]
        }
        return []
    }

    private func change(_ settings: DiarySettings?, isForward: Bool) -> [PageWish] {
        guard let settings, let setting = Setting(rawValue: row) else { return [] }
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
        return [.ask(.changeSettings(changes))]
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

    /// The settings in words, in the order of their numbers.
    static func words(_ settings: DiarySettings?, in language: DiaryLanguage) -> [(name: String, value: String)] {
        guard let settings else { return [] }
        func yesNo(_ choice: Bool?) -> String { (choice == true ? ScreenPhrase.yes : .no).text(in: language) }
        return [
            (
                ScreenPhrase.lockMinutes.text(in: language),
                ScreenPhrase.minutes(settings.lockMinutes ?? 0, in: language)
            ),
            (ScreenPhrase.locksOnResign.text(in: language), yesNo(settings.locksOnResign)),
            (ScreenPhrase.excludedFromBackup.text(in: language), yesNo(settings.isExcludedFromBackup)),
        ]
    }

    /// The settings, and below them how much there is.
    func draw(_ standing: Standing, _ here: Surroundings) -> [StyledLine] {
        let settings = Self.words(standing.status?.settings, in: here.language)
        let counts = standing.counts(in: here.language)
        let columns = here.size.columns
        let width = min(((settings + counts).map { CellWidth.of($0.name) }.max() ?? 0) + 5, columns * 2 / 3)
        let rows = settings.enumerated().map { index, fact in
            let isSelected = index == row
            var line = StyledLine()
            line.append((isSelected ? " > " : "   ") + fact.name, isSelected ? .inverse : .bold, width: width)
            line.append(isSelected ? "‹ \(fact.value) ›" : "  " + fact.value, width: columns - width)
            return line
        }
        if here.size.isLow { return Array(rows[here.visible(rows.count, around: row, height: here.size.bodyHeight)]) }
        let facts = counts.map { fact in
            var line = StyledLine()
            line.append("   " + fact.name, .faint, width: width)
            line.append("  " + fact.value, .faint, width: columns - width)
            return line
        }
        let hint = here.row("   " + ScreenPhrase.passwordHint.text(in: here.language), .faint)
        return [here.row("")] + rows + [here.row("")] + facts + [here.row(""), hint]
    }
}
