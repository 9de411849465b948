import Linux

/// What the environment says of a terminal, which it need not say truly: it permits, and promises nothing.
package struct TerminalLooks: Equatable, Sendable {
    /// Whether it can only write lines (`TERM=dumb`, or none): no screen is drawn on it, and nothing is asked of it.
    package let isDumb: Bool
    /// Whether nothing is to be told by colours (no-color.org), or the terminal has none.
    package let isColorless: Bool
    /// Whether a program stands between, such as tmux or screen, which passes on text, and pictures only where it
    /// speaks of them itself.
    package let isMultiplexed: Bool
    /// The colours of a cell; nil where none are to be used.
    package let cellColors: CellColors?

    /// - Parameter variable: the value of the environment variable of that name.
    package init(_ variable: (String) -> String?) {
        let terminal = variable("TERM") ?? ""
        isDumb = terminal.isEmpty || terminal == "dumb"
        let isMonochrome = ["vt", "ansi-m", "xterm-mono", "linux-m"].contains { terminal.hasPrefix($0) }
        isColorless = isDumb || isMonochrome || !(variable("NO_COLOR") ?? "").isEmpty
        isMultiplexed = variable("TMUX") != nil || ["screen", "tmux"].contains { terminal.hasPrefix($0) }
        let isDirect =
            ["truecolor", "24bit"].contains(variable("COLORTERM") ?? "") || terminal.hasSuffix("-direct")
        cellColors = isColorless ? nil : isDirect ? .direct : .indexed
    }

    /// Those of this process.
    package static var here: TerminalLooks { TerminalLooks { CurrentProcess.environment($0) } }
}
