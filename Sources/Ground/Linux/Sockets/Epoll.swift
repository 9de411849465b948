import CLinux
import Glibc

/// What somebody waits for at a descriptor that stays their own.
package struct DescriptorInterest: Equatable, Sendable {
    /// The descriptor.
    package let descriptor: Int32
    /// Whether to wait until it can be read.
    package let reading: Bool
    /// Whether to wait until it can be written.
    package let writing: Bool

    /// With neither, its end alone is waited for.
    package init(_ descriptor: Int32, reading: Bool = true, writing: Bool = false) {
        self.descriptor = descriptor
        self.reading = reading
        self.writing = writing
    }

    /// What a library asks for that hands out the bits of poll(2).
    package init(_ descriptor: Int32, pollEvents: Int32) {
        self.init(descriptor, reading: pollEvents & POLLIN != 0, writing: pollEvents & POLLOUT != 0)
    }

    fileprivate var wanted: Int32 { (reading ? Int32(CL_READABLE) : 0) | (writing ? Int32(CL_WRITABLE) : 0) }
}

/// epoll(7), level-triggered: a set of descriptors that stays in the kernel, so that a wait costs what is ready and not
/// what is there.
///
/// A descriptor is to be removed before it is closed: a copy of it in a child that was just forked keeps it in the set,
/// and nobody can take it out any more.
package struct Epoll: ~Copyable {
    /// What is ready of a descriptor.
    package struct Readiness: OptionSet, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) { self.rawValue = rawValue }

        /// Something can be read.
        package static let readable = Readiness(rawValue: Int32(CL_READABLE))
        /// Something can be written.
        package static let writable = Readiness(rawValue: Int32(CL_WRITABLE))
        /// The other end is gone for good; told whatever is waited for.
        package static let broken = Readiness(rawValue: Int32(CL_BROKEN))
    }

    private let descriptor: FileDescriptor
    private var found = [cl_event](repeating: cl_event(), count: Int(CL_MOST_EVENTS))

    /// Makes an empty set.
    package init() throws(LinuxError) {
        descriptor = FileDescriptor(owning: try LinuxError.check(cl_epoll_create(), "epoll_create1"))
    }

    /// Puts a descriptor into the set.
    ///
    /// - Parameter key: by which it is told of.
    package borrowing func add(_ interest: DescriptorInterest, key: UInt64) throws(LinuxError) {
        try LinuxError.check(
            cl_epoll_add(descriptor.raw, interest.descriptor, key, interest.wanted), "epoll_ctl(EPOLL_CTL_ADD)")
    }

    /// Says anew what is waited for.
    ///
    /// - Returns: false where the descriptor is not in the set: it may have been closed, and be another one now.
    package borrowing func change(_ interest: DescriptorInterest, key: UInt64) throws(LinuxError) -> Bool {
        let result = cl_epoll_change(descriptor.raw, interest.descriptor, key, interest.wanted)
        if result == -ENOENT { return false }
        try LinuxError.check(result, "epoll_ctl(EPOLL_CTL_MOD)")
        return true
    }

    /// Takes a descriptor out of the set; one that is not in it any more is no error.
    package borrowing func remove(_ raw: Int32) { _ = cl_epoll_remove(descriptor.raw, raw) }

    /// Waits until one is ready or the time is over; nil waits for ever.
    ///
    /// A signal ends the wait, too.
    ///
    /// - Parameter take: is told of each that is ready.
    package mutating func wait(
        milliseconds: Int?, _ take: (_ key: UInt64, _ readiness: Readiness) -> Void
    ) throws(LinuxError) {
        let limit = milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
        let raw = descriptor.raw
        let result = unsafe found.withUnsafeMutableBufferPointer {
            unsafe cl_epoll_wait(raw, $0.baseAddress, limit)
        }
        let count = try LinuxError.check(result, "epoll_wait")
        for event in found.prefix(Int(count)) { take(event.key, Readiness(rawValue: event.ready)) }
    }
}

/// eventfd(2): by which one thread wakes another that waits for descriptors.
package struct WakeCounter: ~Copyable, Sendable {
    /// To wait for: readable from ``raise()`` to ``clear()``.
    package let descriptor: FileDescriptor

    package init() throws(LinuxError) {
        descriptor = FileDescriptor(owning: try LinuxError.check(cl_counter_create(), "eventfd"))
    }

    /// Wakes who waits; from any thread.
    package borrowing func raise() { cl_counter_raise(descriptor.raw) }

    /// To be called before what was handed over is looked at: what comes later wakes again.
    package borrowing func clear() { cl_counter_clear(descriptor.raw) }
}
