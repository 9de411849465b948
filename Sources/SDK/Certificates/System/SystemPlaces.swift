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

        /// - Parameters:
        ///   - path: absolute.
        ///   - extensions: the ends of the names that count, without the dot.
        ///   - isDeep: whether folders in it count too.
        package init(_ path: String, _ extensions: [String], isDeep: Bool) {
            self.path = path
            self.extensions = extensions
            self.isDeep = isDeep
        }
    }

    /// The system's list of roots, in PEM.
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
    /// How the file system is asked.
    package var files = SystemFiles()

    /// Those of this machine.
    package static let machine = SystemPlaces()

    /// This machine's places, until a test puts others.
    package init() {}

    /// How many deployed files are read.
    package static let mostFiles = 512
    /// As many as a system's list may have.
    package static let mostCertificates = 2000
    /// Folders below one of ``folders``.
    package static let deepest = 4
}

/// What the file system tells; tests put others in its place.
package struct SystemFiles: Sendable {
    /// What a file system tells of one name.
    package struct Facts: Sendable, Equatable {
        /// What it is; `other` is a pipe, a socket or a device.
        package enum Kind: Sendable { case folder, file, link, other }

        /// What it is, links not followed.
        package var kind: Kind
        /// The numeric id of the user to whom it belongs.
        package var owner: UInt32
        /// Permission bits.
        package var mode: UInt32

        /// - Parameter mode: permission bits, as chmod(2) has them.
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

    /// The real file system.
    package init() {}

    /// The path leads through the descriptor (proc_pid_fd(5)), and so to the folder that was opened, wherever it is
    /// called now.
    package static func facts(_ folder: borrowing FileDescriptor, _ name: String) throws(LinuxError) -> Facts? {
        guard let status = try FileSystem.status("/proc/self/fd/\(folder.raw)/\(name)") else { return nil }
        let kind: Facts.Kind =
            status.isDirectory ? .folder : status.isRegular ? .file : status.isSymbolicLink ? .link : .other
        return Facts(kind, owner: status.owner, mode: status.mode)
    }

    /// In no order; `.` and `..` are left out.
    package static func names(_ folder: borrowing FileDescriptor) throws(LinuxError) -> [String] {
        try FileSystem.names(in: "/proc/self/fd/\(folder.raw)/.")
    }
}
