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

    /// Gives the kernel at once what was freed: the C library keeps it otherwise.
    package static func releaseFreed() { cl_release_freed() }

    /// Waits as ``Poll/wait(milliseconds:)`` does, and gives back what is not needed once nothing has come for a while.
    ///
    /// - Parameters:
    ///   - poll: what is waited for.
    ///   - milliseconds: at most; nil for ever. It may return earlier, with nothing to read.
    package mutating func wait(for poll: inout Poll, milliseconds: Int?) throws(LinuxError) {
        _ = try wait(milliseconds: milliseconds) { (limit) throws(LinuxError) in
            try poll.wait(milliseconds: limit) == .ready
        }
    }

    /// The same for who waits otherwise.
    ///
    /// - Parameter wait: waits so long at most, in milliseconds, and says whether something has come.
    /// - Returns: what that said.
    package mutating func wait(
        milliseconds: Int?, _ wait: (Int?) throws(LinuxError) -> Bool
    ) throws(LinuxError) -> Bool {
        let limit = isReleased ? milliseconds : min(milliseconds ?? .max, Self.patience)
        let hasNews = try wait(limit)
        if hasNews {
            isReleased = false
        } else if !isReleased && limit == Self.patience {
            cl_release_idle()
            isReleased = true
        }
        return hasNews
    }
}
