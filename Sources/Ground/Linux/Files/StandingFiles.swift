import CLinux
import Glibc

/// Files that a program holds open, and the names under which it opened them.
///
/// What is written into a file whose name leads elsewhere by now, or nowhere, is gone with the program: a copy was
/// restored over the folder, or the folder was removed, while the program ran.
package struct StandingFiles {
    /// A file, held so that its number stays its own: some file systems number anew what nobody holds.
    private final class Held {
        let file: FileDescriptor

        init(_ path: String) throws(LinuxError) { file = try FileDescriptor.open(path, FileFlags.look) }
    }

    private var known: [String: Held] = [:]
    private var awaited: Set<String>

    /// - Parameter paths: absolute; one that is not there yet is known from the first look on at which it is.
    package init(_ paths: [String]) throws(LinuxError) {
        awaited = Set(paths)
        _ = try areStanding()
    }

    /// Whether each name leads to the file to which it led before.
    ///
    /// - Throws: what keeps the names from being looked up.
    package mutating func areStanding() throws(LinuxError) -> Bool {
        for (path, held) in known {
            let own = try Self.patiently { () throws(LinuxError) in try FileSystem.identity(of: held.file) }
            guard try Self.identity(path) == own else { return false }
        }
        for path in awaited where try Self.identity(path) != nil {
            known[path] = try Held(path)
            awaited.remove(path)
        }
        return true
    }

    private static func identity(_ path: String) throws(LinuxError) -> FileSystem.FileNumber? {
        try patiently { () throws(LinuxError) in try FileSystem.status(path)?.identity }
    }

    /// What keeps a name from being looked up passes, as a rule.
    private static func patiently<Found>(_ look: () throws(LinuxError) -> Found) throws(LinuxError) -> Found {
        for _ in 0..<2 {
            do { return try look() } catch { guard error.isPassing else { throw error } }
        }
        return try look()
    }
}

extension FileSystem {
    /// Of an open file, also where no name leads to it any more.
    package static func identity(of file: borrowing FileDescriptor) throws(LinuxError) -> FileNumber {
        var info = stat()
        try LinuxError.checkErrno(unsafe fstat(file.raw, &info), "fstat")
        return FileNumber(device: UInt64(info.st_dev), inode: UInt64(info.st_ino))
    }
}
