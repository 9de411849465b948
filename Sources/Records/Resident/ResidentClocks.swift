import Linux

/// What a resident program reads the time from: the kernel, or, in the build for tests, the kernel and a file beside
/// it.
package struct ResidentClocks: Sendable {
    /// Milliseconds by which a test is ahead of the kernel.
    package struct Lead: Sendable {
        /// Time that passed.
        package var passed: UInt64 = 0
        /// Time of it in which the machine was suspended.
        package var suspended: UInt64 = 0
        /// By how much somebody has set the clock of the wall, forward or back.
        package var set: Int64 = 0

        /// No lead: the kernel's own time.
        package init() {}
    }

    private let lead: @Sendable () -> Lead

    /// - Parameter lead: asked each time that a clock is read.
    package init(lead: @escaping @Sendable () -> Lead = { Lead() }) { self.lead = lead }

    /// A clock in a test's hand.
    ///
    /// - Parameter path: a file of two or three numbers, milliseconds: those that passed, those of them in suspension,
    ///   and by how many the clock of the wall was set, negative for back.
    package init(readingLeadFrom path: String) {
        self.init {
            let text = (try? FileSystem.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            let numbers = text.split(whereSeparator: \.isWhitespace).map { Int64($0) ?? 0 }
            var lead = Lead()
            if numbers.count > 1 {
                (lead.passed, lead.suspended) = (UInt64(clamping: numbers[0]), UInt64(clamping: numbers[1]))
            }
            if numbers.count > 2 { lead.set = numbers[2] }
            return lead
        }
    }

    /// Milliseconds since the machine started, suspension among them.
    package var boot: UInt64 { SystemClock.bootMilliseconds() + lead().passed }

    /// Microseconds since 1970, UTC.
    package var wall: Int64 {
        let lead = lead()
        return SystemClock.wallMicroseconds() + (Int64(clamping: lead.passed) + lead.set) * 1000
    }

    /// Milliseconds that the machine has been suspended since it started.
    package var suspended: UInt64 { SystemClock.suspendedMilliseconds() + lead().suspended }
}

extension Duration {
    /// What lies between two times of one clock, in milliseconds each; negative where the second is the earlier one.
    init(from start: UInt64, to now: UInt64) { self = Duration.milliseconds(now) - Duration.milliseconds(start) }
}
