import Secrets
package import Wire

extension Keychain {
    /// Has tresord open every item behind a row, for some milliseconds.
    ///
    /// - Parameter row: ``ItemLook/next`` of the part before; 0 at first.
    package func look(after row: UInt64) throws -> ItemLook {
        try conversation.reply(to: .look(after: row), .look) { try ItemLook(from: &$0) }
    }
}
