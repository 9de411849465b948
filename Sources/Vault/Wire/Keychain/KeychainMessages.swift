package import Protection
package import Secrets

/// What a keychain is called.
package enum KeychainName {
    /// The keychain that is always there, and that items lie in where nothing else is said.
    package static let login = "login"
    /// In bytes of UTF-8.
    package static let longest = 64
    /// Names of keychains that are made of files, and that nobody writes through us.
    package static let readOnly = ["System", "System Roots"]

    /// Whether the owner may give this name to a keychain: 1 to 64 bytes, no control, format or private character, no
    /// space of any kind at an end, and none of ours in whatever case.
    package static func isValid(_ name: String) -> Bool {
        guard (1...longest).contains(name.utf8.count), let first = name.first, let last = name.last,
            !first.isWhitespace, !last.isWhitespace
        else { return false }
        guard !([login] + readOnly).contains(where: { isAlike($0, name) }) else { return false }
        return name.unicodeScalars.allSatisfy {
            switch $0.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
            default: true
            }
        }
    }

    /// Whether people would take one for the other: upper and lower case, composed and decomposed letters.
    package static func isAlike(_ one: String, _ other: String) -> Bool { one.lowercased() == other.lowercased() }

    /// Whether they are the same bytes, as the index compares them; Swift's `==` goes by what text means.
    package static func isSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
}

/// A keychain that shall be made.
package struct KeychainCreation: ~Copyable {
    /// What the owner calls it, 1 to 64 bytes of UTF-8.
    package let name: String
    /// Its own, which is asked for before its secrets are read; nil for a keychain that opens with the device.
    package let ownPasscode: SecretBytes?

    /// - Parameter ownPasscode: nil for a keychain that opens with the device.
    package init(name: String, ownPasscode: consuming SecretBytes?) {
        self.name = name
        self.ownPasscode = ownPasscode
    }

    /// - Throws: `DecodingError` for a name beyond 64 bytes or one that is not UTF-8; `SecretMemoryError`.
    package init(from reader: inout ByteReader) throws {
        let ownPasscode = try reader.optionalSecretField(limit: WireLimits.passcode)
        self.init(name: try reader.stringField(limit: KeychainName.longest), ownPasscode: ownPasscode)
    }

    /// Writes whether there is a passcode, the passcode, and the name.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.optionalField(ownPasscode)
        try buffer.field(Array(name.utf8))
    }
}

/// A keychain that shall go, with all that is in it.
package struct KeychainDeletion: ~Copyable {
    /// The device's, where one is set.
    package let passcode: SecretBytes?
    /// Of the keychain, as the owner called it.
    package let name: String

    /// - Parameter passcode: the device's; nil where none is set.
    package init(passcode: consuming SecretBytes?, name: String) {
        self.passcode = passcode
        self.name = name
    }

    /// - Throws: `DecodingError` for a name beyond 64 bytes or one that is not UTF-8; `SecretMemoryError`.
    package init(from reader: inout ByteReader) throws {
        let passcode = try reader.optionalSecretField(limit: WireLimits.passcode)
        self.init(passcode: passcode, name: try reader.stringField(limit: KeychainName.longest))
    }

    /// Writes whether there is a passcode, the passcode, and the name.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.optionalField(passcode)
        try buffer.field(Array(name.utf8))
    }
}

/// A keychain, and its own passcode.
package struct KeychainOpening: ~Copyable {
    /// Of the keychain, as the owner called it.
    package let name: String
    /// The keychain's own, not the device's.
    package let ownPasscode: SecretBytes

    /// - Parameter ownPasscode: the keychain's, not the device's.
    package init(name: String, ownPasscode: consuming SecretBytes) {
        self.name = name
        self.ownPasscode = ownPasscode
    }

    /// - Throws: `DecodingError` for a name beyond 64 bytes or one that is not UTF-8; `SecretMemoryError`.
    package init(from reader: inout ByteReader) throws {
        let ownPasscode = try reader.secretField(limit: WireLimits.passcode)
        self.init(name: try reader.stringField(limit: KeychainName.longest), ownPasscode: ownPasscode)
    }

    /// Writes passcode and name.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(ownPasscode)
        try buffer.field(Array(name.utf8))
    }
}

