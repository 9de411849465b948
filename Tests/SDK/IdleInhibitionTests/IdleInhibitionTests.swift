import DesktopBus
import Foundation
import IdleInhibition
import Testing
import Tresor

@Suite(.enabled(if: LogindService.missing.isEmpty, "needs \(LogindService.missing)"))
struct InhibitionOfTheIdleLock {
    private static let listed = "idle Diary Playing block"
    private let service: LogindService

    init() throws { service = try LogindService() }

    private func play<Result>(_ show: (Bool) -> Void = { _ in }, _ body: () throws -> Result) throws -> Result {
        try IdleInhibitor.whileActive("Playing", of: "Diary", at: service.place, show: show, body)
    }

    @Test func `the lock is held off while the body runs, and the user is told`() throws {
        var shown: [Bool] = []
        let result = try play({ shown.append($0) }) {
            let listed = try service.inhibitors()
            #expect(listed == [Self.listed])
            #expect(shown == [true])
            return 7
        }
        #expect(result == 7)
        #expect(shown == [true, false])
        try service.expectInhibitors([])
    }

    @Test func `an error takes the request back`() throws {
        struct Failure: Error {}
        var shown: [Bool] = []
        #expect(throws: Failure.self) { try play({ shown.append($0) }) { throw Failure() } }
        #expect(shown == [true, false])
        try service.expectInhibitors([])
    }

    @Test func `a task that is cancelled takes the request back`() async throws {
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        let place = service.place
        let task = Task {
            try await IdleInhibitor.whileActive("Playing", of: "Diary", at: place, show: { _ in }) {
                begin.yield()
                try await Task.sleep(for: .seconds(600))
            }
        }
        for await _ in began { break }
        try service.expectInhibitors([Self.listed])
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try service.expectInhibitors([])
    }

    @Test func `no program that is started meanwhile holds the request on`() throws {
        let child = Process()
        child.executableURL = URL(filePath: "/bin/sleep")
        child.arguments = ["60"]
        defer { LogindService.end(child) }
        try play { try child.run() }
        try service.expectInhibitors([])
        #expect(child.isRunning)
    }

    @Test func `the end of the process takes the request back, however it comes`() async throws {
        setenv("TRESOR_TEST_BUS", service.address, 1)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let place = LogindPlace(address: String(cString: getenv("TRESOR_TEST_BUS")), trustedUser: getuid())
            try IdleInhibitor.whileActive("Playing", of: "Diary", at: place, show: { _ in }) {
                _ = kill(getpid(), SIGKILL)
            }
        }
        try service.expectInhibitors([])
    }

    @Test func `without logind, or with another's, nothing runs`() throws {
        let bare = try LogindService(hasLogind: false)
        func refusal(_ place: LogindPlace) -> SessionError? {
            do {
                try IdleInhibitor.whileActive("x", of: "y", at: place, show: { _ in Issue.record("shown") }) {
                    Issue.record("ran")
                }
                return nil
            } catch { return error as? SessionError }
        }
        #expect(refusal(bare.place) == .unavailable)
        #expect(refusal(LogindPlace(address: "unix:path=/nonexistent", trustedUser: 0)) == .unavailable)
        #expect(refusal(LogindPlace(address: service.address, trustedUser: getuid() + 1)) == .untrusted)
        #expect(try service.inhibitors() == [])
    }
}

@Suite(.enabled(if: LogindService.missing.isEmpty, "needs \(LogindService.missing)"))
struct EventsOfTheSession {
    private static let delayed = "sleep Diary Clears what it shows delay"
    private let service: LogindService
    private let session: SessionEvents

    init() throws {
        service = try LogindService()
        session = try SessionEvents(of: "Diary", at: service.place)
    }

    private func next() throws -> AppLifecycle.Event? {
        var event: AppLifecycle.Event?
        try service.waitUntil("something is told") {
            event = try session.nextEvent()
            return event != nil
        }
        return event
    }

    @Test func `a session that is locked and unlocked tells so`() throws {
        #expect(try session.nextEvent() == nil)
        try service.session("auto", "Lock")
        #expect(try next() == .sessionLocked)
        try service.session("auto", "Unlock")
        #expect(try next() == .sessionUnlocked)
        #expect(try session.nextEvent() == nil)
    }

    @Test func `neither another's session nor another's word counts`() throws {
        try service.session("other", "Lock")
        try service.forgeLock()
        try service.sleep(true)
        #expect(try next() == .sleepComing)
        #expect(try session.nextEvent() == nil)
    }

    @Test func `sleep waits until everything is cleared, each time`() throws {
        try service.expectInhibitors([Self.delayed])
        var inhibitorsAtClearing: [String] = []
        let driver = try LifecycleDriver { action in
            if action == .didEnterBackground { inhibitorsAtClearing = try service.inhibitors() }
            if action == .allowSleep { session.allowSleep() }
        }
        for _ in 0..<2 {
            try service.sleep(true)
            try driver.handle(try #require(try next()))
            #expect(inhibitorsAtClearing == [Self.delayed])
            try service.expectInhibitors([])
            try service.sleep(false)
            try driver.handle(try #require(try next()))
            #expect(driver.state == .active)
            try service.expectInhibitors([Self.delayed])
        }
    }

    @Test func `an app is told when nobody will tell it any more`() throws {
        service.stopLogind()
        #expect(throws: SessionError.silent) { while true { _ = try next() } }
    }
}
