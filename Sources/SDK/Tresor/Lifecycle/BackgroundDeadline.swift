import Linux
import Localization

/// Five seconds for what has to be put away, after which the process is ended.
///
/// The threat: an app that hangs while it clears, by mistake or because somebody makes it wait, and keeps open what its
/// user believes to be locked. The kernel ends the process by SIGKILL (timer_create(2)): that needs no thread of the
/// process to run, and neither a blocked signal, a signal handler nor a stopped process puts it off. What an ended
/// process held in memory is gone with it; what was on its terminal is not, so the lock screen must be drawn first.
///
/// ``LifecycleDriver`` uses it by itself. An app that puts things away in tasks of its own does so between
/// ``start()`` and ``stop()``. Source: feature D5; the book, chapter 7.4.
///
///     let deadline = try BackgroundDeadline()
///     try deadline.start()
///     await diary.sealDrafts()
///     try deadline.stop()
public final class BackgroundDeadline: Sendable {
    /// How long an app may take, unless it chooses less.
    public static let standardLimit = Duration.seconds(5)

    private let deadline: ProcessDeadline
    private let limit: Duration

    /// A deadline that does not run yet.
    ///
    /// One that runs goes on when its owner lets go of it.
    ///
    /// - Parameter limit: how long from ``start()`` on; more than five seconds count as five.
    /// - Throws: ``TresorError`` with code `unavailable` where the kernel grants no timer.
    public init(limit: Duration = standardLimit) throws(TresorError) {
        self.limit = min(limit, Self.standardLimit)
        do { deadline = try ProcessDeadline() } catch { throw Self.failure(error) }
    }

    /// From now on the time runs; if it runs already, it begins anew.
    ///
    /// - Throws: ``TresorError`` with code `unavailable`.
    public func start() throws(TresorError) {
        do { try deadline.start(limit) } catch { throw Self.failure(error) }
    }

    /// Everything is put away in time.
    ///
    /// - Throws: ``TresorError`` with code `unavailable`.
    public func stop() throws(TresorError) {
        do { try deadline.stop() } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: LinuxError) -> TresorError {
        TresorError(.unavailable, localized("the kernel grants no timer"), cause: "\(error)")
    }
}
