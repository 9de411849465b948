import Linux
package import MessageBus

/// A word to the owner on their desktop (Desktop Notifications Specification 1.2).
///
///     try DesktopNotification(title: "Tresor", text: "2 objects are damaged").show(at: address)
package struct DesktopNotification {
    private static let service = "org.freedesktop.Notifications"
    private let title: String
    private let text: String

    /// - Parameters:
    ///   - title: shown as it is.
    ///   - text: without markup. Whoever is on the bus may read it along.
    package init(title: String, text: String) {
        self.title = title
        self.text = text
    }

    /// Shows it, and waits until the desktop has taken it.
    ///
    /// - Parameters:
    ///   - address: of the session's bus, as `DBUS_SESSION_BUS_ADDRESS` says it.
    ///   - milliseconds: how long to wait at most.
    /// - Throws: `BusError.unavailable` where nobody has taken it in this time.
    package func show(at address: String, within milliseconds: UInt64 = 3000) throws(BusError) {
        let end = SystemClock.bootMilliseconds() + milliseconds
        let bus = try SystemBus(address: address)
        let call = BusCall(
            destination: Self.service, path: "/org/freedesktop/Notifications", interface: Self.service,
            member: "Notify",
            arguments: [
                .text("Tresor"), .number(0), .text("dialog-warning"), .text(title), .text(text), .texts([]), .noValues,
                // As long as the desktop shows any.
                .signedNumber(-1),
            ])
        let cookie = try bus.send(call)
        while SystemClock.bootMilliseconds() < end {
            var steps = 16
            while let message = try bus.nextMessage(from: nil, steps: &steps) {
                switch message.content {
                case .reply(cookie, _): return
                case .failure(cookie, _): throw .unavailable
                default: continue
                }
            }
            try wait(for: bus, until: end)
        }
        throw .unavailable
    }

    private func wait(for bus: SystemBus, until end: UInt64) throws(BusError) {
        let interest = try bus.interest()
        let now = SystemClock.bootMilliseconds()
        let left = Int(clamping: end > now ? end - now : 0)
        var poll = Poll()
        poll.add(interest.descriptor, reading: interest.reading, writing: interest.writing)
        do { _ = try poll.wait(milliseconds: min(left, interest.milliseconds ?? left)) } catch { throw .unavailable }
    }
}
