import CLinux
import Glibc

/// A process that holds nothing and keeps a place, and its wards, which do the work one after the other.
///
/// Who opened /proc/PID/mem before a process hid keeps that descriptor, and reads by it what the process holds later.
/// So a program of ours hides first and goes on in a child: fork(2) gives that a memory of its own, and it is hidden
/// from its first instruction on. What was opened before shows the keeper's memory, in which there is nothing. A ward
/// that has to forget ends, and the keeper forks the next one: no program is executed, and nobody sees one unhidden.
///
/// The daemon knows the keeper, which was looked at before it hid; so it is the keeper that connects for its wards.
package enum Keeper {
    /// The exit code of a ward that wants another one in its place; EX_TEMPFAIL of sysexits(3).
    private static let again: Int32 = 75
    /// A ward that lives shorter than this, in milliseconds, and is killed, is not worth another try for ever.
    private static let shortLife: UInt64 = 1000
    private static let mostTries = 3

    /// Forks a ward, and one after the other as long as they ask for it.
    ///
    /// - Parameters:
    ///   - daemon: the socket that wards are connected to.
    ///   - work: what a ward does; gets how many there were before it, and returns its exit code.
    /// - Returns: in the keeper and in each ward alike, the code to end with.
    /// - Throws: `LinuxError`; EPERM where this process does not hide, EBUSY where it has several threads.
    package static func keep(connectingTo daemon: String, _ work: (Int) -> Int32) throws(LinuxError) -> Int32 {
        var generation = 0
        var tries = 0
        while true {
            let start = SystemClock.bootMilliseconds()
            var end: Int32 = -1
            let ward = try LinuxError.check(unsafe cl_fork_ward(&end), "fork")
            if ward == 0 {
                LockedMemory.startAnew()
                return work(generation)
            }
            // The next look at this process's own code may be at the next lock.
            cl_release_idle()
            let status = try LinuxError.check(unsafe cl_keep_ward(ward, end, daemon), "poll")
            generation += 1
            switch ChildProcess.end(status) {
            case .exited(again): tries = 0
            case .exited(let code): return code
            case .killed(let signal):
                tries = SystemClock.bootMilliseconds() < start + shortLife ? tries + 1 : 0
                if tries >= mostTries { return 128 + signal }
            }
        }
    }

    /// In a ward: ends it at once and has another one take its place, whose memory is that of its keeper's start.
    package static func startAnew() -> Never {
        cl_end_at_once(again)
        exit(again)
    }

    /// The keeper of this ward; nil where this process has none.
    package static var id: Int32? { isWard ? getppid() : nil }

    private static var isWard: Bool { cl_has_keeper() != 0 }

    /// Leaves a text for the next ward: numbers of processes and times, never what anybody wrote.
    package static func leave(_ note: String) throws(LinuxError) {
        try LinuxError.check(unsafe cl_leave_note(note), "send")
    }

    /// What the ward before this one has left.
    package static var note: String { unsafe String(cString: cl_left_note()) }
}

/// A process that is no child of ours, pinned: what is sent to it reaches no other of its number.
package final class AdoptedProcess {
    /// Its number, which stays its own as long as this pins it.
    package let id: Int32
    /// When it started, in ticks of the boot clock.
    package let startTime: UInt64
    private let descriptor: FileDescriptor

    /// - Returns: nil where the process of this number is not the one that started then.
    package init?(id: Int32, startTime: UInt64) {
        let raw = cl_process_descriptor(id)
        guard raw >= 0 else { return nil }
        let pinned = FileDescriptor(owning: raw)
        guard PeerProcess.isRunning(id, since: startTime) else { return nil }
        self.id = id
        self.startTime = startTime
        descriptor = pinned
    }

    /// Whether it has ended, by its descriptor.
    package var hasEnded: Bool {
        switch try? Poll.wait(untilReadable: descriptor.raw, milliseconds: 0) {
        case .ready?: true
        case .timedOut?, .interrupted?, nil: false
        }
    }

    /// Asks it to end, and ends it where it does not in time.
    package func terminate(milliseconds: UInt64) {
        _ = cl_signal_process(descriptor.raw, SIGTERM)
        _ = cl_signal_process(descriptor.raw, SIGCONT)
        _ = try? Poll.wait(untilReadable: descriptor.raw, milliseconds: Int(milliseconds))
        if !hasEnded { _ = cl_signal_process(descriptor.raw, SIGKILL) }
    }
}
