import Glibc

/// A time after which the kernel ends this process, whatever its threads are doing.
///
/// A POSIX timer whose signal is SIGKILL (timer_create(2), `SIGEV_SIGNAL`). No thread of ours has to run for it, no
/// signal mask or handler keeps it off, it reaches a process that is stopped, nothing is left behind by a fork, and
/// neither alarm(2) nor the program's own timers are touched, which a watchdog by SIGALRM or a thread could not say.
/// CLOCK_BOOTTIME goes on while the machine sleeps.
@safe package final class ProcessDeadline: Sendable {
    // timer_settime(2) may be called by any thread. The first timer of a process is the null pointer.
    private nonisolated(unsafe) let timer: timer_t?

    /// Not running yet.
    package init() throws(LinuxError) {
        var event = unsafe sigevent()
        unsafe event.sigev_notify = Int32(SIGEV_SIGNAL)
        unsafe event.sigev_signo = SIGKILL
        var made: timer_t?
        try LinuxError.checkErrno(unsafe timer_create(CLOCK_BOOTTIME, &event, &made), "timer_create")
        unsafe timer = made
    }

    /// One that runs goes on: its owner has not said that everything is put away.
    deinit {
        var left = itimerspec()
        if unsafe timer_gettime(timer, &left) == 0, left.it_value.tv_sec == 0, left.it_value.tv_nsec == 0 {
            _ = unsafe timer_delete(timer)
        }
    }

    /// Begins to run, or begins anew.
    ///
    /// - Parameter time: how long from now; at least a millisecond.
    package func start(_ time: Duration) throws(LinuxError) {
        let (seconds, attoseconds) = max(time, .milliseconds(1)).components
        try set(timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000)))
    }

    /// Does not run any more.
    package func stop() throws(LinuxError) { try set(timespec()) }

    private func set(_ value: timespec) throws(LinuxError) {
        var setting = itimerspec(it_interval: timespec(), it_value: value)
        try LinuxError.checkErrno(unsafe timer_settime(timer, 0, &setting, nil), "timer_settime")
    }
}
