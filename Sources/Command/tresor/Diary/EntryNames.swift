import ArgumentParser
import DiaryClient
import ResidentClient
import SoughtNames
import Wire

/// The entry that a command is about.
struct EntryName: ExpressibleByArgument {
    /// As it was typed: an id, its beginning, or the first words of the entry.
    let text: String

    init?(argument: String) { text = argument }

    private static let choice = TitleChoice(kind: .entries, listing: "tresor diary list")

    /// The entry's id, for a command that changes nothing.
    func forReading(_ connection: DiaryConnection) throws -> String { try id(connection, isChange: false, false) }

    /// The entry's id, for a command that changes it: first words in part are asked about, or refused.
    func forChange(_ connection: DiaryConnection, isInTrash: Bool = false) throws -> String {
        try id(connection, isChange: true, isInTrash)
    }

    private func id(_ connection: DiaryConnection, isChange: Bool, _ isInTrash: Bool) throws -> String {
        if TitleChoice.mayBeID(text) {
            do { return try connection.entry(.find(id: text)).id } catch let error as DiaryError {
                switch error.code {
                case .notFound: break
                case .ambiguous: throw try ambiguous(connection)
                // Of one whose head is damaged the id is all that is known.
                case .damaged: return text
                default: throw error
                }
            }
        }
        let entries = try Self.entries(isInTrash ? [.trash] : [.timeline, .drafts], connection)
        return try Self.choice.id(
            of: text, among: entries.map { Self.candidate($0, ShortIDs([])) }, isChange: isChange)
    }

    private func ambiguous(_ connection: DiaryConnection) throws -> Failure {
        let found = try Self.entries([.timeline, .drafts, .trash], connection).filter {
            $0.id.hasPrefix(text.lowercased())
        }
        let ids = ShortIDs(found.map(\.id))
        return Self.choice.several(found.map { Self.candidate($0, ids) }, .beginningOfID)
    }

    private static func entries(_ parts: [DiaryFilter.Part], _ connection: DiaryConnection) throws -> [EntrySummary] {
        var unread: [UnreadEntry] = []
        return try parts.flatMap { part in
            var filter = DiaryFilter()
            filter.part = part
            return try connection.all(filter, unread: &unread)
        }
    }

    private static func candidate(_ entry: EntrySummary, _ ids: ShortIDs) -> TitleChoice.Candidate {
        TitleChoice.Candidate(id: entry.id, title: entry.opening, line: DiaryOutput.line(entry, ids))
    }
}
