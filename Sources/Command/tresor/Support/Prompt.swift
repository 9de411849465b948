import Linux
import TerminalScreen

/// A line that a person types at the terminal.
enum Prompt {
    /// - Parameters:
    ///   - words: what is asked for, with what stands before the answer at its end; in lines that fit the terminal.
    ///   - shows: whether the answer is shown as it is typed.
    /// - Returns: the line without its end.
    /// - Throws: `LinuxError` when there is no terminal, `Terminal.Cancelled`.
    static func line(_ words: String, shows: Bool = false) throws -> LockedBuffer {
        try Terminal.readLine(prompt: Terminal.wrapped(words, on: 0), shows: shows)
    }
}
