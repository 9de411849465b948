import CLinux

/// For a program that only computes: bytes in, bytes out.
extension Sandbox {
    /// Leaves reading and writing inherited descriptors, memory and threads; any other system call kills the process.
    ///
    /// Binds this thread and those it starts from here on. No process can be started behind it, so there is no need
    /// of `RLIMIT_NPROC`, which would count threads too.
    package static func restrictToComputing() throws(LinuxError) {
        try LinuxError.check(cl_seccomp_computing(), "seccomp")
    }

    /// Limits this process for good; see setrlimit(2).
    ///
    /// - Parameters:
    ///   - addressSpace: bytes, of which program and libraries take their share; beyond it allocation fails.
    ///   - processorSeconds: of all threads together; beyond it the process is killed by `SIGXCPU`.
    ///   - fileSize: bytes of any one file that it writes; sockets and pipes are not limited.
    package static func limit(addressSpace: UInt64, processorSeconds: UInt64, fileSize: UInt64) throws(LinuxError) {
        try LinuxError.check(cl_limit(addressSpace, processorSeconds, fileSize), "setrlimit")
    }
}
