/// Which Tresor this is.
package enum Version {
    /// As `tresor --version` has it.
    package static let text = "0.2.0"
}
