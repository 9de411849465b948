extension Duration {
    /// For a call that takes milliseconds: rounded up, and at least 1, since 0 is for ever to some of them.
    var kernelMilliseconds: Int32 {
        let (seconds, rest) = components
        guard self > .zero else { return 1 }
        guard seconds < Int64(Int32.max) / 1000 else { return .max }
        return Int32(seconds) * 1000 + Int32((rest + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// For a wait: 0, and less, looks and does not wait.
    package var pollMilliseconds: Int { self > .zero ? Int(kernelMilliseconds) : 0 }

    /// The first in seconds.
    var kernelSeconds: Int32 {
        let (seconds, rest) = components
        guard self > .zero else { return 1 }
        guard seconds < Int64(Int32.max) else { return .max }
        return Int32(seconds) + (rest > 0 ? 1 : 0)
    }
}
