import Glibc

extension FileDescriptor {
    /// Another descriptor of the same open file, which no program that is started inherits.
    package static func copying(_ raw: Int32) throws(LinuxError) -> FileDescriptor {
        FileDescriptor(owning: try LinuxError.checkErrno(fcntl(raw, F_DUPFD_CLOEXEC, 0), "fcntl(F_DUPFD_CLOEXEC)"))
    }
}
