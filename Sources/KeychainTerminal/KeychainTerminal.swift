import Tresor
package import Wire

/// The keychain in the terminal: what there is, its details, and, where it is asked for, a secret.
package enum KeychainTerminal {
    /// Shows the keychain until the person quits.
    ///
    /// - Throws: ``TresorError`` with code `unavailable` when tresord does not run, `LinuxError` when there is no
    ///   terminal.
    package static func run(home: Home) throws { try BrowserDriver(home: home).run() }
}
