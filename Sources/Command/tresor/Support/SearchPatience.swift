import DiaryClient
import Linux
import Localization
import NotesClient
import Wire

/// What a search has found.
protocol SearchAnswer {
    /// Whether more may be found in a moment, when all is read.
    var isPartial: Bool { get }
    var isEmpty: Bool { get }
    /// That a part of it is here, and more is being read.
    static var isGoingOn: String { get }
    /// That it is empty so far, though not all was looked at.
    static var isEmptyYet: String { get }
    /// That it is not all, since not all was looked at.
    static var isNotAll: String { get }
}

extension NoteList: SearchAnswer {
    var isEmpty: Bool { notes.isEmpty }
    static var isGoingOn: String { localized("notes are still being read; more may be found in a moment") }
    static var isEmptyYet: String { localized("nothing was found yet: not all notes were looked at") }
    static var isNotAll: String { localized("this is not all: not all notes were looked at") }
}

extension EntryList: SearchAnswer {
    var isEmpty: Bool { entries.isEmpty }
    static var isGoingOn: String { localized("entries are still being read; more may be found in a moment") }
    static var isEmptyYet: String { localized("nothing was found yet: not all entries were looked at") }
    static var isNotAll: String { localized("this is not all: not all entries were looked at") }
}

/// How long to wait for an index that is being built, as it is right after an unlock.
///
/// For a person an answer is worth a moment. That nothing was found is said of all there is, or not at all; and a
/// script takes what it gets for all.
enum SearchPatience {
    /// Milliseconds: for all that there is to find, and for the first.
    private static let (moment, longest): (UInt64, UInt64) = (1000, 60_000)

    /// Asks until an answer is whole, or worth no longer wait.
    static func answer<Answer: SearchAnswer>(forScript: Bool, _ ask: () throws -> Answer) rethrows -> Answer {
        let start = SystemClock.bootMilliseconds()
        while true {
            let found = try ask()
            let patience = found.isEmpty || forScript ? longest : moment
            guard found.isPartial, SystemClock.bootMilliseconds() < start + patience else { return found }
            SystemClock.sleep(milliseconds: 60)
        }
    }

    /// Says that an answer is a part.
    ///
    /// - Throws: `Failure` where nobody may take it for the whole.
    static func report<Answer: SearchAnswer>(_ answer: Answer, forScript: Bool) throws {
        guard answer.isPartial else { return }
        guard answer.isEmpty || forScript else {
            return Output.error(Answer.isGoingOn)
        }
        throw Failure(
            Wire.ExitCode.unavailable, answer.isEmpty ? Answer.isEmptyYet : Answer.isNotAll,
            hint: localized("they are still being read; try again in a moment"))
    }
}
