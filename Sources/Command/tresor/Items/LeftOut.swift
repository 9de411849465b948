import Localization
import Wire

/// What a list could not show: said on standard error, and by the exit code.
struct LeftOut {
    var damaged = 0
    var locked = 0
    /// Before the first unlock: whose the locked items are nobody can tell then.
    var isEarly = false
    /// Whether nobody can tell then, either, which of them the search means.
    var isUncounted = false

    /// - Parameter isLockExpected: whether locked items are no failure.
    func report(isLockExpected: Bool) throws {
        if let lockedWords, isLockExpected || damaged > 0 { Output.error(lockedWords) }
        if let damagedWords {
            throw Failure(ExitCode.damaged, damagedWords, hint: localized("'tresor status' lists them"))
        }
        if let lockedWords, !isLockExpected {
            throw Failure(ExitCode.locked, lockedWords, hint: localized("unlock with 'tresor unlock'"))
        }
    }

    /// Says it beside what was asked for and is there: no failure.
    func tell() {
        for words in [lockedWords, damagedWords].compactMap(\.self) { Output.error(words) }
    }

    /// Whether what is not found may be there all the same.
    var hidesSomething: Bool { lockedWords != nil || damagedWords != nil }

    /// Nil where nothing is damaged.
    private var damagedWords: String? {
        guard damaged > 0 else { return nil }
        return localized(
            damaged, one: "1 item cannot be decoded and was left out; it is kept",
            many: "\(damaged) items cannot be decoded and were left out; they are kept")
    }

    /// Nil where nothing is shut.
    private var lockedWords: String? {
        if isUncounted {
            return localized(
                "before the first unlock only items of class always are found by a name: there may be more")
        }
        guard locked > 0 else { return nil }
        guard isEarly else {
            return localized(
                locked, one: "1 item is locked and left out", many: "\(locked) items are locked and left out")
        }
        return localized(
            locked,
            one: "1 item is shut until the first unlock and left out, those that other programs keep among them",
            many: """
                \(locked) items are shut until the first unlock and left out, those that other programs keep among them
                """)
    }
}
