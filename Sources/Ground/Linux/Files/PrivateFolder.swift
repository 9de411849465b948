import CLinux
import Glibc

/// A folder of this user alone in memory, under a name that nobody can know beforehand.
///
/// It is made here or not at all: one that is there already is somebody else's. Whatever is done in it goes by its
/// descriptor, so that no path has to be believed twice.
package struct PrivateFolder: ~Copyable {
    /// For programs of others; ours go by the descriptor.
    package let path: String
    /// The folder itself, open.
    package let folder: FileDescriptor
    private let name: String
    private let parent: FileDescriptor

    /// Makes one in the session's folder (`$XDG_RUNTIME_DIR`), or else in `/dev/shm`: in the first that lies in memory
    /// and lets us.
    ///
    /// - Parameter purpose: what its name begins with.
    /// - Throws: `LinuxError` where neither does.
    package static func make(inMemoryFor purpose: String) throws(LinuxError) -> PrivateFolder {
        let session = CurrentProcess.environment("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
        var failure = LinuxError(call: "statfs", code: EOPNOTSUPP, path: "/dev/shm")
        for place in [session, "/dev/shm"].compactMap({ $0 }) {
            do throws(LinuxError) {
                guard try FileSystem.isInMemory(place) else { continue }
                return try PrivateFolder(in: place, purpose)
            } catch { failure = error }
        }
        throw failure
    }

    /// The same in a folder that is named.
    package init(in place: String, _ purpose: String, name suffix: String = Self.randomName()) throws(LinuxError) {
        let name = purpose + "-" + suffix
        // The place may be named by a link of its owner's, such as /var/run.
        let parent = try FileDescriptor.open(place, O_RDONLY | O_DIRECTORY)
        folder = try Self.makeFolder(name, in: parent)
        path = place + "/" + name
        self.name = name
        self.parent = parent
    }

    private static func makeFolder(
        _ name: String, in parent: borrowing FileDescriptor
    ) throws(LinuxError) -> FileDescriptor {
        try parent.makeDirectory(name)
        let folder = try parent.open(name, FileFlags.directory)
        // In a place without a sticky bit somebody might have put another one there.
        guard try folder.isPrivate() else { throw LinuxError.notOurs }
        return folder
    }

    /// 32 hexadecimal digits, which nobody guesses.
    package static func randomName() -> String {
        SystemRandom.makeBytes(count: 16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Writes a file that must not be there yet.
    package borrowing func write(_ bytes: [UInt8], as name: String) throws(LinuxError) {
        try folder.open(name, FileFlags.create).write(bytes, at: 0)
    }

    /// What a program of others has left under a name: a file of this user, no link.
    package borrowing func read(_ name: String, limit: Int) throws(LinuxError) -> [UInt8] {
        let file = try folder.open(name, FileFlags.read | O_NONBLOCK)
        guard try file.isRegular(), try file.isOurs() else { throw LinuxError.notOurs }
        let bytes = try file.read(count: min(limit, try file.byteCount()) + 1, at: 0)
        guard bytes.count <= limit else { throw LinuxError(call: "read", code: EFBIG) }
        return bytes
    }

    /// Whether there is anything of this name.
    package borrowing func holds(_ name: String) throws(LinuxError) -> Bool {
        try FileSystem.status(path + "/" + name) != nil
    }

    private static let variable = "TMPDIR"

    /// Programs that are started from now on keep their files for a while here, if they ask the environment.
    ///
    /// - Returns: what was said before, for ``endTemporaryFiles(_:)``.
    package borrowing func takeTemporaryFiles() -> String? {
        let former = CurrentProcess.environment(Self.variable)
        CurrentProcess.setEnvironment(Self.variable, path)
        return former
    }

    /// Says again what was said before.
    package static func endTemporaryFiles(_ former: String?) {
        guard let former else { return CurrentProcess.removeEnvironment(variable) }
        CurrentProcess.setEnvironment(variable, former)
    }

    /// Overwrites the files in it, and removes them and the folder.
    package borrowing func wipe() {
        Self.overwrite(in: folder)
        // By its path, which is ours or gone: links in it are removed and not followed.
        if let status = try? FileSystem.status(path), status.isDirectory, status.owner == CurrentProcess.user {
            try? FileSystem.removeTree(path)
        }
        try? parent.remove(name, isDirectory: true)
    }

    private static func overwrite(in folder: borrowing FileDescriptor) {
        for name in (try? FileSystem.names(in: "/proc/self/fd/\(folder.raw)")) ?? [] {
            if let inner = try? folder.open(name, FileFlags.directory) {
                overwrite(in: inner)
            } else if let file = try? folder.open(name, FileFlags.readWrite | O_NONBLOCK),
                (try? file.isRegular()) == true, let size = try? file.byteCount()
            {
                overwrite(file, size)
            }
        }
    }

    private static func overwrite(_ file: borrowing FileDescriptor, _ size: Int) {
        let zeros = [UInt8](repeating: 0, count: min(size, 1 << 20))
        for start in stride(from: 0, to: size, by: 1 << 20) {
            try? file.write(Array(zeros.prefix(size - start)), at: start)
        }
    }
}

extension FileDescriptor {
    /// Whether it belongs to this user, and nobody else may look into it.
    fileprivate borrowing func isPrivate() throws(LinuxError) -> Bool {
        var info = stat()
        try LinuxError.checkErrno(unsafe fstat(raw, &info), "fstat")
        return info.st_uid == geteuid() && info.st_mode & 0o077 == 0
    }

    fileprivate borrowing func isOurs() throws(LinuxError) -> Bool {
        var info = stat()
        try LinuxError.checkErrno(unsafe fstat(raw, &info), "fstat")
        return info.st_uid == geteuid()
    }
}
