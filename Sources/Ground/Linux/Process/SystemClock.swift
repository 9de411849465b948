import CLinux
import Glibc

/// The kernel's clocks.
package enum SystemClock {
    /// Milliseconds since the machine started, with the time it was suspended.
    package static func bootMilliseconds() -> UInt64 { cl_boot_milliseconds() }
    /// Milliseconds that the machine has been suspended since it started.
    package static func suspendedMilliseconds() -> UInt64 {
        let (boot, running) = (bootMilliseconds(), monotonicNanoseconds() / 1_000_000)
        return boot > running ? boot - running : 0
    }

    /// Does nothing for so long; a signal may cut it short.
    package static func sleep(milliseconds: UInt32) { _ = usleep(milliseconds * 1000) }

    /// A clock that stands still while the machine is suspended, and is never set.
    package static func monotonicNanoseconds() -> UInt64 { cl_monotonic_nanoseconds() }
    /// How long processors have worked for this process: unlike time that passes, the same on a busy machine.
    package static func processorNanoseconds() -> UInt64 { cl_processor_nanoseconds() }
    /// Microseconds since 1970-01-01 00:00 UTC.
    package static func wallMicroseconds() -> Int64 { cl_wall_microseconds() }
}
