package import EnclaveWire
package import Protection
package import Secrets

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
    /// - Parameter keychain: the store's identifier.
    func makeTableKey(keychain: Identifier, _ protectionClass: ProtectionClass) throws(EnclaveRefusal) -> NewKey
    func openTableKey(_ stored: StoredStoreKey) throws(EnclaveRefusal) -> SecretBytes
    /// - Parameter keychain: the store's identifier.
    func makeIndexKey(keychain: Identifier, _ protectionClass: ProtectionClass) throws(EnclaveRefusal) -> NewKey
    func openIndexKey(_ stored: StoredStoreKey) throws(EnclaveRefusal) -> SecretBytes

    /// Makes a P-256 key that stays where class keys are.
    func makePrivateKey(binding: [UInt8], connection: UInt64) throws(EnclaveRefusal) -> NewPrivateKey
    /// A signature in DER, or the X coordinate of a shared point.
    func usePrivateKey(_ use: PrivateKeyUse) throws(EnclaveRefusal) -> SecretBytes
}
