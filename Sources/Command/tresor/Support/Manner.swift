import Synchronization

/// How much a command says besides what it was asked for; two options that every command takes.
enum Manner {
    private struct Choice {
        var isQuiet = false
        var isVerbose = false
    }

    /// Said once, while the command line is taken apart, and read by whatever speaks.
    private static let choice = Mutex(Choice())

    /// Nothing but data and errors.
    static var isQuiet: Bool { choice.withLock(\.isQuiet) }

    /// Of an error also what other programs call it.
    static var isVerbose: Bool { choice.withLock(\.isVerbose) }

    static func choose(isQuiet: Bool, isVerbose: Bool) {
        choice.withLock { $0 = Choice(isQuiet: isQuiet, isVerbose: isVerbose) }
    }
}
