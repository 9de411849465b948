import Envelopes
import KeyEnvelopes
import Protection
import Secrets
import Wire

/// What an item must be before it is sealed: in a group of the caller's, of a class that is open, in a keychain, and
/// bound to whatever its access control demands.
///
/// It has the directory of keychains, which searches ask too.
final class ItemRules {
    private let classes: ClassAccess
    private let table: ItemTable
    /// The keychains that the owner has made, and which of them takes new items.
    var directory = KeychainDirectory()
    /// The enrolment state of now, 32 bytes: which fingers the owner has enrolled.
    var enrolment: () throws -> [UInt8] = { throw KeychainError(.notAvailable, .biometryUnavailable) }

    init(table: ItemTable) {
        self.table = table
        classes = table.classes
    }

    /// Fills in group, class and the rest that every item has, and checks that they may stand together.
    func complete(_ attributes: inout Attributes, _ kind: ItemKind, _ caller: Caller) throws {
        guard let defaultGroup = caller.accessGroups.first else { throw KeychainError(.missingEntitlement) }
        let group = attributes.string(.accessGroup) ?? defaultGroup
        guard caller.accessGroups.contains(group) else { throw KeychainError(.missingEntitlement) }
        guard group.utf8.count <= RowKeyBinding.longestGroup else { throw KeychainError(.parameter, .tooLarge) }
        attributes[.accessGroup] = .string(group)
        for code in [AttributeCode.synchronizable, .accessControl] {
            guard attributes[code] == nil || attributes.number(code) != nil else { throw KeychainError(.parameter) }
        }
        attributes[.synchronizable] = .number(attributes.number(.synchronizable) == 1 ? 1 : 0)
        let defaultClass: ProtectionClass = kind == .certificate ? .always : .whenUnlocked
        let code = attributes.string(.protectionClass) ?? defaultClass.code
        guard let protectionClass = ProtectionClass(code: code) else { throw KeychainError(.parameter) }
        attributes[.protectionClass] = .string(code)
        try checkCombination(attributes, protectionClass)
        // Of this item nothing is known, and the answer must not say that there is one.
        try classes.refuseLocked(protectionClass, isForNew: true)
        try bindToEnrolment(&attributes)
        bindToPassword(&attributes)
    }

    /// scrypt's cost for items' own passwords, as the power of two of N.
    #if DEBUG
        /// Without optimisation scrypt takes five times as long.
        private static let passwordLogRounds = DeviceKeys.logRoundsRange.lowerBound
    #else
        private static let passwordLogRounds = DeviceKeys.leastNewLogRounds
    #endif

    /// An item with a password of its own keeps the salt that it was made with.
    private func bindToPassword(_ attributes: inout Attributes) {
        let control = AccessControl(rawValue: UInt32(truncatingIfNeeded: attributes.number(.accessControl) ?? 0))
        guard control.contains(.applicationPassword) else { return attributes[.password] = nil }
        guard attributes[.password] == nil else { return }
        let salt = Identifier.makeRandom().bytes + Identifier.makeRandom().bytes
        attributes[.password] = .data(salt + [Self.passwordLogRounds])
    }

    /// An item for the present fingers keeps which they were when it was first said so.
    private func bindToEnrolment(_ attributes: inout Attributes) throws {
        let control = AccessControl(rawValue: UInt32(truncatingIfNeeded: attributes.number(.accessControl) ?? 0))
        guard control.isBoundToEnrolment else { return attributes[.enrolment] = nil }
        if attributes[.enrolment] == nil { attributes[.enrolment] = .data(try enrolment()) }
    }

    private func checkCombination(_ attributes: Attributes, _ protectionClass: ProtectionClass) throws {
        let raw = attributes.number(.accessControl) ?? 0
        guard let bits = UInt32(exactly: raw), AccessControl(rawValue: bits).isValid else {
            throw KeychainError(.parameter)
        }
        // What leaves the device can't demand its owner's presence here, nor be bound to it.
        if attributes.number(.synchronizable) == 1 {
            guard bits == 0, attributes[.keychain] == nil,
                protectionClass.rawValue < ProtectionClass.whenUnlockedThisDeviceOnly.rawValue
            else {
                throw KeychainError(.parameter)
            }
        }
        guard AccessControl(rawValue: bits).presence == [] || classes.hasPasscode else {
            throw KeychainError(.authenticationFailed, .noPasscodeSet, protectionClass: protectionClass)
        }
    }

    /// An item comes back to the keychain that it lay in: not to another of the same name, whose key does not open it.
    func refuseLostKeychain(of attributes: Attributes) throws {
        guard let name = attributes.string(.keychain) else { return }
        guard let key = directory[name], key == attributes.data(.keychainKey).flatMap(Identifier.init) else {
            throw KeychainError(.noSuchKeychain)
        }
        guard !directory.isRefused(name) else { throw KeychainError(.decode, .damagedItem) }
    }

    /// Programs that name no keychain see one: what lies in another under the same key is a duplicate.
    func refuseElsewhere(_ attributes: Attributes, _ kind: ItemKind) throws {
        guard !directory.keys.isEmpty else { return }
        let index = try table.keys.addIndex()
        var elsewhere = attributes
        let tags = directory.names(in: .any).filter { $0 != attributes.string(.keychain) }.map { name in
            elsewhere[.keychain] = name.map { .string($0) }
            return index.primaryTag(kind, elsewhere)
        }
        for row in try table.rows(primaryTags: tags) where !row.identity.isTombstone {
            try table.refuseUnlessTombstone(row)
        }
    }
}
