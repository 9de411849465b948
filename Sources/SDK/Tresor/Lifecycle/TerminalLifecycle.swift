import Linux
import Localization

/// What a terminal and its shell tell an app: stop, go on, end, and that the terminal is gone.
///
/// The threat: the shell stops an app at once (SIGTSTP), with everything in its memory and on the terminal's screen,
/// where anybody who comes by reads it, and tmux keeps it. Here the signal is caught and told as an event; the app
/// clears, and then stops itself with ``stop()``.
///
/// Signals belong to the whole process, so there must be one of these at most. Focus reports come with what is typed:
/// ``TerminalFocus``.
///
///     let terminal = try TerminalLifecycle()
///     // poll(2) on terminal.descriptor and on standard input, then:
///     while let event = terminal.nextEvent() { try driver.handle(event) }
public final class TerminalLifecycle {
    private let signals: SignalDescriptor

    /// Catches SIGTSTP, SIGCONT, SIGHUP, SIGTERM and SIGINT from now on.
    ///
    /// - Throws: ``TresorError`` with code `unavailable`.
    public init() throws(TresorError) {
        do {
            signals = try SignalDescriptor()
            try signals.watchJobControl()
        } catch { throw TresorError(.unavailable, localized("signals cannot be caught"), cause: "\(error)") }
    }

    /// For poll(2): it can be read when ``nextEvent()`` has something to say.
    public var descriptor: Int32 { signals.descriptor.raw }

    /// What was told since the last call; nil when there is nothing more.
    ///
    /// Never waits.
    public func nextEvent() -> AppLifecycle.Event? {
        while let signal = signals.nextLifecycleSignal() {
            switch signal {
            case .stopRequested: return .suspended
            case .continued: return .continued
            case .hungUp: return .hungUp
            case .endRequested: return .terminated
            case .windowChanged: continue
            }
        }
        return nil
    }

    /// Stops this process, and returns when somebody has continued it.
    ///
    /// ``nextEvent()`` says then that it was ``AppLifecycle/Event/continued``.
    public func stop() { CurrentProcess.stop() }
}
