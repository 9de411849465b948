package import Linux

/// What a program of one thread waits for: its own descriptors, each until it is removed, and those of libraries, which
/// open and close them as they like.
///
///     let loop = try EventLoop()
///     let signals = try loop.add(descriptor)
///     while true {
///         try loop.wait(milliseconds: alarms.milliseconds(at: now))
///         if loop.isReadable(signals) { … }
///     }
///
/// Behind each wait it is asked what is ready. See docs/decisions/0037-one-event-loop.md.
package final class EventLoop {
    /// A descriptor of the program's, under a name that no later one has.
    package struct Source: Hashable, Sendable { fileprivate let number: UInt64 }

    private struct Watched {
        let descriptor: Int32
        /// What is waited for; nil while nothing is to be heard of it.
        var wanted: DescriptorInterest?
        /// What the kernel has been told to look for; nil where it does not look at all.
        var told: DescriptorInterest?
    }

    private var epoll: Epoll
    private var watched: [Source: Watched] = [:]
    /// Descriptors of libraries, as they were at the last wait.
    private var others: [Int32: Source] = [:]
    private var ready: [UInt64: Epoll.Readiness] = [:]
    private var nextNumber: UInt64 = 1
    /// Whether the kernel had no room for what is waited for, or no memory (epoll_ctl(2): ENOSPC, ENOMEM).
    ///
    /// The next wait is a short one, and the one behind it asks again.
    private var isShort = false

    /// Makes one that waits for nothing.
    package init() throws(LinuxError) { epoll = try Epoll() }

    // MARK: Sources

    /// Watches a descriptor until ``remove(_:)``, which has to come before it is closed.
    package func add(_ descriptor: Int32, reading: Bool = true, writing: Bool = false) throws(LinuxError) -> Source {
        // One that has this number now is no library's any more.
        others[descriptor] = nil
        let source = makeSource()
        watched[source] = Watched(descriptor: descriptor)
        do { try want(source, reading: reading, writing: writing) } catch {
            watched[source] = nil
            throw error
        }
        return source
    }

    /// Says what is waited for; with neither, the end of the other side alone.
    package func want(_ source: Source, reading: Bool, writing: Bool = false) throws(LinuxError) {
        guard let descriptor = watched[source]?.descriptor else { return }
        watched[source]?.wanted = DescriptorInterest(descriptor, reading: reading, writing: writing)
        try tell(source)
    }

    /// Tells the kernel what is waited for, if it does not know.
    private func tell(_ source: Source) throws(LinuxError) {
        guard let entry = watched[source], let wanted = entry.wanted, entry.told != wanted else { return }
        try unlessShort { () throws(LinuxError) in
            if entry.told == nil {
                try epoll.add(wanted, key: source.number)
            } else if try !epoll.change(wanted, key: source.number) {
                throw LinuxError.closedBeforeItsTime
            }
            watched[source]?.told = wanted
        }
    }

    private func unlessShort(_ body: () throws(LinuxError) -> Void) throws(LinuxError) {
        do { try body() } catch {
            guard error.isShortage else { throw error }
            isShort = true
        }
    }

    /// Hears nothing of it until ``want(_:reading:writing:)``, not even its end: a client that is gone and stays for a
    /// while would end every wait.
    package func mute(_ source: Source) {
        guard let former = watched[source] else { return }
        if former.told != nil { epoll.remove(former.descriptor) }
        watched[source] = Watched(descriptor: former.descriptor)
        ready[source.number] = nil
    }

    /// Forgets a source.
    package func remove(_ source: Source) {
        mute(source)
        watched[source] = nil
    }

    private func makeSource() -> Source {
        defer { nextNumber += 1 }
        return Source(number: nextNumber)
    }

    /// Watches descriptors of libraries until it is called again; those that are not among them any more may be closed.
    package func watch(others interests: [DescriptorInterest]) throws(LinuxError) {
        let wanted = Set(interests.map(\.descriptor))
        for descriptor in Array(others.keys) where !wanted.contains(descriptor) {
            epoll.remove(descriptor)
            others[descriptor] = nil
        }
        for interest in interests {
            try unlessShort { () throws(LinuxError) in
                if let known = others[interest.descriptor], try epoll.change(interest, key: known.number) { return }
                // New, or another one that was given the number of one that was closed.
                let source = makeSource()
                others[interest.descriptor] = nil
                try epoll.add(interest, key: source.number)
                others[interest.descriptor] = source
            }
        }
    }

    // MARK: Waiting

    /// Waits until something is ready or the time is over; nil waits for ever.
    ///
    /// - Returns: whether something is ready.
    @discardableResult
    package func wait(milliseconds: Int?) throws(LinuxError) -> Bool {
        let limit = isShort ? min(milliseconds ?? Self.shortWait, Self.shortWait) : milliseconds
        if isShort {
            isShort = false
            for source in Array(watched.keys) { try tell(source) }
        }
        ready = try look(milliseconds: limit)
        return !ready.isEmpty
    }

    /// Milliseconds after which the kernel is asked again to watch what it had no room for.
    private static var shortWait: Int { 100 }

    /// What is ready now, apart from what the last wait has found, which stays.
    package func peek() throws(LinuxError) -> Glance { Glance(ready: try look(milliseconds: 0)) }

    /// What was ready at a time.
    package struct Glance {
        fileprivate let ready: [UInt64: Epoll.Readiness]

        /// What is ready of a source.
        package func readiness(of source: Source) -> Epoll.Readiness { ready[source.number] ?? [] }
    }

    private func look(milliseconds: Int?) throws(LinuxError) -> [UInt64: Epoll.Readiness] {
        var found: [UInt64: Epoll.Readiness] = [:]
        try epoll.wait(milliseconds: milliseconds) { found[$0] = $1 }
        return found
    }

    // MARK: Behind a wait

    /// What is ready of a source.
    package func readiness(of source: Source) -> Epoll.Readiness { ready[source.number] ?? [] }

    /// Whether a source can be read, has ended or is broken.
    package func isReadable(_ source: Source) -> Bool {
        !readiness(of: source).isDisjoint(with: [.readable, .broken])
    }

    /// Whether anything is ready of a library's descriptor.
    package func isReady(other descriptor: Int32) -> Bool {
        others[descriptor].map { !readiness(of: $0).isEmpty } ?? false
    }
}
