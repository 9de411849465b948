import CLinux

/// What a program that waits most of its life holds in memory meanwhile.
///
/// Code that only its start needed, or the last thing that it did, stays mapped for ever otherwise, in pieces of 64 KiB
/// around each function that ran. What runs again is mapped again, without reading the disk as long as the kernel has
/// it cached (`MADV_DONTNEED` of madvise(2)).
package struct IdleMemory {
    /// Milliseconds without news after which it is given back.
    package static let patience = 500
    private var isReleased = false

    /// Nothing was given back yet.
    package init() {}

    /// Waits as ``Poll/wait(milliseconds:)`` does, and gives back what is not needed once nothing has come for a while.
    ///
    /// - Parameters:
    ///   - poll: what is waited for.
    ///   - milliseconds: at most; nil for ever. It may return earlier, with nothing to read.
    package mutating func wait(for poll: inout Poll, milliseconds: Int?) throws(LinuxError) {
        let limit = isReleased ? milliseconds : min(milliseconds ?? .max, Self.patience)
        try poll.wait(milliseconds: limit)
        if poll.hasNews {
            isReleased = false
        } else if !isReleased && limit == Self.patience {
            cl_release_idle()
            isReleased = true
        }
    }
}
