import Localization
import NotesClient
import TerminalScreen

/// A note that is written in lines.
extension PlainConversation {
    /// The text that is being written, where there is one.
    var editor: PlainEditor? { if case .text(let editor) = expectation { editor } else { nil } }

    mutating func write(_ line: String, in editor: PlainEditor) -> [Effect] {
        var editor = editor
        switch editor.hear(line) {
        case .saves:
            expectation = .command
            guard let ask = editor.saving(in: folder) else { return [.say(localized("There was nothing to save."))] }
            return [.ask(ask)]
        case .cancels:
            expectation = .command
            let request = editor.cancelling.map { [Effect.ask(Ask($0))] } ?? []
            return request + [.say(localized("Nothing was saved."))]
        case .goesOn(let words):
            expectation = .text(editor)
            return (words.map { [Effect.say($0)] } ?? []) + handIn(editor)
        }
    }

    /// Each line is kept as a draft; a note that is new is made with its first line.
    func handIn(_ editor: PlainEditor) -> [Effect] { editor.isKept ? [] : [.ask(editor.draft(in: folder))] }

    private var folder: String? { if case .folder(let path) = list.place { path } else { nil } }

    mutating func noteChanged(_ id: String) {
        guard var editor else { return }
        editor.noteChanged(id)
        expectation = .text(editor)
    }

    /// Whether a text that is being written goes with this event.
    func covers(_ event: NotesEvent) -> Bool { editor?.isCovered(by: event) == true }

    /// Lines that were typed before the text went, one of them perhaps not to its end.
    mutating func take(late lines: [String]) -> [Effect] {
        guard var editor else { return [] }
        for line in lines { editor.append(line) }
        expectation = .text(editor)
        return []
    }

    /// What is written here and tresor-notes has not said to have; and what is said of it.
    mutating func lastWords() -> [Effect] {
        guard let editor else { return [] }
        let words = Effect.say(localized("What you wrote is kept as a sealed draft."))
        guard !editor.isKept else { return editor.hasWords ? [words] : [] }
        var ask = editor.draft(in: folder)
        ask.isLastWords = true
        return [.ask(ask)]
    }

    mutating func hold(_ error: NotesError) -> [Effect] {
        guard !isHolding else { return [] }
        isHolding = true
        return [
            .say(
                localized(
                    """
                    What you wrote is NOT kept: \(error.reason). It waits in this program alone, and is handed in when \
                    that can be done. Type discard to forget it.
                    """))
        ]
    }
}
