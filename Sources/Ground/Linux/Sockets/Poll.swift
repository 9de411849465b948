import Glibc

/// poll(2) over a set of descriptors that changes between calls.
///
///     var poll = Poll()
///     let input = poll.add(descriptor, reading: true, writing: false)
///     switch try poll.wait(milliseconds: 500) {
///     case .ready: if poll.isReadable(input) { … }
///     case .timedOut, .interrupted: …
///     }
package struct Poll {
    /// What a wait came to.
    package enum Outcome: Equatable, Sendable {
        /// Something is ready, has ended or is broken.
        case ready
        /// Nothing is, and the time is over.
        case timedOut
        /// A signal came first: nothing is known of any descriptor.
        case interrupted
    }

    /// A descriptor that was added, by which it is asked for behind a wait.
    package struct Entry: Equatable, Sendable { fileprivate let index: Int }

    private var entries: [pollfd] = []

    /// Waits for nothing yet.
    package init() {}

    /// Takes all descriptors out, and keeps the room.
    package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Adds a descriptor; with neither, its end alone is waited for.
    ///
    /// - Parameters:
    ///   - reading: whether bytes, or somebody who connects, are waited for.
    ///   - writing: whether room is.
    /// - Returns: its name in this set, good until ``removeAll()``.
    @discardableResult
    package mutating func add(_ descriptor: Int32, reading: Bool, writing: Bool) -> Entry {
        let events = (reading ? POLLIN : 0) | (writing ? POLLOUT : 0)
        entries.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
        return Entry(index: entries.count - 1)
    }

    /// Whether nothing was added.
    package var isEmpty: Bool { entries.isEmpty }

    /// What was added, for who waits in another way and asks this one afterwards.
    package var interests: [DescriptorInterest] {
        entries.map { DescriptorInterest($0.fd, pollEvents: Int32($0.events)) }
    }

    /// Waits until a descriptor is ready or `milliseconds` have passed; nil waits for ever.
    @discardableResult
    package mutating func wait(milliseconds: Int?) throws(LinuxError) -> Outcome {
        let limit = milliseconds.map { Int32(clamping: $0) } ?? -1
        let result = unsafe entries.withUnsafeMutableBufferPointer {
            unsafe poll($0.baseAddress, nfds_t($0.count), limit)
        }
        if result < 0 && errno == EINTR {
            for index in entries.indices { entries[index].revents = 0 }
            return .interrupted
        }
        return try LinuxError.checkErrno(result, "poll") == 0 ? .timedOut : .ready
    }

    /// The same for a time that is rounded up to milliseconds; 0, and less, does not wait.
    @discardableResult
    package mutating func wait(atMost time: Duration) throws(LinuxError) -> Outcome {
        try wait(milliseconds: time.pollMilliseconds)
    }

    /// Waits for one descriptor: until it can be read, has ended or is broken, or `milliseconds` have passed; nil
    /// waits for ever.
    @discardableResult
    package static func wait(untilReadable descriptor: Int32, milliseconds: Int?) throws(LinuxError) -> Outcome {
        var poll = Poll()
        poll.add(descriptor, reading: true, writing: false)
        return try poll.wait(milliseconds: milliseconds)
    }

    /// Whether a descriptor can be read, has ended or is broken; nil is one that was not added.
    package func isReadable(_ entry: Entry?) -> Bool { events(of: entry) & (POLLIN | Self.broken) != 0 }

    /// Whether the other end is gone for good.
    package func isBroken(_ entry: Entry?) -> Bool { events(of: entry) & Self.broken != 0 }

    /// Whether a descriptor has room for a write.
    package func isWritable(_ entry: Entry?) -> Bool { events(of: entry) & POLLOUT != 0 }

    private static var broken: Int32 { POLLHUP | POLLERR | POLLNVAL }

    private func events(of entry: Entry?) -> Int32 { entry.map { Int32(entries[$0.index].revents) } ?? 0 }
}
