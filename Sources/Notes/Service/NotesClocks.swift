import Linux

/// What tresor-notes reads the time from: the kernel, or, in the build for tests, the kernel and a file beside it.
package struct NotesClocks: Sendable {
    /// Milliseconds by which tests turn boot and wall clock ahead, as a suspended machine does.
    private let offset: @Sendable () -> UInt64

    package init(offset: @escaping @Sendable () -> UInt64 = { 0 }) { self.offset = offset }

    /// A clock in a test's hand.
    ///
    /// - Parameter path: a file whose text is the number of milliseconds.
    package init(readingOffsetFrom path: String) {
        self.init { (try? FileSystem.read(path)).flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } ?? 0 }
    }

    package var instant: SecureSession.Instant {
        let ahead = offset()
        return SecureSession.Instant(
            boot: SystemClock.bootMilliseconds() + ahead,
            wall: SystemClock.wallMicroseconds() + Int64(ahead) * 1000)
    }

    /// Milliseconds that the machine has been suspended since it started.
    var suspended: UInt64 {
        let (boot, monotonic) = (instant.boot, SystemClock.monotonicNanoseconds() / 1_000_000)
        return boot > monotonic ? boot - monotonic : 0
    }
}
