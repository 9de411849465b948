import Glibc

/// How long a processor works on something.
///
/// Tests run beside each other on few processors, and one may wait minutes for its turn. So what a clock on the wall shows says
/// nothing of the code under test; this does.
public enum ProcessorTime {
    /// The time that this thread spends in `work`.
    ///
    /// What `work` has other threads do is not counted.
    ///
    /// ```swift
    /// #expect(try ProcessorTime.of { try read(hostile) } < .seconds(1))
    /// ```
    public static func of(_ work: () throws -> Void) rethrows -> Duration {
        let start = now
        try work()
        return now - start
    }

    private static var now: Duration {
        var time = timespec()
        precondition(unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0, "Linux has had this clock since 2.6.12")
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
