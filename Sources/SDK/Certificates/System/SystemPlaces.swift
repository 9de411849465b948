package import Linux

/// Where the keychains that belong to no user lie, and whose word they are.
package struct SystemPlaces: Sendable {
    /// A folder of deployed certificates.
    package struct Folder: Sendable, Equatable {
        /// Absolute, below ``SystemPlaces/top``.
        package let path: String
        /// The ends of the names that count, without the dot; others are not looked at.
        package let extensions: [String]
        /// Whether folders in it count too.
        package let isDeep: Bool

        package init(_ path: String, _ extensions: [String], isDeep: Bool) {
            self.path = path
            self.extensions = extensions
            self.isDeep = isDeep
        }
    }

    package var rootsFile = TrustRoots.systemPath
    /// Our own, and the one of which Debian makes the system's list (update-ca-certificates(8)).
    package var folders = [
        Folder("/etc/tresor/certificates", ["pem", "crt", "cer", "der"], isDeep: false),
        Folder("/usr/local/share/ca-certificates", ["crt"], isDeep: true),
    ]
    /// Whose files are believed: root's.
    package var owner: UInt32 = 0
    /// The folder from which on every one down to a file has to be the owner's alone.
    package var top = "/"
    package var files = SystemFiles()

    /// Those of this machine.
    package static let machine = SystemPlaces()

    package init() {}

    package static let mostFiles = 512
    /// As many as a system's list may have.
    package static let mostCertificates = 2000
    /// Folders below one of ``folders``.
    package static let deepest = 4
}

/// What the file system tells; tests put others in its place.
package struct SystemFiles: Sendable {
    package struct Facts: Sendable, Equatable {
        package enum Kind: Sendable { case folder, file, link, other }

        package var kind: Kind
        package var owner: UInt32
        /// Permission bits.
        package var mode: UInt32

        package init(_ kind: Kind, owner: UInt32, mode: UInt32) {
            self.kind = kind
            self.owner = owner
            self.mode = mode
        }
    }

    /// What a name in an open folder stands for, links not followed; nil for nothing.
    ///
    /// "." is the folder itself.
    package var facts: @Sendable (borrowing FileDescriptor, String) throws(LinuxError) -> Facts? = Self.facts
    /// The names in an open folder.
    package var names: @Sendable (borrowing FileDescriptor) throws(LinuxError) -> [String] = Self.names

    package init() {}

    /// The path leads through the descriptor (proc_pid_fd(5)), and so to the folder that was opened, wherever it is
    /// called now.
    package static func facts(_ folder: borrowing FileDescriptor, _ name: String) throws(LinuxError) -> Facts? {
        guard let status = try FileSystem.status("/proc/self/fd/\(folder.raw)/\(name)") else { return nil }
        let kind: Facts.Kind =
            status.isDirectory ? .folder : status.isRegular ? .file : status.isSymbolicLink ? .link : .other
        return Facts(kind, owner: status.owner, mode: status.mode)
    }

    package static func names(_ folder: borrowing FileDescriptor) throws(LinuxError) -> [String] {
        try FileSystem.names(in: "/proc/self/fd/\(folder.raw)/.")
    }
}
