/// Does what an ``AppLifecycle`` says, and lets nothing that is to be cleared take longer than five seconds.
///
/// The deadline runs from before the first action until the last of them is done, whenever something is to be cleared;
/// an app that overruns it is ended (``BackgroundDeadline``). Stopping, ending and sleeping come after that, so that a
/// stopped process and a sleeping machine hold nothing.
///
///     let driver = try LifecycleDriver(locksOn: .background) { action in
///         switch action {
///         case .coverScreen: screen.showLockScreen()
///         case .lockNow: diary.forget()
///         case .didEnterBackground: try diary.sealDrafts()
///         case .stop: terminal.stop()
///         case .end: exit(0)
///         default: break
///         }
///     }
///     while let event = terminal.nextEvent() { try driver.handle(event) }
public final class LifecycleDriver {
    private var lifecycle: AppLifecycle
    private let deadline: BackgroundDeadline
    private let perform: (AppLifecycle.Action) throws -> Void

    /// - Parameters:
    ///   - locksOn: where the app locks.
    ///   - limit: how long it may take to clear, at most five seconds.
    ///   - perform: does one action, and returns when it is done.
    /// - Throws: ``TresorError`` with code `unavailable` where the kernel grants no timer.
    public init(
        locksOn: AppLifecycle.LockPoint = .resignActive, limit: Duration = BackgroundDeadline.standardLimit,
        perform: @escaping (AppLifecycle.Action) throws -> Void
    ) throws(TresorError) {
        lifecycle = AppLifecycle(locksOn: locksOn)
        deadline = try BackgroundDeadline(limit: limit)
        self.perform = perform
    }

    /// Where the app stands now.
    public var state: AppLifecycle.State { lifecycle.state }

    /// Takes note of what happened, and does what follows from it.
    ///
    /// - Parameter event: what happened.
    /// - Throws: what an action threw. What was to follow it is not done, and if something was to be cleared the
    ///   deadline goes on: what cannot be cleared is ended.
    public func handle(_ event: AppLifecycle.Event) throws {
        let actions = lifecycle.handle(event)
        let clearing = actions.prefix { !$0.isAnswer }
        let isUnderDeadline = clearing.contains(.lockNow)
        if isUnderDeadline { try deadline.start() }
        for action in clearing { try perform(action) }
        if isUnderDeadline { try deadline.stop() }
        for action in actions.dropFirst(clearing.count) { try perform(action) }
    }
}

extension AppLifecycle.Action {
    /// Whether somebody outside waits for it until everything else is done.
    fileprivate var isAnswer: Bool { self == .stop || self == .allowSleep || self == .end }
}
