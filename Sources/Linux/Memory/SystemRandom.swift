import CLinux

/// The system's generator, getrandom(2).
///
/// There is no other source of randomness in Tresor.
package enum SystemRandom {
    package static func makeUInt64() -> UInt64 {
        var value: UInt64 = 0
        unsafe cl_random(&value, 8)
        return value
    }

    package static func makeBytes(count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            if let base = buffer.baseAddress { unsafe cl_random(base, count) }
            initialized = count
        }
    }
}
