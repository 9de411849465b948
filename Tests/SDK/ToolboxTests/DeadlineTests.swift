import Foundation
import Testing
import Tresor

/// Each in a process of its own, which the kernel ends, or not.
@Suite struct DeadlineOfTheBackground {
    @Test func `an app that hangs while it clears is ended`() async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let driver = try LifecycleDriver(limit: .milliseconds(200)) { action in
                if action == .didEnterBackground { while true { sleep(60) } }
            }
            try driver.handle(.suspended)
        }
    }

    @Test func `neither blocked signals nor being stopped put the end off`() async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_SETMASK, &all, nil)
            let driver = try LifecycleDriver(limit: .milliseconds(200)) { action in
                if action == .lockNow { raise(SIGSTOP) }
            }
            try driver.handle(.sleepComing)
            while true { sleep(60) }
        }
    }

    @Test func `an app that fails to clear is ended, though its driver is gone`() async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            struct Failure: Error {}
            func clear() {
                let driver = try? LifecycleDriver(limit: .milliseconds(200)) { action in
                    if action == .lockNow { throw Failure() }
                    if action == .end { exit(0) }
                }
                try? driver?.handle(.terminated)
            }
            clear()
            while true { sleep(60) }
        }
    }

    @Test func `an app that clears in time goes on`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let driver = try LifecycleDriver(limit: .milliseconds(200)) { action in
                if action == .allowSleep { sleep(1) }
            }
            try driver.handle(.sleepComing)
            exit(7)
        }
    }

    @Test func `losing the focus costs nothing where the app locks in the background only`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let driver = try LifecycleDriver(locksOn: .background, limit: .milliseconds(100)) { _ in usleep(300_000) }
            try driver.handle(.focusLost)
            exit(7)
        }
    }

    @Test func `no app gets more than five seconds`() async {
        let began = ContinuousClock.now
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let deadline = try BackgroundDeadline(limit: .seconds(3600))
            try deadline.start()
            while true { sleep(60) }
        }
        let took = ContinuousClock.now - began
        #expect(took > .milliseconds(4900))
        // That it ended at all is the upper bound: how long this test waited for a thread of its own is not the app's.
    }

    @Test func `a negative limit is no limit that crashes`() async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let deadline = try BackgroundDeadline(limit: .seconds(Int64.min / 2))
            try deadline.start()
            while true { sleep(60) }
        }
    }
}
