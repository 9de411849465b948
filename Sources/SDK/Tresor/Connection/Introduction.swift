import Linux
package import Wire

/// How a program of ours tells the daemon which one it is, before it hides from others.
package enum Introduction {
    /// Lets the daemon look at this process, which it can't any more once that is not dumpable (PR_SET_DUMPABLE).
    ///
    /// What it saw holds for every later connection of this process.
    ///
    /// - Parameter milliseconds: how long that may take; a daemon that answers nobody holds up no program for longer.
    /// - Returns: what it takes this program for; nil where no daemon runs.
    @discardableResult
    package static func introduce(_ home: Home, within milliseconds: Int32 = patience) -> CallerReport? {
        try? SocketTransport(home, within: milliseconds).report
    }

    /// How long an introduction may take, in milliseconds.
    package static let patience: Int32 = 5000

    /// The same, with the home that the environment names.
    package static func introduce(within milliseconds: Int32 = patience) {
        if let home = try? Home(environment: CurrentProcess.environment, user: CurrentProcess.user) {
            introduce(home, within: milliseconds)
        }
    }
}
