import ArgumentParser
import Linux
import Localization
import TerminalScreen
import Wire

/// For commands that remove items: whoever sits at a terminal is asked, and scripts have to say that they mean it.
struct RemovalConsent: ParsableArguments {
    @Flag(help: ArgumentHelp(localized("Don't ask.")))
    var yes = false

    /// - Returns: whether somebody is to be asked.
    /// - Throws: `Failure` where that is so, and nobody is there.
    func isAsking() throws -> Bool {
        let canAsk = !yes && Question.canBeAsked
        guard yes || canAsk else {
            throw Failure(
                Wire.ExitCode.usage, localized("there is nobody to be asked; nothing was removed"),
                hint: localized("--yes removes without a question"))
        }
        return canAsk
    }
}

/// For commands that take something away for good: whoever sits at a terminal is asked, and scripts are not.
struct ConsentOption: ParsableArguments {
    @Flag(help: ArgumentHelp(localized("Don't ask, where somebody is at a terminal.")))
    var yes = false

    /// - Parameter question: what shall be done, as in "Delete it for good?"; made only where it is asked.
    /// - Throws: `Failure` for any answer but yes.
    func ask(_ question: @autoclosure () -> String) throws {
        if !yes && Question.canBeAsked { try Question.confirm(question()) }
    }
}
