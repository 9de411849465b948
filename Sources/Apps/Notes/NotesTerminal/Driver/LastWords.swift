import Localization
import NotesClient
import ResidentClient

/// The words that tresor-notes has not taken, held by a driver until it does.
struct LastWords: ~Copyable {
    private var held = HeldRequests<NotesRequest>()

    var isEmpty: Bool { held.isEmpty }
    var count: Int { held.count }

    /// - Parameter ask: one with what was typed, which nobody has any more but this.
    mutating func hold(_ ask: Ask) { held.hold(ask.later, body: ask.body) }

    /// - Throws: `NotesError` where something is here still at the end, and is lost with it.
    borrowing func complain() throws {
        guard !held.isEmpty else { return }
        throw NotesError(
            .cannotWrite,
            localized("what was typed last could not be handed in to tresor-notes, and is lost with this program"))
    }

    mutating func forget() { held.removeAll() }

    /// Hands in what it can.
    ///
    /// - Parameter send: asks tresor-notes.
    /// - Returns: why something is still here; nil where nothing is.
    mutating func handIn(_ send: (Ask) -> NotesLink.Outcome) -> NotesError? {
        while let next = held.first {
            switch send(Ask(next.request, body: next.body)) {
            case .answer: held.removeFirst()
            case .refusal(let error) where error.code == .notFound:
                // The note was removed meanwhile: its last words become one of their own.
                guard case .edit = next.request else { return error }
                held.replaceFirst(by: .create(NewNote(folder: nil)))
            case .refusal(let error), .lost(let error): return error
            }
        }
        return nil
    }
}
