import Linux
package import Wire

/// How a program of ours tells the daemon which one it is, before it hides from others.
package enum Introduction {
    /// Lets the daemon look at this process, which it can't any more once that is not dumpable (PR_SET_DUMPABLE).
    ///
    /// What it saw holds for every later connection of this process.
    ///
    /// - Parameter time: how long that may take; a daemon that answers nobody holds up no program for longer.
    /// - Returns: what it takes this program for; nil where no daemon runs.
    @discardableResult
    package static func introduce(_ home: Home, within time: Duration = patience) -> CallerReport? {
        try? SocketTransport(home, within: time).report
    }

    /// How long an introduction may take.
    package static let patience = Duration.seconds(5)

    /// The same, with the home that the environment names.
    package static func introduce(within time: Duration = patience) {
        if let home = try? Home(environment: CurrentProcess.environment, user: CurrentProcess.user) {
            introduce(home, within: time)
        }
    }
}
