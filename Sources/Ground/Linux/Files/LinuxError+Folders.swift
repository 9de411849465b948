import Glibc

extension LinuxError {
    /// A folder that should be ours is somebody else's, or a link.
    package static let notOurs = LinuxError(call: "lstat", code: EPERM)

    /// Whether the kernel forbids it.
    package var isForbidden: Bool { code == EPERM || code == EACCES }
    /// Whether a link stands where none may be (O_NOFOLLOW), or a file where a folder should.
    package var isLink: Bool { code == ELOOP || code == ENOTDIR }
    /// Whether the file system has no such thing.
    package var isUnsupported: Bool { code == EOPNOTSUPP }
}
