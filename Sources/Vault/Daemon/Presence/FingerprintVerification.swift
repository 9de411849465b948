package import Biometry
import EnclaveWire
import Envelopes
import KeychainStore
import Linux
import MessageBus
import Protection
import Secrets
import Wire

/// Where the fingerprint reader is asked.
package struct FingerprintSource: Sendable {
    let reader: FingerprintReader
    /// Where fprintd keeps what it knows of fingers.
    let folder: String

    /// - Parameters: other than the defaults in tests alone, which have a bus and a reader of their own.
    package init(reader: FingerprintReader = FingerprintReader(), folder: String = FingerprintReader.stateFolder) {
        self.reader = reader
        self.folder = folder
    }
}

/// Waits for the owner's finger, for one program at a time, and tells the enclave what fprintd says.
///
/// No rule is decided here: the enclave says whether a finger may stand for the owner, and what it opens.
final class FingerprintVerification {
    /// How long a program may have the reader.
    private static let longestWait = Duration.seconds(60)
    /// How long everybody waits for fprintd to say which fingers are enrolled, where its files cannot be read.
    private static let longestListing = Duration.seconds(1)

    /// What is to be told, when all is over.
    struct Answer {
        let connection: Connection
        let id: UInt32
        let error: KeychainError?

        func encode(into output: inout SecretBuffer) throws(SecretMemoryError) {
            if let error {
                try KeychainReply.append(error, id: id, to: &output)
            } else {
                try KeychainReply.appendDone(id: id, to: &output)
            }
        }
    }

    private struct Waiting {
        let connection: Connection
        let id: UInt32
        let item: Identifier
        let operation: ProtectedOperation
        let conversation: FingerprintConversation
    }

    private let device: DeviceOwner
    private let source: FingerprintSource
    private let user: LoginName?
    private var waiting: Waiting?
    /// Why the one who waits is refused, whatever the reader says now.
    private var refusal: KeychainError?

    init(device: DeviceOwner, source: FingerprintSource) {
        self.device = device
        self.source = source
        user = FileSystem.userName(CurrentProcess.user).flatMap(LoginName.init)
    }

    /// Begins to wait; the answer comes from ``process()``.
    func begin(_ claim: BiometryClaim, id: UInt32, over connection: Connection) throws {
        guard waiting == nil else { throw KeychainError(.notAvailable, .biometryBusy) }
        let operation = try ProtectedOperation(claimed: claim.operation)
        try device.mayAskForFinger()
        let now = SystemClock.bootMilliseconds()
        do {
            let conversation = try source.reader.startVerifying(
                try owner, until: now + min(claim.patience, Self.longestWait).wholeMilliseconds)
            waiting = Waiting(
                connection: connection, id: id, item: claim.item, operation: operation, conversation: conversation)
            refusal = nil
        } catch let error as BiometryError { throw Self.error(error) }
    }

    /// Ends the wait of who waits: a touch that comes now was not asked for.
    func cancel(_ reason: KeychainError.Reason) {
        guard let waiting, refusal == nil else { return }
        _ = waiting.conversation.cancel(at: SystemClock.bootMilliseconds())
        refusal = KeychainError(.interactionNotAllowed, reason, lockState: device.lockState)
    }

    /// What the loop has to wait for.
    var interest: BusInterest? { waiting?.conversation.interest(at: SystemClock.bootMilliseconds()) }

    /// Goes on as far as it can without waiting.
    func process() -> Answer? {
        guard let waiting else { return nil }
        let now = SystemClock.bootMilliseconds()
        let isCancelled = waiting.connection.isClosed || refusal != nil
        var events = isCancelled ? waiting.conversation.cancel(at: now) : []
        events += waiting.conversation.process(at: now)
        guard waiting.conversation.hasEnded || waiting.conversation.interest(at: now) == nil else { return nil }
        self.waiting = nil
        guard !waiting.connection.isClosed else { return nil }
        let error: KeychainError?
        do {
            if let refusal { throw refusal }
            try conclude(events.last, waiting)
            error = nil
        } catch let failure { error = failure as? KeychainError ?? device.meaning(of: failure) }
        return Answer(connection: waiting.connection, id: waiting.id, error: error)
    }

    private func conclude(_ event: FingerprintEvent?, _ waiting: Waiting) throws {
        switch event {
        case .verified(.match):
            let match = BiometryMatch(
                connection: waiting.connection.id, item: waiting.item, operation: waiting.operation,
                enrolment: try enrolment())
            try device.fingerMatched(match)
        case .verified(.noMatch):
            try device.fingerFailed()
            throw KeychainError(.authenticationFailed, .biometryNoMatch)
        case .verified(.timedOut), .verified(.cancelled):
            throw KeychainError(.authenticationFailed, .biometryTimedOut)
        case .failed(let error): throw Self.error(error)
        case .verified(.disconnected), .verified(.unknownError), .hint, .enrolled, nil:
            throw Self.error(.serviceFailed)
        }
    }

    /// The state of the owner's enrolled fingers now: SHA-256 by specs/fingerprint-enrolment.md.
    func enrolment() throws -> [UInt8] {
        var digest = ContentDigest()
        do {
            let enrolment = try source.reader.enrolment(
                of: try owner, folder: source.folder, milliseconds: Self.longestListing.wholeMilliseconds
            ) { digest.update($0) }
            guard enrolment.fingers > 0 else { throw BiometryError.notEnrolled }
        } catch let error as BiometryError { throw Self.error(error) }
        return digest.finish()
    }

    /// What can be said of fingers before one is asked for.
    func report() throws -> BiometryReport {
        var report = BiometryReport(unavailable: nil, refusal: nil, enrolment: nil)
        do { report.enrolment = try enrolment() } catch let error as KeychainError
            where error.reason == .biometryUnavailable
        {
            report.unavailable = BiometryReport.Problem(rawValue: UInt8(clamping: error.detail))
            return report
        }
        do { try device.mayAskForFinger() } catch let error as KeychainError where error.reason == .biometryRefused {
            report.refusal = BiometryState.Refusal(rawValue: UInt8(clamping: error.detail))
        } catch let error as KeychainError where error.reason == .locked {
            // A finger opens nothing that is shut.
            report.refusal = .notUnlockedSinceStart
        }
        return report
    }

    private var owner: LoginName {
        get throws {
            guard let user else { throw Self.error(.permissionDenied) }
            return user
        }
    }

    private static func error(_ error: BiometryError) -> KeychainError {
        let problem: BiometryReport.Problem =
            switch error {
            case .busUnavailable: .busUnavailable
            case .serviceMissing: .serviceMissing
            case .serviceUntrusted: .serviceUntrusted
            case .serviceFailed: .serviceFailed
            case .noReader: .noReader
            case .readerBusy: .readerBusy
            case .permissionDenied: .permissionDenied
            case .notEnrolled: .notEnrolled
            case .enrolmentUnreadable: .enrolmentUnreadable
            case .serviceSilent: .serviceSilent
            }
        return KeychainError(.notAvailable, .biometryUnavailable, detail: UInt64(problem.rawValue))
    }
}
