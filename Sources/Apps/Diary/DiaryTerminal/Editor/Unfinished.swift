import DiaryClient
import DiaryViews

/// What was being written when the diary was locked: random numbers, and nothing that was written.
struct Unfinished: Equatable, Sendable {
    /// The published entry that was changed; nil for one that is only a draft.
    let entry: String?
    /// The sealed draft with what was not saved; nil until it is known.
    var draft: String?
    /// Whether files were to be added, which a draft beside a published entry does not keep.
    var losesFiles: Bool
    /// Whether files waited on the connection for the draft: where that is handed in later, they are gone.
    var hasStagedFiles = false
    /// Fields whose words no draft can keep.
    var unkeptFields: [EntryEditor.Field] = []

    /// What is told of them; nil where there are none.
    func unkeptWords(in language: DiaryLanguage) -> String? {
        guard !unkeptFields.isEmpty else { return nil }
        let names = unkeptFields.map { $0.name(in: language) }.joined(separator: ", ")
        return ScreenPhrase.fieldsNotKept(names, in: language)
    }
}
