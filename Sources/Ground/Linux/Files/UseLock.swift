import Glibc

/// Who uses a file or folder: many at a time, or one that has it to itself. The kernel drops it with the descriptor.
///
/// flock(2), since the locks of fcntl(2) cannot be shared through a descriptor that only reads.
extension FileDescriptor {
    /// Has it for itself alone, from now on.
    ///
    /// False when somebody uses it; never waits.
    package borrowing func useAlone() throws(LinuxError) -> Bool {
        if flock(raw, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw LinuxError(call: "flock", code: errno) }
        return false
    }

    /// Uses it beside others, as soon as nobody has it for itself alone.
    ///
    /// Where this descriptor had it alone, somebody else may have it so in between.
    package borrowing func useBesideOthers() throws(LinuxError) {
        while flock(raw, LOCK_SH) != 0 {
            guard errno == EINTR else { throw LinuxError(call: "flock", code: errno) }
        }
    }
}
