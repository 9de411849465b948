import Testing
import Tresor

@Suite struct LifecycleOfAnApp {
    private func actions(
        _ locksOn: AppLifecycle.LockPoint, _ events: AppLifecycle.Event...
    ) -> [AppLifecycle.Action] {
        var lifecycle = AppLifecycle(locksOn: locksOn)
        return events.map { lifecycle.handle($0) }.last ?? []
    }

    @Test func `an app that locks when it resigns locks at the loss of focus`() {
        #expect(actions(.resignActive, .focusLost) == [.willResignActive, .coverScreen, .lockNow])
    }

    @Test func `an app that locks in the background keeps open through a loss of focus`() {
        var lifecycle = AppLifecycle(locksOn: .background)
        #expect(lifecycle.handle(.focusLost) == [.willResignActive])
        #expect(lifecycle.state == .inactive)
        #expect(lifecycle.handle(.focusGained) == [.didBecomeActive])
        #expect(lifecycle.state == .active)
    }

    @Test(arguments: [AppLifecycle.LockPoint.resignActive, .background])
    func `before it stops an app covers its screen, locks and clears, wherever it locks`(
        _ point: AppLifecycle.LockPoint
    ) {
        #expect(
            actions(point, .suspended) == [.willResignActive, .coverScreen, .lockNow, .didEnterBackground, .stop])
        #expect(actions(point, .focusLost, .suspended) == [.coverScreen, .lockNow, .didEnterBackground, .stop])
    }

    @Test func `a stopped app that is continued has its user's attention`() {
        #expect(actions(.background, .suspended, .continued) == [.willEnterForeground, .didBecomeActive])
        #expect(
            actions(.background, .focusLost, .suspended, .continued) == [.willEnterForeground, .didBecomeActive])
    }

    @Test func `an app stays in the background until nothing keeps it there`() {
        var lifecycle = AppLifecycle()
        _ = lifecycle.handle(.sessionLocked)
        #expect(lifecycle.handle(.sleepComing) == [.allowSleep])
        #expect(lifecycle.handle(.focusGained) == [])
        #expect(lifecycle.handle(.sleepOver) == [])
        #expect(lifecycle.state == .background)
        #expect(lifecycle.handle(.sessionUnlocked) == [.willEnterForeground, .didBecomeActive])
    }

    @Test func `an app that lost the focus in the background comes back inactive`() {
        var lifecycle = AppLifecycle()
        _ = lifecycle.handle(.sessionLocked)
        #expect(lifecycle.handle(.focusLost) == [])
        #expect(lifecycle.handle(.sessionUnlocked) == [.willEnterForeground])
        #expect(lifecycle.state == .inactive)
    }

    @Test(arguments: [AppLifecycle.Event.hungUp, .terminated])
    func `an app that is to end clears first, and hears nothing after`(_ event: AppLifecycle.Event) {
        var lifecycle = AppLifecycle(locksOn: .background)
        #expect(lifecycle.handle(event) == [.willResignActive, .coverScreen, .lockNow, .didEnterBackground, .end])
        for event in AppLifecycle.Event.allCases { #expect(lifecycle.handle(event) == []) }
        #expect(lifecycle.state == .background)
    }

    @Test func `over random events nothing is stopped, slept or ended that is not covered and locked`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var lifecycle = AppLifecycle(locksOn: Bool.random(using: &random) ? .background : .resignActive)
            var (isSafe, events) = (false, [AppLifecycle.Event]())
            for _ in 0..<12 {
                guard let event = AppLifecycle.Event.allCases.randomElement(using: &random) else { return }
                events.append(event)
                let (before, actions) = (lifecycle.state, lifecycle.handle(event))
                if let cover = actions.firstIndex(of: .coverScreen) {
                    #expect(actions.firstIndex(of: .lockNow) == cover + 1, "\(events)")
                    isSafe = true
                }
                if actions.contains(.stop) || actions.contains(.allowSleep) || actions.contains(.end) {
                    #expect(isSafe && lifecycle.state == .background, "\(events)")
                }
                if lifecycle.state == .background { #expect(isSafe, "\(events)") }
                if lifecycle.state == .active { isSafe = false }
                #expect(actions.isEmpty || lifecycle.state != before || actions.count == 1, "\(events)")
            }
        }
    }
}
