import Enclave
import Envelopes
import Protection
import Secrets
import Wire

/// Bytes that nobody would send, from a seed that repeats them.
///
/// Valid inputs are mutated: bits flipped, bytes and lengths replaced, parts cut out, doubled and appended. What decodes
/// must encode to the same bytes, or the format is not canonical.
package struct Fuzzer {
    private var random: Seeded
    private let corpus: [Target: [[UInt8]]]

    package enum Target: Int, CaseIterable, Sendable {
        case nativeRequest, enclaveRequest, enclaveReply, reply, keybag, slot, row
    }

    /// Something that decoded and did not encode to itself.
    package struct NotCanonical: Error {
        package let target: Target
        package let bytes: [UInt8]
    }

    package init(seed: UInt64, corpus: [Target: [[UInt8]]]) {
        random = Seeded(seed)
        self.corpus = corpus
    }

    /// How many of the inputs decoded.
    package private(set) var accepted = 0

    /// Runs `count` inputs through every decoder in turn.
    package mutating func run(count: Int) throws {
        for number in 0..<count {
            guard let target = Target(rawValue: number % Target.allCases.count),
                let seeds = corpus[target], !seeds.isEmpty
            else { continue }
            var bytes = seeds[Int(random.next() % UInt64(seeds.count))]
            for _ in 0..<(1 + random.next() % 3) { mutate(&bytes) }
            if try decodes(target, bytes) { accepted += 1 }
        }
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
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

    private func decodes(_ target: Target, _ bytes: [UInt8]) throws -> Bool {
        guard let again = Self.roundTrip(target, bytes) else { return false }
        guard again == bytes else { throw NotCanonical(target: target, bytes: bytes) }
        return true
    }

    /// The bytes that a decoded input encodes to; nil when it is refused.
    static func roundTrip(_ target: Target, _ bytes: [UInt8]) -> [UInt8]? {
        bytes.withSpan { span in
            switch target {
            case .nativeRequest: return try? FuzzTargets.nativeRequest(span)
            case .enclaveRequest: return try? FuzzTargets.enclaveRequest(span)
            case .enclaveReply: return try? FuzzTargets.enclaveReply(span)
            case .reply: return (try? FuzzTargets.reply(span)) == true ? bytes : nil
            case .keybag: return FuzzTargets.keybag(bytes)
            case .slot: return FuzzTargets.slot(bytes)
            case .row: return (try? FuzzTargets.row(span)) == true ? bytes : nil
            }
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): repeats from its seed.
struct Seeded {
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

/// The decoders, each as the programs call it.
///
/// Keybags and rows come behind their MAC and seal: what an attacker with
/// the keys, or a bug of ours, could put there.
enum FuzzTargets {
    static func nativeRequest(_ span: RawSpan) throws -> [UInt8] {
        var header: NativeRequest.Header?
        let request = try NativeRequest.decode(span, header: &header)
        var buffer = try SecretBuffer(capacity: 512)
        try request.encode(id: header?.id ?? 0, into: &buffer)
        return buffer.bytes.extracting(droppingFirst: Frame.headerByteCount).copyToArray()
    }

    static func enclaveRequest(_ span: RawSpan) throws -> [UInt8] {
        var buffer = try SecretBuffer(capacity: 512)
        try EnclaveRequest.decode(span).encode(into: &buffer)
        return buffer.bytes.extracting(droppingFirst: Frame.headerByteCount).copyToArray()
    }

    static func enclaveReply(_ span: RawSpan) throws -> [UInt8] {
        var buffer = try SecretBuffer(capacity: 512)
        try EnclaveReply.decode(span).encode(into: &buffer)
        return buffer.bytes.extracting(droppingFirst: Frame.headerByteCount).copyToArray()
    }

    static func reply(_ span: RawSpan) throws -> Bool {
        var reader = ByteReader(span)
        switch try NativeReply.header(&reader).tag {
        case .error: _ = try KeychainError(from: &reader)
        case .status: _ = try DaemonStatus(from: &reader)
        case .page: _ = try Page(from: &reader) { _, _, _ in }
        default: break
        }
        try reader.end()
        return true
    }

    static func keybag(_ bytes: [UInt8]) -> [UInt8]? { KeybagFormat.roundTrip(bytes) }
    static func slot(_ bytes: [UInt8]) -> [UInt8]? { KeybagFormat.slotRoundTrip(bytes) }

    /// A row's attributes and binding, as they come out of their envelopes.
    static func row(_ span: RawSpan) throws -> Bool {
        var reader = ByteReader(span)
        _ = try Attributes(from: &reader)
        try reader.end()
        _ = try Attributes.encoded(
            span,
            match: [Attributes.Expectation(.account, .string("a"), type: .blob, defaultValue: .string(""))])
        return true
    }
}
