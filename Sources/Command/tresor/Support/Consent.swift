import ArgumentParser
import Linux
import Localization
import TerminalScreen

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
