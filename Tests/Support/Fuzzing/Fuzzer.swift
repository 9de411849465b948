import Enclave
import EnclaveWire
import Envelopes
import KeyEnvelopes
import Profiles
import Protection
import Secrets
import Wire

/// Mutated inputs for every decoder.
///
/// What decodes must encode to the same bytes, or the format is not canonical. Of what is sealed or signed, nothing may
/// open but what was sealed. Formats of others that have several ways to say one thing have to say it twice.
package struct Fuzzer {
    private var mutator: Mutator
    private let seeds: [(target: Target, seeds: Seeds)]

    package enum Target: Int, CaseIterable, Sendable {
        case nativeRequest, enclaveRequest, enclaveReply, reply, keybag, slot, row
        case manifest, signedManifest, logEntry, notesFrame, sealedRecord, paddedRecord, sealedPart
        case xmlPropertyList, binaryPropertyList, profile, profileRecord, csv, keychainKey, presenceKey
        case pkcs12, pkcs12Contents, pkcs12Entries, certificate, certificateFile
        case privateKey, publicKey, encryptedKey, signedMessage
        case imageAnswer, imageRequest, strippedFile, exifOrientation, diaryJSON, passwordHash
        case printStream, printJPEG
        case widgetAnswer, widgetFrame, widgetTimeline, widgetStore, oneTimeCode
        case bitwardenJSON, keePassXML
        case modify, changes, modified

        package init?(_ name: String) {
            guard let target = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
            self = target
        }

        fileprivate var form: Seeds.Form {
            switch self {
            case .xmlPropertyList, .profile, .keePassXML: .text(UInt8(ascii: "<"))
            case .diaryJSON, .widgetAnswer, .bitwardenJSON: .text(UInt8(ascii: ","))
            case .passwordHash: .text(UInt8(ascii: "$"))
            case .oneTimeCode: .text(UInt8(ascii: "&"))
            case .csv: .text(UInt8(ascii: ","))
            case .certificateFile: .text(UInt8(ascii: "\n"))
            case .pkcs12, .pkcs12Contents, .pkcs12Entries, .certificate, .privateKey, .publicKey, .encryptedKey,
                .signedMessage:
                .der
            default: .bytes
            }
        }
    }

    /// Something that decoded and did not encode to itself.
    package struct NotCanonical: Error {
        package let target: Target
        package let bytes: [UInt8]
    }

    /// What became of the inputs of one target.
    package struct Tally: Sendable {
        package fileprivate(set) var inputs = 0
        /// How many of them decoded.
        package fileprivate(set) var accepted = 0
        package fileprivate(set) var spent = Duration.zero
        /// The one that took longest.
        package fileprivate(set) var slowest = Duration.zero
        package fileprivate(set) var slowestInput: [UInt8] = []
    }

    /// - Parameter targets: those without a first input are left out, and have no tally.
    package init(seed: UInt64, corpus: [Target: [[UInt8]]], targets: [Target] = Target.allCases) {
        mutator = Mutator(seed: seed)
        seeds = targets.compactMap { target in
            guard let inputs = corpus[target], !inputs.isEmpty else { return nil }
            return (target, Seeds(inputs, target.form))
        }
    }

    package private(set) var tallies: [Target: Tally] = [:]

    /// How many of the inputs decoded.
    package var accepted: Int { tallies.values.reduce(0) { $0 + $1.accepted } }

    /// Runs `count` inputs through every decoder in turn.
    ///
    /// - Parameter before: is told of each input before it is decoded, so that one that ends the program is known.
    package mutating func run(count: Int, before: ([UInt8]) -> Void = { _ in }) throws {
        guard !seeds.isEmpty else { return }
        let clock = ContinuousClock()
        for number in 0..<count {
            let (target, seeds) = seeds[number % seeds.count]
            let bytes = mutator.mutated(seeds)
            before(bytes)
            let start = clock.now
            let isAccepted = try Self.decodes(target, bytes)
            // The first inputs are all that anybody has signed.
            if isAccepted, target == .signedManifest, !seeds.inputs.contains(bytes) {
                throw NotCanonical(target: target, bytes: bytes)
            }
            note(target, bytes, isAccepted, clock.now - start)
        }
    }

    private mutating func note(_ target: Target, _ bytes: [UInt8], _ isAccepted: Bool, _ spent: Duration) {
        var tally = tallies.removeValue(forKey: target) ?? Tally()
        tally.inputs += 1
        if isAccepted { tally.accepted += 1 }
        tally.spent += spent
        if spent > tally.slowest { (tally.slowest, tally.slowestInput) = (spent, bytes) }
        tallies[target] = tally
    }

    /// Whether the target takes the input.
    ///
    /// - Throws: `NotCanonical`.
    package static func decodes(_ target: Target, _ bytes: [UInt8]) throws -> Bool {
        guard let again = roundTrip(target, bytes) else { return false }
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
            case .manifest: return try? AppManifest(unverified: bytes).encoded
            case .profileRecord: return try? ProfileRecord(span).encoded
            case .keychainKey: return try? KeychainKeyRecord(bytes).encoded
            case .presenceKey: return try? PresenceKeyRecord(bytes).encoded
            case .signedManifest: return try? FuzzTargets.signedManifest(bytes)
            case .sealedPart: return try? NotesTargets.sealedPart(bytes)
            case .xmlPropertyList, .binaryPropertyList: return said(bytes, try? ProfileTargets.propertyList(span))
            case .profile: return said(bytes, try? ProfileTargets.profile(bytes))
            case .csv: return said(bytes, try? CSVTargets.file(bytes))
            case .bitwardenJSON, .keePassXML: return said(bytes, try? KeychainFormatTargets.file(bytes))
            case .printStream: return try? PrintTargets.book(span)
            case .printJPEG: return PrintTargets.jpeg(bytes)
            case .imageAnswer, .imageRequest, .strippedFile, .exifOrientation, .diaryJSON, .passwordHash:
                return diaryRoundTrip(target, bytes)
            case .oneTimeCode: return said(bytes, try? OneTimeCodeTargets.text(bytes))
            case .widgetAnswer: return said(bytes, try? WidgetTargets.answer(bytes))
            case .widgetFrame: return try? WidgetTargets.frame(bytes)
            case .widgetTimeline: return try? WidgetTargets.timeline(bytes)
            case .widgetStore: return try? WidgetTargets.store(bytes)
            case .modify: return try? CloudTargets.modify(span)
            case .changes: return try? CloudTargets.changes(span)
            case .modified: return try? CloudTargets.modified(span)
            default: return certificateRoundTrip(target, bytes)
            }
        }
    }

    private static func diaryRoundTrip(_ target: Target, _ bytes: [UInt8]) -> [UInt8]? {
        switch target {
        case .imageAnswer: try? ImageTargets.answer(bytes)
        case .imageRequest: try? ImageTargets.request(bytes)
        case .strippedFile: try? ImageTargets.strippedFile(bytes)
        case .exifOrientation: try? ImageTargets.orientation(bytes)
        case .diaryJSON: said(bytes, try? DiaryTargets.json(bytes))
        case .passwordHash: DiaryTargets.passwordHash(bytes)
        default: nil
        }
    }

    private static func certificateRoundTrip(_ target: Target, _ bytes: [UInt8]) -> [UInt8]? {
        switch target {
        case .certificate: try? CertificateTargets.certificate(bytes)
        case .certificateFile: said(bytes, try? CertificateTargets.file(bytes))
        case .privateKey: said(bytes, try? CertificateTargets.privateKey(bytes))
        case .publicKey: try? CertificateTargets.publicKey(bytes)
        case .encryptedKey: said(bytes, try? CertificateTargets.encryptedKey(bytes))
        case .pkcs12: said(bytes, try? PKCS12Targets.file(bytes))
        case .pkcs12Contents: said(bytes, try? PKCS12Targets.contents(bytes))
        case .pkcs12Entries: said(bytes, try? PKCS12Targets.entries(bytes))
        case .signedMessage: said(bytes, try? MessageTargets.message(bytes))
        default: nil
        }
    }

    /// What a target that has no encoder gives: the input where it held, and none where it was refused.
    private static func said(_ bytes: [UInt8], _ holds: Bool?) -> [UInt8]? { holds.map { $0 ? bytes : bytes + [0] } }
}

