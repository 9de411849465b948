import FoundationEssentials
import Linux

/// What a user may choose without the passcode, in settings.json.
struct Settings: Codable, Equatable {
    /// How long without its owner the device stays open, in whole seconds; 0 is for ever.
    var idleLock = Duration.zero
    /// After how many days what lies in the trash goes by itself; 0 is never.
    var trashDays: UInt32 = 30

    private enum CodingKeys: String, CodingKey { case idleLockSeconds, trashDays }

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        idleLock = .seconds(try values.decodeIfPresent(UInt32.self, forKey: .idleLockSeconds) ?? 0)
        trashDays = try values.decodeIfPresent(UInt32.self, forKey: .trashDays) ?? Settings().trashDays
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(UInt32(clamping: idleLock.components.seconds), forKey: .idleLockSeconds)
        // As long as nobody has chosen, the file says what it always said.
        if trashDays != Settings().trashDays { try values.encode(trashDays, forKey: .trashDays) }
    }

    /// Where the file cannot be read, the strictest there are: it is kept beside, as `settings.json.damaged`.
    ///
    /// - Returns: whether that was so.
    static func load(_ path: String) throws -> (Settings, wasDamaged: Bool) {
        guard try FileSystem.status(path) != nil else {
            // A full disk, or a crash, may have come between the removal of a damaged one and its successor.
            let hasDamaged = try FileSystem.status(path + ".damaged") != nil
            return (hasDamaged ? strictest : Settings(), wasDamaged: hasDamaged)
        }
        let bytes: [UInt8]
        do { bytes = try FileSystem.read(path, limit: 64 * 1024) } catch {
            guard error.isOfDamagedFile || error.isTooLarge else { throw error }
            try FileSystem.rename(path, to: freeName(path))
            try? strictest.save(path)
            return (strictest, wasDamaged: true)
        }
        do { return (try JSONDecoder().decode(Settings.self, from: Data(bytes)), wasDamaged: false) } catch {
            // A full disk keeps no device from starting; the next start tries it again.
            if (try? FileSystem.replace(freeName(path), with: bytes)) != nil { try? strictest.save(path) }
            return (strictest, wasDamaged: true)
        }
    }

    private static func freeName(_ path: String) throws(LinuxError) -> String {
        var name = path + ".damaged"
        var number = 1
        while try FileSystem.status(name) != nil {
            number += 1
            name = path + ".damaged-\(number)"
        }
        return name
    }

    /// A minute.
    private static let strictest = {
        var settings = Settings()
        settings.idleLock = .seconds(60)
        return settings
    }()

    func save(_ path: String) throws {
        try FileSystem.replace(path, with: Array(JSONEncoder().encode(self)))
    }
}

/// Why tresord does not start.
package enum DaemonFailure: Error, Equatable {
    /// Another one serves this home.
    case alreadyRunning
    /// Something listens at this path though nobody serves: systemd, as a rule.
    case socketTaken(String)
    /// A file is damaged; which.
    case damaged(String)
    /// A later version of Tresor has written a file; which, the number of its format, and that version, if it is known.
    case newer(String, format: Int, version: String?)
    /// A folder belongs to somebody else.
    case notOurs(String)
    /// The enclave's state is another device's than the store's, or one of the two is gone.
    case foreignEnclave(String)
    case enclave(String)
}
