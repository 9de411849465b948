import CLinux

/// How a process of ours gives up what it does not need.
package enum Sandbox {
    /// No core dumps, not dumpable, no new privileges, fatal signals to their defaults.
    ///
    /// For every program that handles secrets, before it handles any.
    package static func harden() throws(LinuxError) { try LinuxError.check(cl_harden(), "prctl") }

    /// Lets other programs of this user look at this process while `body` runs, and at nothing before or after.
    ///
    /// For who holds no secret yet.
    package static func showing<Result>(_ body: () throws -> Result) throws -> Result {
        try LinuxError.check(cl_set_visible(1), "prctl")
        defer { _ = cl_set_visible(0) }
        return try body()
    }

    /// The kernel kills this process when the one that started it ends, however that happens; prctl(2),
    /// PR_SET_PDEATHSIG.
    package static func endWithParent() throws(LinuxError) { try LinuxError.check(cl_end_with_parent(), "prctl") }

    /// Denies every path, TCP port, and what else Landlock covers.
    ///
    /// Returns the kernel's Landlock ABI, 0 for none.
    package static func denyFiles() throws(LinuxError) -> Int {
        Int(try LinuxError.check(cl_landlock_deny_all(), "landlock_restrict_self"))
    }

    /// Leaves the system calls of a loop over inherited descriptors; any other kills the process.
    package static func restrictSystemCalls() throws(LinuxError) {
        try LinuxError.check(cl_seccomp_enclave(), "seccomp")
    }
}
