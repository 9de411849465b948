import FoundationEssentials
import Linux

/// What a user may choose without the passcode, in settings.json.
struct Settings: Codable, Equatable {
    /// Seconds without its owner after which the device locks; 0 is never.
    var idleLockSeconds: UInt32 = 0

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        idleLockSeconds = try values.decodeIfPresent(UInt32.self, forKey: .idleLockSeconds) ?? 0
    }

    /// - Throws: `DaemonFailure.damaged` for a file that is there and not ours.
    static func load(_ path: String) throws -> Settings {
        guard try FileSystem.status(path) != nil else { return Settings() }
        do {
            return try JSONDecoder().decode(Settings.self, from: Data(FileSystem.read(path, limit: 64 * 1024)))
        } catch let error as LinuxError { throw error } catch { throw DaemonFailure.damaged(path) }
    }

    func save(_ path: String) throws {
        try FileSystem.replace(path, with: Array(JSONEncoder().encode(self)))
    }
}

/// Why tresord does not start.
package enum DaemonFailure: Error, Equatable {
    /// Another one serves this home.
    case alreadyRunning
    /// A file is damaged; which.
    case damaged(String)
    /// A folder belongs to somebody else.
    case notOurs(String)
    /// The enclave's state is another device's than the store's, or one of the two is gone.
    case foreignEnclave(String)
    case enclave(String)
}
