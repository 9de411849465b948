import Envelopes
import KeyEnvelopes
import Protection
package import Secrets
package import Wire

/// The keychains that the owner has made, kept as items in a group that no program reaches.
///
/// Their class is AlwaysThisDeviceOnly: a forgotten device passcode must not take the key of a keychain that has a
/// passcode of its own with it. What it says is a name, and a key under that passcode and the device's root key.
package final class KeychainRegister {
    /// The group of these items.
    package static let group = "tresor.keychains"

    private enum Service {
        static let keychain = "tresor.keychain"
        static let chosen = "tresor.keychain.default"
    }

    static let services = [Service.keychain, Service.chosen]

    private let store: KeychainStore
    private var records: [String: [UInt8]] = [:]

    private let items: HiddenItems

    /// Reads nothing yet: see ``reload()``.
    package init(store: KeychainStore) {
        self.store = store
        items = HiddenItems(group: Self.group, in: store)
    }

    /// Whether a record that this device did not bind is refused: the enclave's to say, and nobody's to take back.
    package var demandsBinding: () -> Bool = { false }

    /// Whether a record of a time before records were bound may be one of this device's.
    package var takesUnbound = true

    /// Whether there is a record that this device did not write.
    package var hasRefused: Bool { store.directory.hasRefused }

    /// Whether every record is bound now.
    package private(set) var isBound = false

    /// Reads everything anew, and binds what an earlier version left unbound.
    ///
    /// A record that does not hold any more is passed over, and kept; what lies in its keychain without a passcode of
    /// its own is found where no keychain is named. One that this device did not write is refused: its keychain takes
    /// nothing, opens for nobody, and is listed as damaged.
    ///
    /// Before the first unlock nothing can be checked, and nothing can be added either.
    package func reload() throws {
        isBound = false
        let seal = try RecordSeal(store: store)
        let isDemanded = !takesUnbound || demandsBinding()
        var fresh = KeychainDirectory()
        var read: [String: [UInt8]] = [:]
        isBound = seal.isOpen
        for entry in try items.entries(Service.keychain, class: .alwaysThisDeviceOnly) {
            guard let (reading, key) = try? opened(entry, seal) else {
                guard seal.isOpen, isDemanded else { continue }
                try items.quarantine(entry)
                read[entry.account] = []
                fresh.refuse(entry.account)
                continue
            }
            read[entry.account] = reading.content
            if try isRefused(reading, entry, of: Service.keychain, seal, isDemanded) {
                fresh.refuse(entry.account)
            } else {
                fresh.insert(entry.account, key: key)
            }
        }
        try readChosen(into: &fresh, seal, isDemanded)
        (records, store.directory) = (read, fresh)
    }

    /// What a keychain's item says, and the key of which that is the record.
    private func opened(
        _ entry: HiddenItems.Entry, _ seal: borrowing RecordSeal
    ) throws -> (reading: KeychainRecordBinding.Reading, key: Identifier?) {
        guard let reading = seal.read(entry, of: Service.keychain) else { throw KeychainError(.decode, .damagedItem) }
        return (reading, try Self.key(reading.content))
    }

    private func readChosen(
        into fresh: inout KeychainDirectory, _ seal: borrowing RecordSeal, _ isDemanded: Bool
    ) throws {
        let entry = try items.entries(Service.chosen, class: .alwaysThisDeviceOnly).first { $0.account.isEmpty }
        guard let entry, let reading = seal.read(entry, of: Service.chosen) else {
            // Where there are others, somebody has said which takes what names none.
            guard seal.isOpen, !fresh.names.isEmpty else { return }
            if isDemanded { fresh.refusesDefault = true } else { try keepChosen(KeychainName.login, seal) }
            return
        }
        if try isRefused(reading, entry, of: Service.chosen, seal, isDemanded) { fresh.refusesDefault = true }
        let name = String(decoding: reading.content, as: UTF8.self)
        fresh.defaultName = fresh[name] == nil ? nil : name
        // The chosen keychain is gone, and nobody here removed it: what would lie there must not lie elsewhere.
        let isLogin = KeychainName.isSame(name, KeychainName.login)
        if seal.isOpen, isDemanded, !isLogin, fresh[name] == nil { fresh.refusesDefault = true }
    }

    /// Whether a record is not this device's; one that nobody demands to be is bound here.
    private func isRefused(
        _ reading: KeychainRecordBinding.Reading, _ entry: HiddenItems.Entry, of service: String,
        _ seal: borrowing RecordSeal, _ isDemanded: Bool
    ) throws -> Bool {
        guard seal.isOpen, case .unbound(let content) = reading else { return false }
        guard !isDemanded else {
            try items.quarantine(entry)
            return true
        }
        try items.replace(service, entry.account, seal.bind(content, of: service, entry.account))
        return false
    }

    private func keepChosen(_ name: String, _ seal: borrowing RecordSeal) throws {
        try items.keep(
            Service.chosen, account: "", class: .alwaysThisDeviceOnly,
            seal.bind(Array(name.utf8), of: Service.chosen, ""))
    }

    /// The store's identifier, to which keys of keychains are bound.
    package var storeID: Identifier { store.storeID }

    /// - Throws: −25294 where there is no such keychain, −25295 with `noOwnPasscode` for one without a passcode of
    ///   its own.
    package func record(_ name: String) throws -> [UInt8] {
        guard let record = known(name) else {
            guard KeychainName.isSame(name, KeychainName.login) else { throw KeychainError(.noSuchKeychain) }
            throw KeychainError(.invalidKeychain, .noOwnPasscode)
        }
        guard !store.directory.isRefused(name) else { throw KeychainError(.decode, .damagedItem) }
        guard !record.isEmpty else { throw KeychainError(.invalidKeychain, .noOwnPasscode) }
        return record
    }

    private func known(_ name: String) -> [UInt8]? {
        guard let index = records.index(forKey: name), KeychainName.isSame(records[index].key, name) else { return nil }
        return records[index].value
    }

    /// The key of a keychain with a passcode of its own.
    ///
    /// - Throws: as ``record(_:)``.
    package func key(_ name: String) throws -> Identifier {
        guard let key = try Self.key(record(name)) else { throw KeychainError(.invalidKeychain, .noOwnPasscode) }
        return key
    }

    /// - Throws: −25295 for what is no name, −25296 where it is taken, −50 with `tooMany` where there are too many.
    package func checkNew(_ name: String) throws {
        guard KeychainName.isValid(name) else {
            let isTaken = ([KeychainName.login] + KeychainName.readOnly).contains(name)
            throw KeychainError(isTaken ? .duplicateKeychain : .invalidKeychain)
        }
        guard !records.keys.contains(where: { KeychainName.isAlike($0, name) }) else {
            throw KeychainError(.duplicateKeychain)
        }
        guard records.count < KeychainsReport.mostKeychains - 1 else { throw KeychainError(.parameter, .tooMany) }
        // A keychain whose record is gone must not come back under a key that its items do not have.
        guard try (store.counts.items(in: name) ?? 0) == 0 else {
            throw KeychainError(.duplicateKeychain, .damagedItem)
        }
    }

    /// Adds a keychain.
    ///
    /// - Parameter record: of its key; empty for one that opens with the device.
    package func insert(_ name: String, record: [UInt8]) throws {
        try checkNew(name)
        let key = try Self.key(record)
        let seal = try RecordSeal(store: store)
        // Before the first keychain: a choice that is missing later was taken away.
        let isChosen = try items.entries(Service.chosen, class: .alwaysThisDeviceOnly).isEmpty == false
        if !isChosen { try keepChosen(KeychainName.login, seal) }
        try items.keep(
            Service.keychain, account: name, class: .alwaysThisDeviceOnly,
            seal.bind(record, of: Service.keychain, name))
        records[name] = record
        store.directory.insert(name, key: key)
    }

    /// The same key, under another passcode.
    package func replace(_ name: String, record: [UInt8]) throws {
        guard try Self.key(self.record(name)) == Self.key(record) else { throw KeychainError(.parameter) }
        try items.replace(
            Service.keychain, name, RecordSeal(store: store).bind(record, of: Service.keychain, name))
        records[name] = record
    }

    /// New items lie in it from now on, where nothing else is said.
    package func choose(_ name: String) throws {
        guard KeychainName.isSame(name, KeychainName.login) || known(name) != nil else {
            throw KeychainError(KeychainName.readOnly.contains(name) ? .readOnly : .noSuchKeychain)
        }
        guard !store.directory.isRefused(name) else { throw KeychainError(.decode, .damagedItem) }
        try keepChosen(name, RecordSeal(store: store))
        store.directory.refusesDefault = false
        store.directory.defaultName = name == KeychainName.login ? nil : name
    }

    /// Removes a keychain, and every item in it.
    ///
    /// Its record goes with them at once: a crash or a failing disk leaves all of it, or nothing.
    package func remove(_ name: String) throws {
        guard known(name) != nil else {
            let isOurs = name == KeychainName.login || KeychainName.readOnly.contains(name)
            throw KeychainError(isOurs ? .readOnly : .noSuchKeychain)
        }
        let rows = try store.counts.rowsGoing(with: name)
        // First: a keychain that is chosen and gone is one that somebody took away.
        let wasChosen = store.directory.defaultName == name
        if wasChosen { try choose(KeychainName.login) }
        do { try items.remove(Service.keychain, name, withRows: rows) } catch {
            if wasChosen { try? choose(name) }
            throw error
        }
        records[name] = nil
        store.directory.remove(name)
    }

    /// `login` first, the others by name.
    ///
    /// - Parameters:
    ///   - open: the keys that are open now.
    ///   - apps: what else the store keeps for itself.
    package func report(open: [Identifier], apps: AppRegister) throws -> KeychainsReport {
        let directory = store.directory
        let others = try directory.names.map { name in
            let key = directory[name] ?? nil
            // One that is refused is shut, and nothing opens it.
            let isRefused = directory.isRefused(name)
            return KeychainsReport.Keychain(
                name: name, isDefault: directory.defaultName == name, hasOwnPasscode: key != nil || isRefused,
                isOpen: !isRefused && key.map(open.contains) ?? true, items: try store.counts.items(in: name))
        }
        let login = KeychainsReport.Keychain(
            name: KeychainName.login, isDefault: directory.defaultName == nil, hasOwnPasscode: false, isOpen: true,
            items: try store.counts.itemsInLogin())
        return KeychainsReport(keychains: [login] + others)
    }

    /// Nil for an empty record.
    private static func key(_ record: [UInt8]) throws -> Identifier? {
        guard !record.isEmpty else { return nil }
        do { return try KeychainKeyRecord(record).id } catch { throw KeychainError(.decode, .damagedItem) }
    }
}
