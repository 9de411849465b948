package import Linux

/// A machine as its files show it, read below a root folder, so that a folder of a test can stand for one.
package struct MachineView: Sendable {
    /// What reading a file came to.
    package enum Content {
        case bytes([UInt8])
        case absent
        case unreadable
    }

    /// Of what cannot be read as a file below the root.
    package struct OwnProcess: Sendable {
        /// The variables at the start, from this process's memory; nil where they cannot be read.
        let startEnvironment: @Sendable () -> [UInt8]?
        /// Whether a sandbox denied what it should; nil where that could not be tried.
        let sandboxHolds: @Sendable () -> Bool?

        /// What is not given cannot be read.
        package init(
            startEnvironment: @escaping @Sendable () -> [UInt8]? = { nil },
            sandboxHolds: @escaping @Sendable () -> Bool? = { nil }
        ) {
            self.startEnvironment = startEnvironment
            self.sandboxHolds = sandboxHolds
        }
    }

    /// Without a slash at its end; empty for the machine's own root.
    private let root: String
    /// Whom files of the system may belong to.
    package let systemOwners: Set<UInt32>
    /// What files do not tell of this process.
    package let ownProcess: OwnProcess

    /// - Parameters:
    ///   - root: the folder that stands for `/`.
    ///   - systemOwners: whom files of the system may belong to; root alone where it is not said.
    package init(root: String, systemOwners: Set<UInt32> = [0], ownProcess: OwnProcess = OwnProcess()) {
        self.root = root.hasSuffix("/") ? String(root.dropLast()) : root
        self.systemOwners = systemOwners
        self.ownProcess = ownProcess
    }

    /// This machine, and this process on it.
    package static func live() -> MachineView {
        let machine = MachineView(root: "/")
        return MachineView(
            root: "/", systemOwners: machine.rootsNumbers(),
            ownProcess: OwnProcess(
                startEnvironment: { try? CurrentProcess.startEnvironment() }, sandboxHolds: Sandbox.holds))
    }

    /// The user numbers under which root's files appear.
    ///
    /// In a user namespace that does not map all users, those of the host's root appear as the overflow user's;
    /// user_namespaces(7).
    package func rootsNumbers() -> Set<UInt32> {
        let maps = lines(of: "/proc/self/uid_map")?.map { $0.split(separator: " ").compactMap { UInt32($0) } }
        guard let maps, !maps.contains([0, 0, UInt32.max]) else { return [0] }
        return [0, UInt32(line(of: "/proc/sys/kernel/overflowuid") ?? "") ?? 65_534]
    }

    // MARK: Reading

    /// The path by which this process opens what lies at `path` below the root.
    package func place(_ path: String) -> String { root + path }

    /// What a file holds; unreadable where it is longer than `limit` bytes, or no file of bytes.
    ///
    /// Links are followed, and a pipe that somebody put there is not waited for.
    package func content(_ path: String, limit: Int = 1 << 20) -> Content {
        do {
            let file = try FileDescriptor.open(place(path), FileFlags.readFollowing)
            var bytes: [UInt8] = []
            while true {
                let piece = try file.read(count: 65_536, at: bytes.count)
                bytes += piece
                if bytes.count > limit { return .unreadable }
                if piece.count < 65_536 { return .bytes(bytes) }
            }
        } catch {
            return error.isMissing ? .absent : .unreadable
        }
    }

    /// All lines of a file; nil where it is absent or unreadable.
    package func lines(of path: String, limit: Int = 16 << 20) -> [String]? {
        guard case .bytes(let bytes) = content(path, limit: limit) else { return nil }
        return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The first line of a file; nil where it is absent, unreadable or empty.
    package func line(of path: String) -> String? { lines(of: path, limit: 65_536)?.first }

    /// Nil where nothing is there, or nobody may look.
    package func status(_ path: String) -> FileSystem.Status? { try? FileSystem.status(place(path)) }

    /// The names in a folder; empty where it is absent or unreadable.
    package func names(in path: String) -> [String] { (try? FileSystem.names(in: place(path))) ?? [] }

    /// Where a link leads, as it stands in it.
    package func target(ofLink path: String) -> String? { try? FileSystem.target(ofLink: place(path)) }

    /// Whether a file's status says that it is the system's and nobody but its owner may write to it.
    package func isSystems(_ status: FileSystem.Status) -> Bool {
        systemOwners.contains(status.owner) && status.mode & 0o022 == 0
    }
}
