import CLinux
import Glibc

/// Folders that a program makes and fills, brought to the disk once they are full.
package struct NewFolders: Sendable {
    /// Those whose files are all the program's.
    private var filled: Set<String> = []
    /// Those in which one was made.
    private var others: Set<String> = []

    /// No folder was made yet.
    package init() {}

    /// Makes a folder and what is missing above it, each with mode 0700; an empty one that is there is filled as well.
    package mutating func make(_ path: String) throws(LinuxError) {
        guard !filled.contains(path) else { return }
        if try FileSystem.status(path)?.isDirectory != true {
            var parent = FileSystem.directory(of: path)
            others.insert(parent)
            while !parent.isEmpty, try FileSystem.status(parent)?.isDirectory != true {
                parent = FileSystem.directory(of: parent)
                others.insert(parent)
            }
            try FileSystem.makeDirectories(path)
        }
        filled.insert(path)
    }

    /// Waits until every file in them, and its name, is on the disk.
    ///
    /// All at once: one after the other, thousands of small files would take minutes.
    ///
    /// - Throws: with the path of what the disk does not keep.
    package func sync() throws(LinuxError) {
        var outcome: Int32 = 0
        let first = filled.min()
        if let first, let folder = try? FileDescriptor.open(first, FileFlags.directory) {
            outcome = cl_sync_file_system(folder.raw)
        }
        for path in filled.sorted() {
            for name in try FileSystem.names(in: path) { try Self.sync(path + "/" + name) }
        }
        for path in filled.union(others).sorted() { try Self.syncNames(in: path) }
        // Of a file that is out of memory by now nothing else tells.
        if [-EIO, -ENOSPC, -EDQUOT].contains(outcome) {
            throw LinuxError(call: "syncfs", code: -outcome, path: first)
        }
    }

    /// Waits until the names in a folder are on the disk, as far as its file system can say so.
    package static func syncNames(in path: String) throws(LinuxError) {
        do throws(LinuxError) { try FileSystem.syncDirectory(path) } catch {
            // Some know no fsync of folders; and one that may be filled need not be readable.
            guard ![EINVAL, EOPNOTSUPP, EACCES].contains(error.code) else { return }
            throw error.at(path)
        }
    }

    private static func sync(_ path: String) throws(LinuxError) {
        guard try FileSystem.status(path)?.isRegular == true else { return }
        do throws(LinuxError) { try FileDescriptor.open(path, FileFlags.read).sync() } catch { throw error.at(path) }
    }
}

extension LinuxError {
    /// The same, with a path where it names none.
    fileprivate func at(_ path: String) -> LinuxError {
        LinuxError(call: call, code: code, path: self.path ?? path)
    }
}
