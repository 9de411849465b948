import DiaryClient
import DiaryViews
import TerminalScreen

/// What stands before a field.
extension EntryEditor.Field {
    func name(in language: DiaryLanguage) -> String {
        switch self {
        case .date: ScreenPhrase.date.text(in: language)
        case .place: ScreenPhrase.place.text(in: language)
        case .tags: DiaryPhrase.tags.text(in: language)
        case .mood: ScreenPhrase.mood.text(in: language)
        case .star: ScreenPhrase.star.text(in: language)
        case .files: ScreenPhrase.files.text(in: language)
        case .text: ScreenPhrase.text.text(in: language)
        }
    }
}

extension EntryEditor {
    /// As it stands behind the field's name.
    func value(of field: Field, in language: DiaryLanguage) -> String {
        switch field {
        case .date:
            guard date.isEmpty, self.field != .date else { return date.text }
            return dateOtherwise ?? ScreenPhrase.dateNow.text(in: language)
        case .place: return place.text
        case .tags: return tags.text
        case .mood: return mood.map { $0.text(in: language) } ?? "–"
        case .star: return isStarred ? "★" : "–"
        case .files:
            if self.field == .files { return path.text }
            return files.all.map(\.summary.name).joined(separator: ", ")
        case .text: return buffer.text
        }
    }
}
