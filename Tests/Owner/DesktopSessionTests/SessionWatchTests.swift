import DesktopBus
import DesktopSession
import Foundation
import Linux
import Testing

@Suite(.enabled(if: DesktopService.missing.isEmpty, "needs \(DesktopService.missing)"))
struct SessionWatchTests {
    private let desktop: DesktopService
    private let watch: SessionWatch

    init() throws {
        desktop = try DesktopService(hasScreenSaver: true)
        watch = SessionWatch(user: getuid(), place: desktop.place)
        try desktop.waitUntil("logind is heard") { [watch] in
            _ = watch.process(at: SystemClock.bootMilliseconds())
            return watch.isListening
        }
    }

    private func next() throws -> SessionNotice {
        var notices: [SessionNotice] = []
        // Who has lost logind tries again after up to half a minute.
        try desktop.waitUntil("something is told", seconds: 60) { [watch] in
            notices = watch.process(at: SystemClock.bootMilliseconds())
            return !notices.isEmpty
        }
        #expect(notices.count == 1)
        return notices[0]
    }

    private func expectNothing() {
        for _ in 0..<20 {
            #expect(watch.process(at: SystemClock.bootMilliseconds()).isEmpty)
            usleep(10_000)
        }
    }

    @Test func `each way in which a desktop locks is heard`() throws {
        try desktop.lock("own")
        #expect(try next() == .lock(.sessionLocked))
        try desktop.setHint("own", true)
        #expect(try next() == .lock(.sessionHint))
        try desktop.setActive("auto", false)
        try desktop.setActive("own", false)
        #expect(try next() == .lock(.sessionInactive))
        try desktop.screenSaver(true)
        #expect(try next() == .lock(.screenSaver))
        try desktop.screenSaver(false)
        try desktop.lock("other")
        try desktop.forgeLock("own")
        expectNothing()
    }

    @Test func `sleep waits until it is allowed`() throws {
        try desktop.expectInhibitors(["sleep Tresor Wipes the keys of the device delay"])
        try desktop.sleep(true)
        #expect(try next() == .sleepComing)
        try desktop.expectInhibitors(["sleep Tresor Wipes the keys of the device delay"])
        watch.allowSleep()
        try desktop.expectInhibitors([])
        try desktop.sleep(false)
        #expect(try next() == .awake)
        try desktop.waitUntil("sleep is delayed again") { [watch, desktop] in
            _ = watch.process(at: SystemClock.bootMilliseconds())
            return try desktop.inhibitors().count == 1
        }
    }

    @Test func `a session that begins later counts too`() throws {
        try desktop.addSession("late", user: getuid())
        try desktop.waitUntil("it counts") { [watch, desktop] in
            try desktop.lock("late")
            usleep(20_000)
            return watch.process(at: SystemClock.bootMilliseconds()).contains(.lock(.sessionLocked))
        }
    }

    @Test func `what logind was told of the owner's activity arrives`() throws {
        #expect(watch.activity == nil)
        try desktop.setIdle("own", true, since: 5_000_000)
        try desktop.waitUntil("it is idle") { [watch] in
            _ = watch.process(at: SystemClock.bootMilliseconds())
            return watch.activity == .last(monotonicMicroseconds: 5_000_000)
        }
        #expect(watch.isActivityFresh(at: SystemClock.bootMilliseconds()), "no terminal is to be asked about")
    }

    @Test func `a logind that comes back is heard again, and says what happened meanwhile`() throws {
        // What was active before is known first.
        try desktop.setIdle("own", true, since: 5_000_000)
        try desktop.waitUntil("the session is known") { [watch] in
            _ = watch.process(at: SystemClock.bootMilliseconds())
            return watch.activity != nil
        }
        expectNothing()
        desktop.stopLogind()
        try desktop.waitUntil("it is gone") { [watch] in
            _ = watch.process(at: SystemClock.bootMilliseconds())
            return !watch.isListening
        }
        try desktop.startLogind(isActive: false)
        #expect(try next() == .lock(.sessionInactive))
    }
}

extension DesktopService {
    fileprivate var place: SessionPlace {
        SessionPlace(systemBus: address, trustedUser: getuid(), sessionBus: sessionAddress)
    }
}
