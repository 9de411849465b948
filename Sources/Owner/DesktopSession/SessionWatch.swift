package import MessageBus
import Linux

/// Hears from logind and the screen saver when the owner's session is locked, left or put to sleep, for an event loop
/// that never waits for them.
///
/// Wait as ``interests`` says, then call ``process(at:)``. A bus that is not there, or ends, is tried again every
/// few seconds; what has changed by then is noticed when it answers: a session that is locked, a screen that was
/// switched away from.
///
///     let watch = SessionWatch(user: CurrentProcess.user, place: .system(user: …, environment: …))
///     for interest in watch.interests { poll.add(interest.descriptor, …) }
///     for notice in watch.process(at: now) { … }
package final class SessionWatch {
    /// Milliseconds between two attempts to reach a bus: the first, and the longest.
    private static let (firstPause, longestPause) = (UInt64(1000), UInt64(30_000))
    /// Messages looked at in one step, so that nobody on the bus can keep us busy.
    private static let messagesPerStep = 32
    /// How long an answer about idle terminals is waited for, and how long it is good, in milliseconds.
    private static let (patience, freshness) = (UInt64(1000), UInt64(2000))

    private let user: UInt32
    private let place: SessionPlace
    private let screenSaver: ScreenSaverWatch?
    private var bus: SystemBus?
    private var conversation: SessionConversation
    private var asked: [UInt64: SessionConversation.Question] = [:]
    private var nextTry: UInt64 = 0
    private var pause = firstPause
    private var terminalsAsked: UInt64?

    /// - Parameters:
    ///   - user: whose sessions count.
    ///   - place: where the buses are.
    package init(user: UInt32, place: SessionPlace) {
        self.user = user
        self.place = place
        screenSaver = place.sessionBus.map { ScreenSaverWatch(address: $0) }
        conversation = SessionConversation(user: user, trustedUser: place.trustedUser)
    }

    /// Whether logind is heard.
    package var isListening: Bool { bus != nil && conversation.isListening }

    /// When the owner last did something, as far as logind was told; nil where it does not know.
    package var activity: OwnerActivity? { isListening ? conversation.activity : nil }

    /// What to wait for.
    package var interests: [BusInterest] {
        var interests: [BusInterest] = []
        if let interest = try? bus?.interest() { interests.append(interest) }
        if let interest = screenSaver?.interest() { interests.append(interest) }
        return interests
    }

    /// When to process at the latest, though nothing has arrived: a bus wants to go on, or is to be tried again.
    ///
    /// - Parameter now: milliseconds of CLOCK_BOOTTIME, as the result.
    package func nextProcessing(at now: UInt64) -> UInt64 {
        var next = bus == nil ? nextTry : UInt64.max
        if let screenSaverTry = screenSaver?.nextTry { next = min(next, screenSaverTry) }
        for interest in interests {
            if let wait = interest.milliseconds { next = min(next, now + UInt64(wait)) }
        }
        return next
    }

    /// Takes what has arrived, and never waits.
    ///
    /// - Parameter now: milliseconds of CLOCK_BOOTTIME.
    package func process(at now: UInt64) -> [SessionNotice] {
        if bus == nil && now >= nextTry { connect(now) }
        var notices = take(now)
        if screenSaver?.process(at: now) == true { notices.append(.lock(.screenSaver)) }
        return notices
    }

    /// Lets the machine sleep; the next sleep is delayed again.
    package func allowSleep() { conversation.delay = nil }

    /// Whether what is known of the owner's activity is of now; where it is not, terminals are asked about.
    ///
    /// - Parameter now: milliseconds of CLOCK_BOOTTIME.
    package func isActivityFresh(at now: UInt64) -> Bool {
        let questions = isListening ? conversation.askAboutTerminals() : []
        guard !questions.isEmpty else { return true }
        let isWaiting = asked.values.contains { if case .session = $0 { true } else { false } }
        if let since = terminalsAsked, now >= since, now < since + Self.freshness {
            // Who does not answer in time does not keep the device open.
            return !isWaiting || now >= since + Self.patience
        }
        terminalsAsked = now
        _ = perform(questions, now)
        return false
    }

    private func connect(_ now: UInt64) {
        do throws(BusError) { bus = try SystemBus(address: place.systemBus, takesDescriptors: true) } catch {
            return end(now)
        }
        conversation = SessionConversation(
            user: user, trustedUser: place.trustedUser, hadActiveSeat: conversation.sawActiveSeat)
        _ = perform(conversation.begin(), now)
    }

    private func take(_ now: UInt64) -> [SessionNotice] {
        var notices: [SessionNotice] = []
        var steps = Self.messagesPerStep
        do throws(BusError) {
            while let message = try bus?.nextMessage(from: conversation.senders, steps: &steps) {
                notices += perform(actions(message), now)
            }
            notices += perform(conversation.settle(), now)
        } catch { end(now) }
        return notices
    }

    private func actions(_ message: BusMessage) -> [SessionConversation.Action] {
        switch message.content {
        case .reply(let cookie, let values):
            asked.removeValue(forKey: cookie).map { conversation.received(values, for: $0) } ?? []
        case .failure(let cookie, _): asked.removeValue(forKey: cookie).map { conversation.failed($0) } ?? []
        case .signal(let interface, let member, let path, let values):
            conversation.signalled(interface: interface, member: member, path: path, values)
        }
    }

    private func perform(_ actions: [SessionConversation.Action], _ now: UInt64) -> [SessionNotice] {
        var notices: [SessionNotice] = []
        for action in actions {
            switch action {
            case .report(let notice): notices.append(notice)
            case .giveUp: end(now)
            case .call(let call, let question):
                guard let bus else { continue }
                do throws(BusError) { asked[try bus.send(call)] = question } catch { end(now) }
            }
        }
        if isListening { pause = Self.firstPause }
        return notices
    }

    /// Nothing is heard until the next attempt.
    private func end(_ now: UInt64) {
        bus = nil
        asked = [:]
        terminalsAsked = nil
        conversation.delay = nil
        nextTry = now + pause
        pause = min(pause * 2, Self.longestPause)
    }
}
