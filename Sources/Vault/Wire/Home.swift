import Linux
import Localization

/// Where everything lies.
///
/// See specs/home.md.
package struct Home: Equatable, Sendable {
    /// The keychain's database and settings.
    package let data: String
    /// The enclave's folder.
    package let enclave: String
    /// Sockets.
    package let runtime: String
    /// What `$XDG_RUNTIME_DIR` names where it is not there, so that sockets lie elsewhere; nil otherwise.
    package let missingSession: String?

    /// Why no home could be found.
    package enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
        /// A variable that should hold an absolute path does not.
        case notAbsolute(variable: String)
        /// Neither `$TRESOR_HOME` nor `$HOME` is set.
        case unknown
        /// The socket's path does not fit a socket address.
        case socketPathTooLong(String)

        /// In words for whoever started the program.
        package var description: String {
            switch self {
            case .notAbsolute(let variable): localized("\(variable) must be an absolute path")
            case .unknown: localized("there is no home: set HOME, or TRESOR_HOME to an absolute path")
            case .socketPathTooLong(let path):
                localized(
                    "the socket's path has \(path.utf8.count) bytes and may have 107; choose a shorter TRESOR_HOME")
            }
        }
    }

    /// - Parameters:
    ///   - environment: looks a variable up.
    ///   - user: the numeric user id, for the runtime folder where the session has none.
    ///   - isThere: whether a session's folder exists; one that does not counts as none.
    package init(
        environment: (String) -> String?, user: UInt32,
        isThere: (String) -> Bool = { (try? FileSystem.status($0)) != nil }
    ) throws(Problem) {
        if let home = try Self.absolute("TRESOR_HOME", environment) {
            self.init(data: home, enclave: home + "/enclave", runtime: home)
        } else {
            let home = try Self.absolute("HOME", environment)
            let data = try Self.absolute("XDG_DATA_HOME", environment) ?? home.map { $0 + "/.local/share" }
            let state = try Self.absolute("XDG_STATE_HOME", environment) ?? home.map { $0 + "/.local/state" }
            guard let data, let state else { throw .unknown }
            let session = try Self.absolute("XDG_RUNTIME_DIR", environment)
            let present = session.flatMap { isThere($0) ? $0 : nil }
            self.init(
                data: data + "/tresor", enclave: state + "/tresor/enclave",
                runtime: present.map { $0 + "/tresor" } ?? "/tmp/tresor-\(user)",
                missingSession: present == nil ? session : nil)
        }
        guard notesSocket.utf8.count <= 107 else { throw .socketPathTooLong(notesSocket) }
    }

    private init(data: String, enclave: String, runtime: String, missingSession: String? = nil) {
        self.data = data
        self.enclave = enclave
        self.runtime = runtime
        self.missingSession = missingSession
    }

    private static func absolute(_ name: String, _ environment: (String) -> String?) throws(Problem) -> String? {
        guard let value = environment(name), !value.isEmpty else { return nil }
        guard value.hasPrefix("/") else { throw .notAbsolute(variable: name) }
        return value.count > 1 && value.hasSuffix("/") ? String(value.dropLast()) : value
    }

    /// Words for whoever starts a device; nil where all is as the session says.
    package var warning: String? {
        missingSession.map { "XDG_RUNTIME_DIR names '\($0)', which does not exist; sockets lie in \(runtime)" }
    }

    /// Where `tresord` listens.
    package var socket: String { runtime + "/tresord.sock" }
    /// Which process has lent the clipboard something last.
    package var clipboardMark: String { runtime + "/clipboard" }
    /// Beside the data, not the socket: a session without a runtime folder must meet the same lock.
    package var lock: String { data + "/tresord.lock" }
    /// What `tresord` has to say; see specs/home.md.
    package var log: String { data + "/tresord.log" }
    /// With the database lie its spare and what a repair needs.
    package var keychainFolder: String { data + "/keychain" }
    /// The keychain's SQLite database.
    package var database: String { keychainFolder + "/keychain.sqlite" }
    /// An empty file in the enclave's folder: a keychain was made for this device.
    package var storeMark: String { enclave + "/keychain-made" }
    /// Database, assets and drafts of notes.
    package var notesFolder: String { data + "/notes" }
    /// The longest of our sockets' paths, with the diary's.
    package var notesSocket: String { runtime + "/tresor-notes.sock" }
    /// An empty file in the enclave's folder: a store of notes was made for this device.
    package var notesMark: String { enclave + "/notes-made" }
    /// The SQLite database of notes.
    package var notesDatabase: String { notesFolder + "/notes.sqlite" }
    /// Database and photos of the diary.
    package var diaryFolder: String { data + "/diary" }
    /// Where `tresor-diary` listens.
    package var diarySocket: String { runtime + "/tresor-diary.sock" }
    /// An empty file in the enclave's folder: a password was registered for a diary.
    package var diaryMark: String { enclave + "/diary-made" }
    /// The diary's SQLite database.
    package var diaryDatabase: String { diaryFolder + "/diary.sqlite" }
    /// Sealed timelines, settings and programs of widgets.
    package var widgetsFolder: String { data + "/widgets" }
    /// Where programs of others lie that provide widgets.
    package var widgetPrograms: String { widgetsFolder + "/programs" }
    /// Shorter than its siblings, so that a home that was short enough for them stays so.
    package var widgetsSocket: String { runtime + "/widgets.sock" }
    /// The device's settings, which `tresord` alone writes.
    package var settings: String { data + "/settings.json" }
    /// What programs make of a machine that looks wrong; see docs/guides/integrity-check.md.
    package var integritySettings: String { data + "/integrity.json" }
}
