import Enclave
import Envelopes
import Protection
import Secrets
import Wire

/// Mutated inputs for every decoder.
///
/// What decodes must encode to the same bytes, or the format is not canonical. Of what is sealed, nothing may open but
/// what was sealed.
package struct Fuzzer {
    private var mutator: Mutator
    private let corpus: [Target: [[UInt8]]]

    package enum Target: Int, CaseIterable, Sendable {
        case nativeRequest, enclaveRequest, enclaveReply, reply, keybag, slot, row
        case manifest, logEntry, notesFrame, sealedRecord, paddedRecord, sealedPart, propertyList
    }

    /// Something that decoded and did not encode to itself.
    package struct NotCanonical: Error {
        package let target: Target
        package let bytes: [UInt8]
    }

    package init(seed: UInt64, corpus: [Target: [[UInt8]]]) {
        mutator = Mutator(seed: seed)
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
            if try decodes(target, mutator.mutated(seeds)) { accepted += 1 }
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
            case .logEntry: return try? ZoneLogEntry(from: bytes).encoded
            case .notesFrame: return try? NotesTargets.frame(span)
            case .sealedRecord: return try? NotesTargets.sealedRecord(bytes)
            case .paddedRecord: return try? NotesTargets.paddedRecord(span)
            case .manifest: return try? AppManifest(unverified: span.copyToArray()).encoded
            case .sealedPart: return try? NotesTargets.sealedPart(bytes)
            case .propertyList: return (try? ProfileTargets.propertyList(span)).map { $0 ? bytes : [] }
            }
        }
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
