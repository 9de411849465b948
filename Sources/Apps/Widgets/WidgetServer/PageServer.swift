package import Linux
package import WidgetClient

/// Why pages are not served.
package enum PageServerError: Error, Equatable, Sendable {
    /// Somebody else listens on this port of 127.0.0.1 or ::1.
    case portTaken(UInt16)
    /// The system does not let this program listen; `errno`.
    case refused(code: Int32)
    /// What the kernel refuses later.
    case system(LinuxError)
}

/// How much of this program others may take.
package struct PageLimits: Equatable, Sendable {
    /// At a time, by each of the two addresses; the next one ends one of those.
    package var connections: UInt32
    /// Seconds of a connection without a byte.
    package var idleSeconds: UInt32
    /// Milliseconds of a connection in all.
    package var milliseconds: UInt64
    /// Of a request's head, and of its answer's.
    package var headBytes: Int

    /// - Parameters:
    ///   - connections: at a time, by each of the two addresses.
    ///   - idleSeconds: of a connection without a byte.
    ///   - milliseconds: of a connection in all.
    ///   - headBytes: of a request's head, and of its answer's.
    package init(
        connections: UInt32 = 32, idleSeconds: UInt32 = 5, milliseconds: UInt64 = 10_000, headBytes: Int = 16 << 10
    ) {
        self.connections = connections
        self.idleSeconds = idleSeconds
        self.milliseconds = milliseconds
        self.headBytes = headBytes
    }
}

/// Serves pages of widgets to programs of this machine, in one thread: on 127.0.0.1 and ::1, never another address.
///
///     let server = try PageServer(port: 4747, framers: PageOrigin.ownMachine, sources: sources)
///     try server.run()
///
/// It keeps nothing between two requests: what a page shows is asked for each time, and gone when it is sent.
package final class PageServer {
    private let daemons: [PageDaemon]
    private let limits: PageLimits
    /// That is listened on.
    package let port: UInt16

    /// Listens.
    ///
    /// - Parameters:
    ///   - port: 0 for one that is free.
    ///   - framers: whose pages may show ours in a frame.
    ///   - sources: where frames come from.
    ///   - limits: how much others may take.
    /// - Throws: ``PageServerError``.
    package init(
        port: UInt16, framers: [PageOrigin], sources: PageSources, limits: PageLimits = PageLimits()
    ) throws(PageServerError) {
        self.limits = limits
        daemons = try Self.listen(port, limits)
        self.port = daemons[0].port
        let site = PageSite(port: self.port, framers: framers, sources: sources)
        for daemon in daemons { daemon.answer = site.answer }
    }

    /// - Returns: one for 127.0.0.1, and where there is IPv6 one for ::1, on the same port.
    private static func listen(_ port: UInt16, _ limits: PageLimits) throws(PageServerError) -> [PageDaemon] {
        var tries = port == 0 ? 8 : 1
        while true {
            let first = try PageDaemon(.version4, port: port, limits: limits, clock: SystemClock.bootMilliseconds)
            do {
                let second = try PageDaemon(
                    .version6, port: first.port, limits: limits, clock: SystemClock.bootMilliseconds)
                return [first, second]
            } catch {
                // A machine without IPv6 has no ::1; but one where somebody else sits there has two servers of one
                // name.
                guard case .portTaken = error else { return [first] }
                tries -= 1
                if tries == 0 { throw error }
            }
        }
    }

    /// As a browser takes them, without a path.
    package var addresses: [String] { zip(["http://127.0.0.1", "http://[::1]"], daemons).map { "\($0.0):\(port)" } }

    /// Serves until a signal ends it.
    ///
    /// - Throws: ``PageServerError/system(_:)``.
    package func run() throws(PageServerError) {
        do {
            let signals = try SignalDescriptor()
            while true {
                try wait(milliseconds: nil, beside: signals.descriptor.raw)
                while let signal = signals.next() { if case .end = signal { return } }
                work()
            }
        } catch { throw .system(error) }
    }

    /// Waits for something to do at most so long, and does it.
    ///
    /// - Throws: ``PageServerError/system(_:)``.
    package func serveOnce(milliseconds: Int) throws(PageServerError) {
        do { try wait(milliseconds: milliseconds, beside: nil) } catch { throw .system(error) }
        work()
    }

    private func wait(milliseconds: Int?, beside descriptor: Int32?) throws(LinuxError) {
        var poll = Poll()
        if let descriptor { poll.add(descriptor, reading: true, writing: false) }
        for daemon in daemons {
            for descriptor in daemon.descriptors { poll.add(descriptor, reading: true, writing: false) }
        }
        try poll.wait(milliseconds: (daemons.map(\.patience) + [milliseconds]).compactMap { $0 }.min())
    }

    private func work() {
        let now = SystemClock.bootMilliseconds()
        for daemon in daemons { daemon.work(endingThoseBefore: now - min(now, limits.milliseconds)) }
        // What was drawn is gone from the heap, which is wiped as it is freed; short words of it stood here.
        Stack.wipe()
    }
}
