/// Makes of valid inputs what nobody would send, from a seed that repeats it.
///
/// Bits are flipped, bytes and lengths replaced, parts cut out, doubled and appended.
package struct Mutator {
    private var random: Seeded

    package init(seed: UInt64) { random = Seeded(seed) }

    /// A number from 0 to below `bound`, which is not 0.
    mutating func next(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    /// One of the inputs, with one to three changes; they may undo each other.
    package mutating func mutated(_ inputs: [[UInt8]]) -> [UInt8] {
        guard !inputs.isEmpty else { return [] }
        var bytes = inputs[next(inputs.count)]
        for _ in 0..<(1 + next(3)) { mutate(&bytes) }
        return bytes
    }

    mutating func mutate(_ bytes: inout [UInt8]) {
        let place = bytes.isEmpty ? 0 : Int(random.next() % UInt64(bytes.count))
        switch random.next() % 8 {
        case 0 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8(random.next() % 8)
        case 1 where !bytes.isEmpty: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 2 where !bytes.isEmpty: bytes.removeLast(bytes.count - place)
        case 3:
            bytes.append(
                contentsOf: (0..<(1 + random.next() % 9)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        case 4 where bytes.count > 4 && place + 4 <= bytes.count:
            let lengths: [UInt32] = [
                0, 1, 0x7fff_ffff, 0xffff_ffff, UInt32(bytes.count), UInt32(truncatingIfNeeded: random.next()),
            ]
            let length = lengths[Int(random.next() % 6)]
            for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * index)) }
        case 5 where !bytes.isEmpty:
            let end = place + Int(random.next() % UInt64(bytes.count - place + 1))
            bytes.removeSubrange(place..<end)
        case 6 where !bytes.isEmpty:
            let end = place + Int(random.next() % UInt64(bytes.count - place + 1))
            bytes.insert(contentsOf: bytes[place..<end], at: place)
        default: bytes.append(0)
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): repeats from its seed.
private struct Seeded {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
