import Foundation
import Tresor

/// A terminal program as somebody writes it over the SDK, for the tests of what is seen of it from outside.
///
/// Arguments: where it locks (`resign`, `background`), a file of what it shows, and `stuck` if it is to hang while it
/// clears. What it shows is no argument: a shell repeats those of a program that was killed.
@main struct LifecycleApp {
    static func main() throws {
        let arguments = CommandLine.arguments
        let content = try String(contentsOfFile: arguments[2], encoding: .utf8)
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        cfmakeraw(&settings)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        write("\u{1B}[?1049h" + TerminalFocus.turnOn)
        show(content)
        let terminal = try TerminalLifecycle()
        let driver = try LifecycleDriver(
            locksOn: arguments[1] == "resign" ? .resignActive : .background, limit: .seconds(1)
        ) { action in
            switch action {
            case .coverScreen: show("locked")
            case .lockNow where arguments.last == "stuck": while true { sleep(60) }
            case .stop: terminal.stop()
            case .end: exit(0)
            case .didBecomeActive: write("welcome back")
            default: break
            }
        }
        try listen(terminal, driver)
    }

    private static func listen(_ terminal: TerminalLifecycle, _ driver: LifecycleDriver) throws {
        var focus = TerminalFocus()
        var waits = [STDIN_FILENO, terminal.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            poll(&waits, 2, -1)
            while let event = terminal.nextEvent() { try driver.handle(event) }
            guard waits[0].revents != 0 else { continue }
            for event in focus.take(Array(FileHandle.standardInput.availableData)).events { try driver.handle(event) }
        }
    }

    private static func show(_ text: String) { write("\u{1B}[2J\u{1B}[H\(text)\r\n") }

    private static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
