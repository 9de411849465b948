import KeychainStore
import Secrets

// Keychains with a passcode of their own.
extension DeviceOwner {
    func openKeychains() throws -> [Identifier] {
        do { return try enclave.openKeychains() } catch { throw meaning(of: error) }
    }

    /// Whether one is open: then an idle lock has something to shut, passcode or not.
    var hasOpenKeychains: Bool { !openKeychainKeys.isEmpty }

    /// After what may have opened or shut one: whoever shows something hears of each that is shut, and the last takes
    /// along what programs hold.
    func noteOpenKeychains() {
        let before = openKeychainKeys
        openKeychainKeys = Set((try? openKeychains()) ?? [])
        guard !before.isSubset(of: openKeychainKeys) else { return }
        guard openKeychainKeys.isEmpty else { return mustTellState = true }
        sessions.closeAll()
        mustEvictHolders = true
    }
}
