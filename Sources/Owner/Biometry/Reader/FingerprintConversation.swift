import Linux
package import MessageBus

/// What a conversation with fprintd brings.
package enum FingerprintEvent: Equatable, Sendable {
    /// Something for the person at the reader; more follows.
    case hint(ScanHint)
    /// The end of a verification.
    case verified(VerificationOutcome)
    /// The end of a listing: names such as `right-index-finger`, sorted.
    case enrolled([String])
    /// The end, without an answer.
    case failed(BiometryError)
}

/// One verification or listing under way, for an event loop that waits for nothing else than poll(2).
///
/// Wait as ``interest(at:)`` says, then call ``process(at:)``, until ``hasEnded``. Each has a connection to the bus of
/// its own, so that nothing that was said in an earlier one is heard in this.
///
///     let conversation = try reader.startVerifying(anna, until: now + 30_000)
///     poll.add(conversation.interest(at: now)) …
///     for event in conversation.process(at: now) { … }
package final class FingerprintConversation {
    /// How long fprintd may take to hand the reader back, in milliseconds.
    private static let patience: UInt64 = 2000
    /// Messages looked at in one step, so that nobody on the bus can keep us busy.
    private static let messagesPerStep = 32

    private let bus: SystemBus
    private var conversation: ReaderConversation
    private var awaited: UInt64?
    private var deadline: UInt64
    private var isStopping = false
    /// Whether the last event was reported.
    package private(set) var hasEnded = false

    init(
        _ goal: ReaderConversation.Goal, address: String, trustedUser: UInt32, deadline: UInt64
    ) throws(BiometryError) {
        do { bus = try SystemBus(address: address) } catch { throw BiometryError(error) }
        conversation = ReaderConversation(goal: goal, trustedUser: trustedUser)
        self.deadline = deadline
        if let error = perform(conversation.begin()).failure { throw error }
    }

    /// What to wait for.
    ///
    /// - Parameter now: milliseconds of CLOCK_BOOTTIME.
    package func interest(at now: UInt64) -> BusInterest? {
        guard !hasEnded, var interest = try? bus.interest() else { return nil }
        let left = deadline > now ? Int(clamping: deadline - now) : 0
        interest.milliseconds = min(interest.milliseconds ?? left, left)
        return interest
    }

    /// Takes what has arrived, and never waits.
    ///
    /// - Parameter now: milliseconds of CLOCK_BOOTTIME.
    package func process(at now: UInt64) -> [FingerprintEvent] {
        var events: [FingerprintEvent] = []
        var steps = Self.messagesPerStep
        do throws(BusError) {
            while !hasEnded, let message = try bus.nextMessage(from: conversation.senders, steps: &steps) {
                guard let input = input(message) else { continue }
                events += perform(conversation.received(input))
            }
        } catch { events += broken(BiometryError(error)) }
        if !hasEnded && now >= deadline {
            events += isStopping ? perform(conversation.abandon()) : stop(.timedOut, now)
        }
        return events
    }

    /// Gives up; the outcome follows from ``process(at:)`` once the reader is handed back, or at once.
    package func cancel(at now: UInt64) -> [FingerprintEvent] { isStopping ? [] : stop(.cancelled, now) }

    private func stop(_ reason: VerificationOutcome, _ now: UInt64) -> [FingerprintEvent] {
        isStopping = true
        deadline = now + Self.patience
        return perform(conversation.stop(reason))
    }

    private func input(_ message: BusMessage) -> ReaderConversation.Input? {
        switch message.content {
        case .reply(let cookie, let values) where cookie == awaited: .reply(values)
        case .failure(let cookie, let name) where cookie == awaited: .failure(name: name)
        case .signal(let interface, let member, let path, let values):
            .signal(sender: message.sender, interface: interface, member: member, path: path, values)
        default: nil
        }
    }

    private func perform(_ actions: [ReaderConversation.Action]) -> [FingerprintEvent] {
        var events: [FingerprintEvent] = []
        for action in actions {
            switch action {
            case .report(let event): events.append(event)
            case .end: hasEnded = true
            case .call(let call):
                do throws(BusError) { awaited = try bus.send(call) } catch {
                    return events + broken(BiometryError(error))
                }
            }
        }
        return events
    }

    private func broken(_ error: BiometryError) -> [FingerprintEvent] { perform(conversation.disconnected(error)) }
}

extension [FingerprintEvent] {
    fileprivate var failure: BiometryError? {
        if case .failed(let error) = last { error } else { nil }
    }
}
