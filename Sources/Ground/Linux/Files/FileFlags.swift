import Glibc

/// The ways in which our programs open files; links are never followed.
package enum FileFlags {
    /// A file of our own, to read.
    package static let read = O_RDONLY | O_NOFOLLOW
    /// A file of the user's choice, which may be named by a link.
    package static let readFollowing = O_RDONLY | O_NONBLOCK
    /// A file of our own that is there.
    package static let readWrite = O_RDWR | O_NOFOLLOW
    /// A file that must not exist yet.
    package static let create = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
    /// A file that may exist.
    package static let readWriteOrCreate = O_RDWR | O_CREAT | O_NOFOLLOW
    /// A folder, to go on from by its descriptor.
    package static let directory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
    /// O_PATH, which Swift does not import: only to look at, not to read.
    package static let look: Int32 = 0o10_000_000
    /// A file that may exist, written at its end alone: a log.
    package static let append = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW
}
