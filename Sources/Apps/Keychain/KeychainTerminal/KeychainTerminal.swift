import Linux
import TerminalScreen
import Tresor
package import Wire

/// The keychain in the terminal: what there is, its details, and, where it is asked for, a secret.
package enum KeychainTerminal {
    /// Shows the keychain until the person quits.
    ///
    /// - Parameters:
    ///   - keychains: the names of the owner's keychains, first the one that is always there; asked for whenever the
    ///     list is read. Where it gives none, those that the items name are offered.
    ///   - isPlain: whether to talk in lines, for screen readers, instead of filling the screen.
    ///   - ownerIsActive: called when a key was pressed, at most once a second.
    /// - Throws: ``TresorError`` with code `unavailable` when tresord does not run, `LinuxError` when there is no
    ///   terminal.
    package static func run(
        home: Home, keychains: @escaping () throws -> [String] = { [] }, isPlain: Bool = false,
        ownerIsActive: @escaping () -> Void = {}
    ) throws {
        if isPlain {
            try PlainBrowserDriver(home: home, ownerIsActive: ownerIsActive).run()
        } else {
            let driver = try BrowserDriver(home: home, keychains: keychains, ownerIsActive: ownerIsActive)
            try driver.run()
            if let words = driver.farewell {
                _ = try? StandardStream.error.write(Terminal.wrapped("tresor: \(words)\n", on: 2))
            }
        }
    }
}
