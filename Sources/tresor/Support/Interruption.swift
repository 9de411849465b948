import Linux

/// Ctrl-C and its kin, for the commands that have something to put in order first.
enum Interruption {
    /// Waits, but not beyond a signal that ends the program.
    ///
    /// - Returns: true when one came.
    static func waits(milliseconds: Int) throws -> Bool {
        let signals = try SignalDescriptor()
        let end = SystemClock.bootMilliseconds() + UInt64(milliseconds)
        var poll = Poll()
        poll.add(signals.descriptor.raw, reading: true, writing: false)
        while true {
            let now = SystemClock.bootMilliseconds()
            guard now < end else { return false }
            try poll.wait(milliseconds: Int(end - now))
            while let signal = signals.next() {
                if case .end = signal { return true }
            }
        }
    }
}
