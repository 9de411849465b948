import Linux
package import Wire

/// How a program of ours tells the daemon which one it is, before it hides from others.
package enum Introduction {
    /// Lets the daemon look at this process, which it can't any more once that is not dumpable (PR_SET_DUMPABLE).
    ///
    /// What it saw holds for every later connection of this process.
    ///
    /// - Returns: what it takes this program for; nil where no daemon runs.
    @discardableResult
    package static func introduce(_ home: Home) -> CallerReport? {
        try? SocketTransport(home).report
    }

    /// The same, with the home that the environment names.
    package static func introduce() {
        if let home = try? Home(environment: CurrentProcess.environment, user: CurrentProcess.user) { introduce(home) }
    }
}