/// A keychain whose own passcode shall be another.
package struct KeychainRekeying: ~Copyable {
    /// Of the keychain, as the owner called it.
    package let name: String
    /// The keychain's own passcode, as it was and as it shall be.
    package let change: PasscodeChange

    /// - Parameter change: of the keychain's own passcode.
    package init(name: String, change: consuming PasscodeChange) {
        self.name = name
        self.change = change
    }

    /// - Throws: `DecodingError` for passcodes beyond 1,024 bytes or a name beyond 64; `SecretMemoryError`.
    package init(from reader: inout ByteReader) throws {
        let change = PasscodeChange(
            current: try reader.secretField(limit: WireLimits.passcode),
            new: try reader.secretField(limit: WireLimits.passcode))
        self.init(name: try reader.stringField(limit: KeychainName.longest), change: change)
    }

    /// Writes the present passcode, the new one, and the name.
    package borrowing func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.field(change.current)
        try buffer.field(change.new)
        try buffer.field(Array(name.utf8))
    }
}

/// The keychains of a user.
package struct KeychainsReport: Equatable, Sendable {
    /// How many keychains a user may have, `login` among them.
    package static let mostKeychains = 128
    private static let notKnown = UInt32.max

    /// One keychain, as its owner sees it.
    package struct Keychain: Equatable, Sendable {
        /// What the owner calls it.
        package var name: String
        /// Whether new items lie in it where nothing else is said.
        package var isDefault: Bool
        /// Whether it opens by a passcode of its own, beside the device's.
        package var hasOwnPasscode: Bool
        /// Whether its secrets can be read as far as its own passcode goes.
        package var isOpen: Bool
        /// Nil where the lock state does not tell.
        package var items: UInt32?

        /// - Parameter items: how many lie in it; nil where the lock state does not tell.
        package init(name: String, isDefault: Bool, hasOwnPasscode: Bool, isOpen: Bool, items: UInt32?) {
            self.name = name
            self.isDefault = isDefault
            self.hasOwnPasscode = hasOwnPasscode
            self.isOpen = isOpen
            self.items = items
        }
    }

    /// `login` first, the others by name.
    package var keychains: [Keychain]

    /// - Parameter keychains: `login` first, the others by name.
    package init(keychains: [Keychain]) { self.keychains = keychains }

    /// - Throws: `DecodingError` for more than ``mostKeychains``, and for names beyond 64 bytes.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        keychains = []
        for _ in 0..<(try reader.count(limit: Self.mostKeychains)) {
            var keychain = Keychain(
                name: try reader.stringField(limit: KeychainName.longest), isDefault: try reader.bool(),
                hasOwnPasscode: try reader.bool(), isOpen: try reader.bool(), items: try reader.uint32())
            if keychain.items == Self.notKnown { keychain.items = nil }
            keychains.append(keychain)
        }
    }

    /// Writes the count in 32 bits, and each keychain; 2³²−1 items stand for a number that is not known.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.uint32(UInt32(keychains.count))
        for keychain in keychains {
            try buffer.field(Array(keychain.name.utf8))
            try buffer.bool(keychain.isDefault)
            try buffer.bool(keychain.hasOwnPasscode)
            try buffer.bool(keychain.isOpen)
            try buffer.uint32(keychain.items ?? Self.notKnown)
        }
    }
}

/// Work for a private key of the enclave's that an item stands for.
package struct KeyUse: Equatable, Sendable {
    /// Of the item that stands for the key.
    package var reference: PersistentReference
    /// Signing, or agreeing on a secret.
    package var work: PrivateKeyWork
    /// The hash, or the other's public key as X9.63 has it.
    package var input: [UInt8]

    /// - Parameter input: the hash to sign, or the other's public key.
    package init(reference: PersistentReference, work: PrivateKeyWork, input: [UInt8]) {
        self.reference = reference
        self.work = work
        self.input = input
    }

    /// - Throws: `DecodingError` for work that there is not, and for an input beyond 128 bytes.
    package init(from reader: inout ByteReader) throws(DecodingError) {
        reference = try PersistentReference(from: &reader)
        guard let work = PrivateKeyWork(rawValue: try reader.uint8()) else { throw .invalid }
        self.work = work
        input = try reader.bytesField(limit: WireLimits.wrappedKey)
    }

    /// Writes the 20 bytes of the reference, the work, and the input.
    package func encode(into buffer: inout SecretBuffer) throws(SecretMemoryError) {
        try buffer.append(reference.bytes)
        try buffer.uint8(work.rawValue)
        try buffer.field(input)
    }
}
