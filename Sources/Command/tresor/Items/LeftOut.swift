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
        if let damagedWords { throw Failure(ExitCode.damaged, damagedWords, hint: "'tresor status' lists them") }
        if let lockedWords, !isLockExpected {
            throw Failure(ExitCode.locked, lockedWords, hint: "unlock with 'tresor unlock'")
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
        switch damaged {
        case 0: nil
        case 1: "1 item cannot be decoded and was left out; it is kept"
        default: "\(damaged) items cannot be decoded and were left out; they are kept"
        }
    }

    /// Nil where nothing is shut.
    private var lockedWords: String? {
        if isUncounted {
            return "before the first unlock only items of class always are found by a name: there may be more"
        }
        guard locked > 0 else { return nil }
        let count = locked == 1 ? "1 item is" : "\(locked) items are"
        return isEarly
            ? "\(count) shut until the first unlock and left out, those that other programs keep among them"
            : "\(count) locked and left out"
    }
}
