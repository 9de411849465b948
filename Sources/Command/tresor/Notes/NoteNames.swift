import ArgumentParser
import NotesClient
import ResidentClient
import SoughtNames
import Wire

/// The note that a command is about.
struct NoteName: ExpressibleByArgument {
    /// As it was typed: an id, its beginning, or a title.
    let text: String

    init?(argument: String) { text = argument }

    private static let choice = TitleChoice(kind: .notes, listing: "tresor notes list")

    /// The note's id, for a command that changes nothing.
    func forReading(_ connection: NotesConnection, isInTrash: Bool = false) throws -> String {
        try id(connection, isChange: false, isInTrash)
    }

    /// The note's id, for a command that changes it: a title in part is asked about, or refused.
    func forChange(_ connection: NotesConnection, isInTrash: Bool = false) throws -> String {
        try id(connection, isChange: true, isInTrash)
    }

    private func id(_ connection: NotesConnection, isChange: Bool, _ isInTrash: Bool) throws -> String {
        if TitleChoice.mayBeID(text) {
            do { return try connection.note(.find(id: text)).id } catch let error as NotesError {
                switch error.code {
                case .notFound: break
                case .ambiguous: throw try ambiguous(connection)
                // Of one whose head is damaged the id is all that is known.
                case .damaged: return text
                default: throw error
                }
            }
        }
        let notes = try connection.all(NoteFilter(isInTrash: isInTrash, limit: .max))
        return try Self.choice.id(of: text, among: notes.map(Self.candidate), isChange: isChange)
    }

    private func ambiguous(_ connection: NotesConnection) throws -> Failure {
        let all = try [false, true].flatMap { try connection.all(NoteFilter(isInTrash: $0, limit: .max)) }
        let found = all.filter { $0.id.hasPrefix(text.lowercased()) }
        let ids = ShortIDs(found.map(\.id))
        return Self.choice.several(found.map { Self.candidate($0, ids) }, .beginningOfID)
    }

    private static func candidate(_ note: NoteSummary) -> TitleChoice.Candidate { candidate(note, ShortIDs([])) }

    private static func candidate(_ note: NoteSummary, _ ids: ShortIDs) -> TitleChoice.Candidate {
        let isKnown = note.damage?.contains(.head) != true
        return TitleChoice.Candidate(
            id: note.id, title: isKnown ? note.title : "", line: NotesOutput.line(note, ids))
    }
}