/// Whether something is so, where an error means that it is not: what was read once has to be read again.
func holds(_ body: () throws -> Bool) -> Bool { (try? body()) ?? false }

/// The decoders, each as the programs call it.
///
/// Keybags and rows come behind their MAC and seal: what an attacker with
/// the keys, or a bug of ours, could put there.
enum FuzzTargets {
    static func nativeRequest(_ span: RawSpan) throws -> [UInt8] {
        var header: KeychainRequest.Header?
        let request = try KeychainRequest.decode(span, header: &header)
        var buffer = try SecretBuffer(capacity: 512)
        try request.encode(id: header?.id ?? 0, into: &buffer)
        return buffer.bytes.extracting(droppingFirst: StreamFrame.headerByteCount).copyToArray()
    }

    static func enclaveRequest(_ span: RawSpan) throws -> [UInt8] {
        var buffer = try SecretBuffer(capacity: 512)
        try EnclaveRequest.decode(span).encode(into: &buffer)
        return buffer.bytes.extracting(droppingFirst: StreamFrame.headerByteCount).copyToArray()
    }

    static func enclaveReply(_ span: RawSpan) throws -> [UInt8] {
        var buffer = try SecretBuffer(capacity: 512)
        try EnclaveReply.decode(span).encode(into: &buffer)
        return buffer.bytes.extracting(droppingFirst: StreamFrame.headerByteCount).copyToArray()
    }

    static func reply(_ span: RawSpan) throws -> Bool {
        var reader = ByteReader(span)
        switch try KeychainReply.header(&reader).tag {
        case .error: _ = try KeychainError(from: &reader)
        case .status: _ = try DaemonStatus(from: &reader)
        case .page: _ = try Page(from: &reader) { _, _, _ in }
        default: break
        }
        try reader.end()
        return true
    }

    /// A signature that holds, and nothing behind it.
    static func signedManifest(_ bytes: [UInt8]) throws -> [UInt8] {
        let manifest = try AppManifest(signed: bytes)
        let signature = bytes.suffix(AppManifest.signatureByteCount)
        return manifest.encoded + signature
    }

    static func keybag(_ bytes: [UInt8]) -> [UInt8]? { KeybagFormat.roundTrip(bytes) }
    static func slot(_ bytes: [UInt8]) -> [UInt8]? { KeybagFormat.slotRoundTrip(bytes) }

    /// A row's attributes and binding, as they come out of their envelopes.
    static func row(_ span: RawSpan) throws -> Bool {
        var reader = ByteReader(span)
        _ = try Attributes(from: &reader)
        try reader.end()
        _ = try Attributes.matches(
            span,
            [Attributes.Expectation(.account, .string("a"), type: .blob, defaultValue: .string(""))])
        return true
    }
}
