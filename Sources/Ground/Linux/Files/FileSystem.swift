import CLinux
import Glibc

/// The few questions about paths that Tresor asks.
package enum FileSystem {
    /// What stat(2) tells of a path.
    package struct Status: Sendable, Equatable {
        /// Whether it is a folder.
        package let isDirectory: Bool
        /// Whether it is a UNIX socket.
        package let isSocket: Bool
        /// Whether it is a file with bytes.
        package let isRegular: Bool
        /// Whether it is a link, which was not followed.
        package let isSymbolicLink: Bool
        /// Permission bits, without the type.
        package let mode: UInt32
        /// The numeric id of its user.
        package let owner: UInt32
        /// Of its content; of a sparse file more than it takes.
        package let byteCount: Int
        /// When what stat(2) tells of it changed last, also by a rename: seconds since 1970.
        package let changed: Int64
        /// Of one file or folder, whatever path leads there; of no two on a machine.
        package let identity: FileNumber
    }

    /// By which one file is told from another, as long as it is there.
    package struct FileNumber: Sendable, Hashable {
        /// Of the file system.
        package let device: UInt64
        /// Within the file system.
        package let inode: UInt64
    }

    /// Nil when nothing is there.
    ///
    /// Symbolic links are not followed.
    package static func status(_ path: String) throws(LinuxError) -> Status? {
        var info = stat()
        guard unsafe lstat(path, &info) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw LinuxError(call: "lstat", code: errno, path: path)
        }
        let type = info.st_mode & S_IFMT
        return Status(
            isDirectory: type == S_IFDIR, isSocket: type == S_IFSOCK, isRegular: type == S_IFREG,
            isSymbolicLink: type == S_IFLNK, mode: info.st_mode & 0o7777, owner: info.st_uid,
            byteCount: Int(info.st_size), changed: Int64(info.st_ctim.tv_sec),
            identity: FileNumber(device: UInt64(info.st_dev), inode: UInt64(info.st_ino)))
    }

    /// Whether what is written into a folder stays in memory (tmpfs, ramfs) and reaches no disk but by swap.
    package static func isInMemory(_ folder: String) throws(LinuxError) -> Bool {
        try LinuxError.check(unsafe cl_is_in_memory(folder), "statfs", path: folder) == 1
    }

    /// Makes `path` and what is missing above it, each with mode 0700.
    package static func makeDirectories(_ path: String) throws(LinuxError) {
        if try status(path)?.isDirectory == true { return }
        let parent = directory(of: path)
        if parent != path && !parent.isEmpty { try makeDirectories(parent) }
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw LinuxError(call: "mkdir", code: errno, path: path)
        }
    }

    /// The folder of a path, `.` for one without a slash; nothing is looked up.
    package static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// - Parameter mode: permission bits, as chmod(2) takes them.
    package static func setMode(_ path: String, _ mode: UInt32) throws(LinuxError) {
        try LinuxError.checkErrno(unsafe chmod(path, mode), "chmod", path: path)
    }

    /// Removes a file or link; absence is no error.
    package static func remove(_ path: String) throws(LinuxError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw LinuxError(call: "unlink", code: errno, path: path)
        }
    }

    /// Removes a folder and what is in it; links are removed, not followed.
    package static func removeTree(_ path: String) throws(LinuxError) {
        guard let status = try status(path) else { return }
        guard status.isDirectory else { return try remove(path) }
        for name in try names(in: path) { try removeTree(path + "/" + name) }
        try LinuxError.checkErrno(unsafe rmdir(path), "rmdir", path: path)
    }

    /// The names in a folder, without `.` and `..`.
    package static func names(in path: String) throws(LinuxError) -> [String] {
        guard let folder = unsafe opendir(path) else { throw LinuxError(call: "opendir", code: errno, path: path) }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while true {
            // At the end, and where it fails, there is none.
            errno = 0
            guard let entry = unsafe readdir(folder) else {
                guard errno == 0 else { throw LinuxError(call: "readdir", code: errno, path: path) }
                return names
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            if name != "." && name != ".." { names.append(name) }
        }
    }

    /// Gives a file another name, over the one that has it; not on the disk before ``syncDirectory(_:)``.
    package static func rename(_ from: String, to path: String) throws(LinuxError) {
        try LinuxError.checkErrno(unsafe Glibc.rename(from, path), "rename", path: path)
    }

    /// Gives a file a second name.
    package static func link(_ path: String, to name: String) throws(LinuxError) {
        try LinuxError.checkErrno(unsafe Glibc.link(path, name), "link", path: name)
    }

    /// Reads a whole file, to its end whatever its size claims.
    ///
    /// Never waits for somebody to write into a pipe of that name; what has no positions is refused.
    ///
    /// - Parameter followsLinks: false for a file of our own, where a link is somebody else's.
    package static func read(
        _ path: String, limit: Int = 64 * 1024 * 1024, followsLinks: Bool = true
    ) throws(LinuxError) -> [UInt8] {
        let file = try FileDescriptor.open(path, FileFlags.readFollowing | (followsLinks ? 0 : O_NOFOLLOW))
        var bytes: [UInt8] = []
        while true {
            let part = try file.read(count: 64 * 1024, at: bytes.count)
            bytes += part
            guard bytes.count <= limit else { throw LinuxError(call: "read", code: EFBIG, path: path) }
            if part.count < 64 * 1024 { return bytes }
        }
    }

    /// Replaces a file so that after a crash it holds the old bytes or the new ones: write, fsync, rename, fsync of the
    /// directory.
    package static func replace(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o600) throws(LinuxError) {
        let temporary = path + ".new"
        // What a crash left, or what somebody else has put there to read along.
        try remove(temporary)
        let file = try FileDescriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
        do {
            try file.write(bytes, at: 0)
            try file.sync()
            try rename(temporary, to: path)
        } catch {
            // What was to be kept is not left under another name.
            try? remove(temporary)
            throw error
        }
        try syncDirectory(directory(of: path))
    }

    /// Waits until the folder's names are on the disk.
    package static func syncDirectory(_ path: String) throws(LinuxError) {
        try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY).sync()
    }
}
