package import EnclaveWire
package import Protection
package import Secrets

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

/// Where class keys are.
///
/// Two exist: `EnclaveClient` of Daemon, which asks tresor-enclave and is handed to the store by `DeviceOwner.init`,
/// and `MockKeystore` of TresorTesting, in memory.
package protocol Keystore: AnyObject {
    var lockState: LockState { get }
    var hasPasscode: Bool { get }

    /// - Parameters:
    ///   - binding: an encoded `RowKeyBinding`.
    ///   - connection: over which the item's own password was given, where it has one.
    func makeRowKey(binding: [UInt8], connection: UInt64) throws(EnclaveRefusal) -> NewKey
    /// Several at once.
    ///
    /// - Parameters:
    ///   - bindings: of items that nobody has to prove anything for.
    ///   - take: gets each key, with the place of its binding, in their order.
    func makeRowKeys(bindings: [[UInt8]], take: (Int, consuming NewKey) -> Void) throws(EnclaveRefusal)
    func openRowKey(_ stored: StoredRowKey) throws(EnclaveRefusal) -> SecretBytes
    func makeTableKey(keychain: Identifier, _ protectionClass: ProtectionClass) throws(EnclaveRefusal) -> NewKey
    func openTableKey(_ stored: StoredStoreKey) throws(EnclaveRefusal) -> SecretBytes
    func makeIndexKey(keychain: Identifier, _ protectionClass: ProtectionClass) throws(EnclaveRefusal) -> NewKey
    func openIndexKey(_ stored: StoredStoreKey) throws(EnclaveRefusal) -> SecretBytes

    /// Makes a P-256 key that stays where class keys are.
    func makePrivateKey(binding: [UInt8], connection: UInt64) throws(EnclaveRefusal) -> NewPrivateKey
    /// A signature in DER, or the X coordinate of a shared point.
    func usePrivateKey(_ use: PrivateKeyUse) throws(EnclaveRefusal) -> SecretBytes
}
