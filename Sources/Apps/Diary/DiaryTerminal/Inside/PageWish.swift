import DiaryClient
import DiaryViews
import TerminalScreen

/// What a page or a dialog wants that is not its own to do; ``OpenDiary`` does it, in the order in which it is wanted.
enum PageWish: Sendable {
    /// Something outside of what is open, such as a question to tresor-diary.
    case want(Effect)
    /// A message at the foot.
    case say(String)
    /// A key does nothing here, and that is told.
    case dead(Key)
    /// A question in the last row, or a help over everything.
    case question(DiaryDialog)
    /// An entry over this page, to be read or to be changed.
    case read(EntrySummary)
    case edit(EntrySummary)
    /// The files of an entry over this page.
    case files(of: EntrySummary)
    /// The entry so many rows below this one in the list under it.
    case neighbour(step: Int)
    /// A picture as large as the screen: of the file in this row, or of the first one that can be seen.
    case picture(of: EntrySummary, row: Int)
    /// A list over this page.
    case list(EntryPane.Source)
    /// A list in place of all pages.
    case onlyList(EntryPane.Source)
    /// The page below.
    case back
    /// The editor closes, and what is not saved goes.
    case leaveEditor
    /// The editor closes: tresor-diary has the entry, with this text.
    case finish(EntrySummary, text: String)

    static func ask(_ request: DiaryRequest) -> PageWish { .want(.ask(Ask(request))) }

    /// One entry is read, several are listed.
    static func open(_ ids: [String], known: [EntrySummary] = []) -> [PageWish] {
        if ids.count == 1, let entry = known.first(where: { $0.id == ids[0] }) { return [.read(entry)] }
        return ids.isEmpty ? [] : [.list(.chosen(ids))]
    }
}
