import Glibc

/// poll(2) over a set of descriptors that changes between calls.
package struct Poll {
    private var entries: [pollfd] = []

    /// Waits for nothing yet.
    package init() {}

    /// Takes all descriptors out, and keeps the room.
    package mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Adds a descriptor; its place is told by ``count`` before.
    ///
    /// - Parameters:
    ///   - reading: whether bytes, or somebody who connects, are waited for.
    ///   - writing: whether room is.
    package mutating func add(_ descriptor: Int32, reading: Bool, writing: Bool) {
        let events = (reading ? POLLIN : 0) | (writing ? POLLOUT : 0)
        entries.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
    }

    /// What was added, for who waits in another way and asks this one afterwards.
    package var interests: [DescriptorInterest] {
        // poll(2) passes over negative ones.
        entries.filter { $0.fd >= 0 }.map { entry in
            let events = Int32(entry.events)
            return DescriptorInterest(entry.fd, reading: events & POLLIN != 0, writing: events & POLLOUT != 0)
        }
    }

    /// How many descriptors were added.
    package var count: Int { entries.count }

    /// Waits until a descriptor is ready or `milliseconds` have passed; nil waits for ever.
    package mutating func wait(milliseconds: Int?) throws(LinuxError) {
        let limit = milliseconds.map { Int32(clamping: $0) } ?? -1
        let result = unsafe entries.withUnsafeMutableBufferPointer {
            unsafe poll($0.baseAddress, nfds_t($0.count), limit)
        }
        if result < 0 && errno == EINTR {
            for index in entries.indices { entries[index].revents = 0 }
            return
        }
        try LinuxError.checkErrno(result, "poll")
    }

    /// Whether any descriptor is ready.
    var hasNews: Bool { entries.contains { $0.revents != 0 } }

    /// Whether the `index`-th descriptor added can be read, has ended or is broken.
    package func isReadable(_ index: Int) -> Bool {
        Int32(entries[index].revents) & (POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0
    }

    /// Whether the other end is gone for good.
    package func isBroken(_ index: Int) -> Bool {
        Int32(entries[index].revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
    }

    /// Whether the `index`-th descriptor added has room for a write.
    package func isWritable(_ index: Int) -> Bool { Int32(entries[index].revents) & POLLOUT != 0 }
}
