import Envelopes
import FoundationEssentials
import Linux
import Localization
import Wire

/// What a developer writes of an app, as JSON; signing makes an `AppManifest` of it.
struct AppDescription: Decodable {
    var bundleIdentifier: String
    var name: String
    /// 1 where it is not said.
    var version: UInt32?
    var expires: Date?
    /// With or without the prefix.
    var keychainGroups: [String]?
    var applicationGroups: [String]?
    /// Paths of files, each of which is this app.
    var executables: [String]?
    var sandboxes: [String]?
    var unit: String?
    var group: String?

    private enum Key: String, CaseIterable {
        case bundleIdentifier, name, version, expires, keychainGroups, applicationGroups, executables, sandboxes, unit
        case group
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// - Throws: `Failure` that names what is wrong with the file.
    static func read(_ path: String) throws -> AppDescription {
        let bytes: [UInt8]
        do { bytes = try FileSystem.read(path, limit: 1 << 20) } catch {
            throw Failure(Wire.ExitCode.usage, localized("the description cannot be read: \(error)"))
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            // A misspelled name must not be a group that is not there.
            let names = try decoder.decode([String: Ignored].self, from: Data(bytes)).keys
            if let unknown = names.sorted().first(where: { Key(rawValue: $0) == nil }) {
                throw Failure(
                    Wire.ExitCode.usage, localized("the description has a field that is not known"),
                    hint: localized(
                        """
                        known are: \(Key.allCases.map(\.rawValue).joined(separator: ", ")); look for \
                        '\(unknown.prefix(40))'
                        """))
            }
            return try decoder.decode(AppDescription.self, from: Data(bytes))
        } catch let error as Failure { throw error } catch {
            throw Failure(
                Wire.ExitCode.usage,
                localized("the description is no JSON object with at least bundleIdentifier and name"),
                hint: localized("expires is a moment such as 2027-12-31T00:00:00Z, lists are arrays of strings"))
        }
    }

    private struct Ignored: Decodable { init(from decoder: any Decoder) {} }

    /// - Parameters:
    ///   - developer: the public key, 32 bytes.
    ///   - created: microseconds since 1970.
    func manifest(developer: [UInt8], created: UInt64) throws -> AppManifest {
        let prefix = AppManifest.prefix(of: developer) + "."
        return AppManifest(
            developer: developer, version: version ?? 1, created: created,
            expires: expires.map { UInt64(max(0, $0.timeIntervalSince1970) * 1_000_000) } ?? 0,
            bundleIdentifier: bundleIdentifier, name: name,
            keychainGroups: (keychainGroups ?? []).map { $0.hasPrefix(prefix) ? $0 : prefix + $0 },
            applicationGroups: Self.ascending(applicationGroups ?? []),
            executables: try (executables ?? []).map(Self.digest).sorted { $0.lexicographicallyPrecedes($1) },
            sandboxes: Self.ascending(sandboxes ?? []), unit: unit ?? "", group: group ?? "")
    }

    private static func ascending(_ texts: [String]) -> [String] {
        texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func digest(_ path: String) throws -> [UInt8] {
        do { return Digest.sha256(try FileSystem.read(path, limit: 1 << 30)) } catch {
            throw Failure(Wire.ExitCode.usage, localized("an executable cannot be read: \(error)"))
        }
    }
}
