import Foundation
import Testing
import Tresor

@Suite struct LifecycleAtATerminal {
    @Test func `a stop is heard before it happens, and so is that the app goes on`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let terminal = try TerminalLifecycle()
            var actions: [AppLifecycle.Action] = []
            let driver = try LifecycleDriver { action in
                actions.append(action)
                guard action == .stop else { return }
                let shell = Process()
                shell.executableURL = URL(fileURLWithPath: "/bin/sh")
                // Continues this process as soon as it has stopped, and not before.
                shell.arguments = [
                    "-c",
                    "until grep -q '^State:.T' /proc/$PPID/status; do sleep 0.02; done; kill -CONT $PPID",
                ]
                try shell.run()
                terminal.stop()
            }
            kill(getpid(), SIGTSTP)
            let isToldInTime = actions.isEmpty
            var wait = pollfd(fd: terminal.descriptor, events: Int16(POLLIN), revents: 0)
            while driver.state != .active || actions.isEmpty {
                guard poll(&wait, 1, 5000) != 0 else { exit(2) }
                while let event = terminal.nextEvent() { try driver.handle(event) }
            }
            let expected: [AppLifecycle.Action] = [
                .willResignActive, .coverScreen, .lockNow, .didEnterBackground, .stop, .willEnterForeground,
                .didBecomeActive,
            ]
            exit(isToldInTime && actions == expected ? 7 : 1)
        }
    }

    @Test(arguments: [SIGHUP, SIGTERM, SIGINT])
    func `an app that is to end says how it ends`(_ signal: Int32) async {
        await #expect(processExitsWith: .exitCode(7)) { [signal] in
            let terminal = try TerminalLifecycle()
            kill(getpid(), signal)
            var wait = pollfd(fd: terminal.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 5000) == 1 else { exit(1) }
            exit(terminal.nextEvent() == (signal == SIGHUP ? .hungUp : .terminated) ? 7 : 2)
        }
    }

    @Test func `reports of the focus are taken out of what is typed`() {
        var focus = TerminalFocus()
        let (events, rest) = focus.take(Array("a\u{1B}[Ob\u{1B}[A\u{1B}[I\u{1B}OP".utf8))
        #expect(events == [.focusLost, .focusGained])
        #expect(rest == Array("ab\u{1B}[A\u{1B}OP".utf8))
        #expect(!focus.isUndecided)
    }

    @Test func `however it is cut, what is typed comes out whole`() {
        let typed = Array("x\u{1B}\u{1B}[O\u{1B}[\u{1B}[I[O\u{1B}[12~\u{1B}".utf8)
        for cut in 0...typed.count {
            var focus = TerminalFocus()
            let (first, second) = (focus.take(Array(typed[..<cut])), focus.take(Array(typed[cut...])))
            #expect(first.events + second.events == [.focusLost, .focusGained])
            #expect(focus.isUndecided)
            #expect(first.rest + second.rest + focus.decide() == Array("x\u{1B}\u{1B}[[O\u{1B}[12~\u{1B}".utf8))
            #expect(!focus.isUndecided && focus.decide() == [])
        }
    }
}
