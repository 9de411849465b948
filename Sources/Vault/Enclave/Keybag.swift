import EnclaveWire
import KeyEnvelopes
import Protection
import Secrets

/// Every class key, wrapped, with what unwrapping needs.
///
/// A value: ``SecurityModule`` decides, this only holds. See specs/keybag.md.
struct Keybag: Equatable {
    typealias Wrap = ClassKeyWrap
    typealias Promises = EnclavePromises

    struct Entry: Equatable {
        var keyClass: KeyClass
        var id: Identifier
        var wrap: Wrap
        /// X25519, for files of class CompleteUnlessOpen; else empty.
        var publicKey: [UInt8]
        var wrapped: WrappedKey
    }

    /// How the passcode becomes a key.
    struct PasscodeParameters: Equatable {
        var salt: [UInt8]
        var logRounds: UInt8
        var timePerTry: Duration
    }

    /// 1 as programs of 0.1 wrote it, without promises and seal.
    var version: UInt8 = Keybag.version
    var id: Identifier
    /// Nil while no passcode is set.
    var passcode: PasscodeParameters?
    var settings: SecuritySettings
    /// Sorted by class.
    var entries: [Entry]
    /// Class keys destroyed on purpose of which rows may be left.
    var destroyed: [Identifier]
    var promises: Promises = []
    /// Vouches for ``promises``; 32 bytes.
    var seal: [UInt8] = []

    static let purpose = "keybag"
    static let slotByteCount = 16 * 1024
    static let version: UInt8 = 2
    /// Whose key the seal stands under: only the passcode opens it, and then it is there until a restart.
    static let sealingClass = KeyClass.items(.afterFirstUnlockThisDeviceOnly)

    func entry(_ keyClass: KeyClass) -> Entry? { entries.first { $0.keyClass == keyClass } }

    /// Whether a key of this class exists only together with the passcode's protection while one is set.
    static func needsPasscode(_ keyClass: KeyClass) -> Bool { keyClass.availability != .always }

    /// The classes that exist without a passcode; `akpu` joins them while one is set.
    static let permanentClasses = KeyClass.all.filter { !$0.existsWithPasscodeOnly }
}

extension Keybag {
    func encode() -> [UInt8] {
        var writer = ByteWriter()
        writer.uint8(version)
        writer.identifier(id)
        writer.bool(passcode != nil)
        if let passcode {
            writer.field(passcode.salt)
            writer.uint8(passcode.logRounds)
            writer.uint32(UInt32(clamping: passcode.timePerTry.wholeMilliseconds))
        }
        writer.uint8(settings.delayPolicy.rawValue)
        writer.bool(settings.erasesAfterTenTries)
        writer.uint8(settings.minimumPasscodeLength)
        writer.uint8(UInt8(entries.count))
        for entry in entries {
            writer.uint8(entry.keyClass.rawValue)
            writer.identifier(entry.id)
            writer.uint8(entry.wrap.rawValue)
            writer.field(entry.publicKey)
            writer.raw(entry.wrapped.bytes)
        }
        writer.uint16(UInt16(destroyed.count))
        for key in destroyed { writer.identifier(key) }
        if version > 1 {
            writer.uint8(promises.rawValue)
            writer.raw(seal)
        }
        return writer.bytes
    }

    /// Refuses what ``encode()`` would not write.
    static func decode(_ bytes: [UInt8]) throws(DecodingError) -> Keybag {
        try bytes.withSpan { (span) throws(DecodingError) in
            var reader = ByteReader(span)
            let version = try reader.uint8()
            guard 1...Self.version ~= version else { throw .invalid }
            let id = try reader.identifier()
            let passcode = try reader.bool() ? try PasscodeParameters(from: &reader) : nil
            let settings = try SecuritySettings(from: &reader)
            guard settings.minimumPasscodeLength >= 1 else { throw .invalid }
            let entries = try decodeEntries(&reader)
            for entry in entries {
                let wanted: Wrap = passcode != nil && needsPasscode(entry.keyClass) ? .passcode : .device
                guard entry.wrap == wanted else { throw .invalid }
            }
            let count = try reader.uint16()
            guard Int(count) <= EnclaveLimits.destroyedKeys else { throw .tooLong }
            var destroyed: [Identifier] = []
            for _ in 0..<count { destroyed.append(try reader.identifier()) }
            let promises = version > 1 ? try Promises(from: &reader) : []
            let seal = version > 1 ? try reader.bytes(DeviceKeys.tagByteCount) : []
            try reader.end()
            return Keybag(
                version: version, id: id, passcode: passcode, settings: settings, entries: entries,
                destroyed: destroyed, promises: promises, seal: seal)
        }
    }

    private static func decodeEntries(_ reader: inout ByteReader) throws(DecodingError) -> [Entry] {
        var entries: [Entry] = []
        for _ in 0..<(try reader.uint8()) {
            let entry = try Entry(from: &reader)
            if let last = entries.last, last.keyClass >= entry.keyClass { throw .invalid }
            entries.append(entry)
        }
        return entries
    }
}

extension Keybag.PasscodeParameters {
    fileprivate init(from reader: inout ByteReader) throws(DecodingError) {
        salt = try reader.bytesField(limit: DeviceKeys.saltByteCount)
        logRounds = try reader.uint8()
        timePerTry = .milliseconds(try reader.uint32())
        guard salt.count == DeviceKeys.saltByteCount, DeviceKeys.logRoundsRange.contains(logRounds) else {
            throw .invalid
        }
    }
}

extension Keybag.Entry {
    fileprivate init(from reader: inout ByteReader) throws(DecodingError) {
        guard let keyClass = KeyClass(rawValue: try reader.uint8()) else { throw .invalid }
        self.keyClass = keyClass
        id = try reader.identifier()
        guard let wrap = Keybag.Wrap(rawValue: try reader.uint8()) else { throw .invalid }
        self.wrap = wrap
        publicKey = try reader.bytesField(limit: 32)
        guard publicKey.count == (keyClass == .files(.completeUnlessOpen) ? 32 : 0) else { throw .invalid }
        guard let wrapped = WrappedKey(try reader.bytes(WrappedKey.byteCount)) else { throw .invalid }
        self.wrapped = wrapped
    }
}
