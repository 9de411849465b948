import Glibc

/// What the machine is.
package enum SystemFacts {
    /// How many processors this process may run on, at least 1.
    package static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
