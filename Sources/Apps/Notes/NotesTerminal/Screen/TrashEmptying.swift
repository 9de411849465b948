import NotesClient

/// The trash is emptied: a page of it at a time, until nothing comes that was not tried.
struct TrashEmptying: Equatable, Sendable {
    private var tried: Set<String> = []

    init() {}

    /// How many were tried.
    var count: Int { tried.count }

    /// Those of a page that are to be deleted now, which then count as tried.
    mutating func take(_ list: NoteList) -> [String] {
        let rest = list.notes.map(\.id).filter { !tried.contains($0) }
        tried.formUnion(rest)
        return rest
    }
}
