import CLinux
import Glibc

/// A signal that tells a program at a terminal where it stands.
package enum LifecycleSignal: Equatable, Sendable {
    case stopRequested, continued, hungUp, endRequested, windowChanged
}

extension SignalDescriptor {
    /// Lets it tell of SIGTSTP and SIGCONT too.
    ///
    /// SIGTSTP then stops nobody by itself: whoever hears it stops the process with ``CurrentProcess/stop()``.
    package func watchJobControl() throws(LinuxError) {
        for number in [SIGTSTP, SIGCONT] { try LinuxError.check(cl_signal_add(number), "sigaction") }
    }

    /// The next of these signals that arrived; nil when there is none.
    package func nextLifecycleSignal() -> LifecycleSignal? {
        while true {
            switch cl_signal_read(descriptor.raw) {
            case SIGTSTP: return .stopRequested
            case SIGCONT: return .continued
            case SIGHUP: return .hungUp
            case SIGTERM, SIGINT: return .endRequested
            case SIGWINCH: return .windowChanged
            case let number where number > 0: continue
            default: return nil
            }
        }
    }
}

extension CurrentProcess {
    /// Stops this process until somebody continues it.
    package static func stop() {
        // Not SIGTSTP, which is caught, or blocked by threads of the runtime.
        raise(SIGSTOP)
    }
}
