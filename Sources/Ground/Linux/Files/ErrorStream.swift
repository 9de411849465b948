import Glibc

/// Standard error where it is a file of ours: kept from growing without end.
package enum ErrorStream {
    /// Has standard error go into the file of this name again, where it is a file that was moved away meanwhile.
    package static func follow(_ path: String) throws(LinuxError) {
        var info = stat()
        try LinuxError.checkErrno(unsafe fstat(2, &info), "fstat")
        guard info.st_mode & S_IFMT == S_IFREG else { return }
        var named = stat()
        if unsafe lstat(path, &named) == 0, named.st_dev == info.st_dev, named.st_ino == info.st_ino { return }
        let file = try FileDescriptor.open(path, FileFlags.append)
        try LinuxError.checkErrno(dup2(file.raw, 2), "dup2")
    }

    /// Begins the file anew where it is standard error and has grown beyond `limit` bytes; what was written so far is
    /// kept beside it, once.
    ///
    /// - Parameters:
    ///   - path: the file's; where standard error is anything else, such as a journal, nothing is done.
    ///   - former: where what was written so far is moved to.
    /// - Returns: whether it was begun anew.
    @discardableResult
    package static func rotate(_ path: String, to former: String, limit: Int) throws(LinuxError) -> Bool {
        var info = stat()
        try LinuxError.checkErrno(unsafe fstat(2, &info), "fstat")
        guard info.st_mode & S_IFMT == S_IFREG, Int(info.st_size) > limit else { return false }
        var named = stat()
        try LinuxError.checkErrno(unsafe lstat(path, &named), "lstat", path: path)
        guard named.st_dev == info.st_dev, named.st_ino == info.st_ino else { return false }
        try LinuxError.checkErrno(unsafe Glibc.rename(path, former), "rename", path: former)
        let fresh = try FileDescriptor.open(path, FileFlags.append)
        try LinuxError.checkErrno(dup2(fresh.raw, 2), "dup2")
        return true
    }
}
