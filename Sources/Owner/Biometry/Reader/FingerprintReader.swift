import Linux
import MessageBus

/// The fingerprint reader of this machine, through fprintd on the system bus.
///
/// What comes of it is a yes or no by a daemon that runs as root: no key, and no cryptography. It can release what is
/// already open, and must never be what opens it. docs/guides/presence.md says what that means.
///
///     let reader = FingerprintReader()
///     let outcome = try reader.verify(anna, milliseconds: 30_000) { hint in show(hint) }
package struct FingerprintReader: Sendable {
    /// A year, in milliseconds: more than anybody waits, and no sum with it overflows.
    private static let longestWait: UInt64 = 365 * 86_400_000

    private let address: String
    private let trustedUser: UInt32

    /// - Parameters:
    ///   - address: of the bus, as the D-Bus specification writes it.
    ///   - trustedUser: the user that fprintd must run as. Anything but root is for tests whose bus isn't root's.
    package init(address: String = SystemBus.systemAddress, trustedUser: UInt32 = 0) {
        self.address = address
        self.trustedUser = trustedUser
    }

    /// Begins to look for a finger of `user`, for an event loop.
    ///
    /// - Parameters:
    ///   - user: whose fingers count.
    ///   - deadline: milliseconds of CLOCK_BOOTTIME.
    /// - Throws: ``BiometryError/busUnavailable``. Everything else is an event.
    package func startVerifying(
        _ user: LoginName, until deadline: UInt64
    ) throws(BiometryError) -> FingerprintConversation {
        try FingerprintConversation(
            .verify(user), address: address, trustedUser: trustedUser, deadline: deadline)
    }

    /// Begins to ask which fingers `user` has enrolled, for an event loop.
    ///
    /// - Throws: ``BiometryError/busUnavailable``. Everything else is an event.
    package func startListing(
        _ user: LoginName, until deadline: UInt64
    ) throws(BiometryError) -> FingerprintConversation {
        try FingerprintConversation(.list(user), address: address, trustedUser: trustedUser, deadline: deadline)
    }

    /// Looks for a finger of `user`, and waits for it.
    ///
    /// - Parameters:
    ///   - user: whose fingers count.
    ///   - milliseconds: how long to wait for a decision. Handing the reader back may take two seconds more.
    ///   - cancellation: a descriptor that becomes readable when the caller wants to give up; it is not read from.
    ///   - onHint: is told what to tell the person.
    /// - Throws: ``BiometryError`` where the reader could not be asked.
    package func verify(
        _ user: LoginName, milliseconds: UInt64, cancelledBy cancellation: Int32? = nil,
        onHint: (ScanHint) -> Void = { _ in }
    ) throws(BiometryError) -> VerificationOutcome {
        let deadline = SystemClock.bootMilliseconds() + min(milliseconds, Self.longestWait)
        let conversation = try startVerifying(user, until: deadline)
        switch try lastEvent(of: conversation, cancelledBy: cancellation, onHint: onHint) {
        case .verified(let outcome): return outcome
        case .failed(let error): throw error
        case .hint, .enrolled, nil: throw .serviceFailed
        }
    }

    /// The names of the fingers that `user` has enrolled, sorted; empty where there are none.
    ///
    /// - Throws: ``BiometryError`` where fprintd could not be asked.
    package func enrolledFingers(
        of user: LoginName, milliseconds: UInt64 = 5000
    ) throws(BiometryError) -> [String] {
        let deadline = SystemClock.bootMilliseconds() + min(milliseconds, Self.longestWait)
        let conversation = try startListing(user, until: deadline)
        switch try lastEvent(of: conversation, cancelledBy: nil, onHint: { _ in }) {
        case .enrolled(let fingers): return fingers
        case .failed(let error): throw error
        case .hint, .verified, nil: throw .serviceFailed
        }
    }

    /// Drives a conversation to its end.
    private func lastEvent(
        of conversation: FingerprintConversation, cancelledBy cancellation: Int32?, onHint: (ScanHint) -> Void
    ) throws(BiometryError) -> FingerprintEvent? {
        var last: FingerprintEvent?
        var cancellation = cancellation
        func take(_ events: [FingerprintEvent]) {
            for event in events {
                if case .hint(let hint) = event { onHint(hint) } else { last = event }
            }
        }
        while !conversation.hasEnded {
            take(conversation.process(at: SystemClock.bootMilliseconds()))
            guard let interest = conversation.interest(at: SystemClock.bootMilliseconds()) else { continue }
            var poll = Poll()
            poll.add(interest.descriptor, reading: interest.reading, writing: interest.writing)
            let givenUp = cancellation.map { poll.add($0, reading: true, writing: false) }
            do { try poll.wait(milliseconds: interest.milliseconds) } catch { throw .busUnavailable }
            if poll.isReadable(givenUp) {
                cancellation = nil
                take(conversation.cancel(at: SystemClock.bootMilliseconds()))
            }
        }
        return last
    }
}
