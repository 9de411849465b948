extension Duration {
    /// As it is written into messages: what is below a millisecond is cut off, and what is negative is 0.
    package var wholeMilliseconds: UInt64 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        let (milliseconds, isTooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1000)
        let (sum, isBeyond) = milliseconds.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000_000_000))
        return isTooLong || isBeyond ? .max : sum
    }
}
