import CLinux

/// The system's generator, getrandom(2).
///
/// There is no other source of randomness in Tresor.
package enum SystemRandom {
    /// 64 random bits.
    package static func makeUInt64() -> UInt64 {
        var value: UInt64 = 0
        unsafe cl_random(&value, 8)
        return value
    }

    /// Two numbers at a time: each call is a turn of the kernel's.
    package static func makePair() -> (UInt64, UInt64) {
        var pair: (UInt64, UInt64) = (0, 0)
        unsafe cl_random(&pair, 16)
        return pair
    }

    /// As many random bytes, on the heap.
    package static func makeBytes(count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            if let base = buffer.baseAddress { unsafe cl_random(base, count) }
            initialized = count
        }
    }
}
