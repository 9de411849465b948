import DiaryClient
import Linux
import NotesClient
import Wire

/// What a search has found.
protocol SearchAnswer {
    /// Whether more may be found in a moment, when all is read.
    var isPartial: Bool { get }
    var isEmpty: Bool { get }
}

extension NoteList: SearchAnswer {
    var isEmpty: Bool { notes.isEmpty }
}

extension EntryList: SearchAnswer {
    var isEmpty: Bool { entries.isEmpty }
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
    /// - Parameter what: is searched, as a plural.
    /// - Throws: `Failure` where nobody may take it for the whole.
    static func report(_ answer: some SearchAnswer, of what: String, forScript: Bool) throws {
        guard answer.isPartial else { return }
        guard answer.isEmpty || forScript else {
            return Output.error("\(what) are still being read; more may be found in a moment")
        }
        let found = answer.isEmpty ? "nothing was found yet" : "this is not all"
        throw Failure(
            Wire.ExitCode.unavailable, "\(found): not all \(what) were looked at",
            hint: "they are still being read; try again in a moment")
    }
}
