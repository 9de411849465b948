/// Who asks: which connection, so that a proof of presence given over one is not spent over another, and which access
/// groups it may reach.
package struct Caller: Sendable {
    /// The connection's number; 0 for the store's own calls.
    package var connection: UInt64
    /// The first is the default for new items.
    ///
    /// Empty: no group, no item.
    package var accessGroups: [String]

    /// - Parameters:
    ///   - connection: over which proofs of presence count.
    ///   - accessGroups: the first is the default for new items.
    package init(connection: UInt64, accessGroups: [String]) {
        self.connection = connection
        self.accessGroups = accessGroups
    }
}
