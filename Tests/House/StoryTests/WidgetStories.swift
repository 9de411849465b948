import CTestSupport
import Foundation
import Glibc
import Linux
import Secrets
import Testing
import Tresor
import Wire

/// What is seen without unlocking, by the real programs.
@Suite(.serialized) struct WidgetStories {
    private static let formats = ["text", "ansi", "json", "waybar", "i3bar", "tmux", "svg", "html"]

    @Test func `a title is drawn in every format while unlocked, and in none of them while locked`() throws {
        let title = "mrk" + Identifier.makeRandom().description.prefix(12)
        let device = try LiveDevice()
        try device.setPasscode()
        _ = try device.newNote("# \(title)\n\n- [x] one\n- [ ] two\n")
        for kind in ["notes.recent", "notes.checklists"] {
            for family in ["systemSmall", "accessoryInline"] {
                for format in Self.formats {
                    let drawn = try device.widget("render", kind, "--family", family, "--format", format)
                    #expect(drawn.code == 0 && drawn.text.contains(title), "\(kind) \(family) \(format)")
                }
            }
        }
        #expect(try device.run("lock").code == 0)
        for kind in ["notes.recent", "notes.checklists"] {
            for (placement, format) in zip(
                Self.formats.indices.map { ["desktop", "lockScreen"][$0 % 2] }, Self.formats)
            {
                let drawn = try device.widget(
                    "render", kind, "--family", "accessoryInline", "--placement", placement, "--format", format)
                #expect(drawn.code == 0 && !drawn.text.contains(title) && drawn.errors.isEmpty)
                #expect(!drawn.output.isEmpty)
            }
        }
    }

    @Test func `two secrets of different length give the same bytes while locked, in every format`() throws {
        var outputs: [[Data]] = []
        for title in ["Ox", String(repeating: "A very long title, with 數 and עברית. ", count: 20)] {
            let device = try LiveDevice()
            try device.setPasscode()
            _ = try device.newNote("# \(title)\n\n- [ ] \(title)\n")
            #expect(try device.widget("render", "notes.recent").text.contains(title.prefix(2)))
            #expect(try device.run("lock").code == 0)
            var drawn: [Data] = []
            for kind in ["notes.recent", "notes.pinned", "notes.checklists", "diary.days"] {
                for format in Self.formats + ["png"] {
                    drawn.append(try device.widget("render", kind, "--format", format).output)
                    drawn.append(
                        try device.widget("render", kind, "--family", "accessoryRectangular", "--format", format).output
                    )
                }
            }
            outputs.append(drawn)
        }
        #expect(outputs[0] == outputs[1] && outputs[0].allSatisfy { !$0.isEmpty })
    }

    @Test func `a note that is written appears at the host, a lock hides it at once, an unlock brings it back`() throws
    {
        let title = "mrk" + Identifier.makeRandom().description.prefix(12)
        let device = try LiveDevice()
        try device.setPasscode()
        let host = try WidgetHost(device, ["--host", "waybar", "notes.recent"])
        #expect(try host.line(with: "No notes yet") != nil)
        // Long enough for it to listen to tresor-notes by then.
        sleep(2)
        _ = try device.newNote("# \(title)")
        #expect(try host.line(with: String(title)) != nil)
        var delays: [UInt64] = []
        for _ in 0..<5 {
            let start = SystemClock.bootMilliseconds()
            // The lock is done only when all have wiped what they held; the host must not wait for that.
            let home = device.home
            let locking = Thread { try? SocketTransport(home).perform(.lock) }
            locking.start()
            #expect(try host.line(with: "Notes, locked") != nil)
            delays.append(SystemClock.bootMilliseconds() - start)
            while !locking.isFinished { usleep(1000) }
            try device.unlock()
            #expect(try host.line(with: String(title)) != nil)
        }
        // Row 32 of the design says 250.
        #expect(delays.sorted()[2] < 250, "\(delays)")
    }

    @Test func `when the daemon dies the host shows a placeholder within a second, and goes on when it is back`() throws
    {
        let title = "mrk" + Identifier.makeRandom().description.prefix(12)
        let device = try LiveDevice()
        try device.setPasscode()
        _ = try device.newNote("# \(title)")
        let host = try WidgetHost(device, ["--host", "waybar", "notes.recent"])
        #expect(try host.line(with: String(title)) != nil)
        let resident = try device.widgetProcess()
        device.kill()
        let start = SystemClock.bootMilliseconds()
        #expect(try host.line(with: "locked", within: 5000) != nil)
        let delay = SystemClock.bootMilliseconds() - start
        #expect(delay < 1000, "\(delay) ms")
        for _ in 0..<300 where isAlive(resident) { usleep(10_000) }
        #expect(!isAlive(resident), "it ends with the daemon")
        try device.start()
        try device.unlock()
        #expect(try host.line(with: String(title)) != nil)
        // The same where the program of widgets alone dies.
        ChildProcess.kill(try device.widgetProcess())
        #expect(try host.line(with: "locked", within: 1000) != nil)
        #expect(try host.line(with: String(title)) != nil)
    }

    @Test func `a lock is heard also where the program of widgets is stopped, and says nothing`() throws {
        let title = "mrk" + Identifier.makeRandom().description.prefix(12)
        let device = try LiveDevice()
        try device.setPasscode()
        _ = try device.newNote("# \(title)")
        let host = try WidgetHost(device, ["--host", "waybar", "notes.recent"])
        #expect(try host.line(with: String(title)) != nil)
        let resident = try device.widgetProcess()
        kill(resident, SIGSTOP)
        defer { kill(resident, SIGCONT) }
        let home = device.home
        let start = SystemClock.bootMilliseconds()
        Thread { try? SocketTransport(home).perform(.lock) }.start()
        #expect(try host.line(with: "locked", within: 5000) != nil)
        #expect(SystemClock.bootMilliseconds() - start < 1500)
    }

    /// Whether a process runs; one that has ended and whose parent has not asked how does not.
    private func isAlive(_ process: Int32) -> Bool {
        let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        return stat.split(separator: ")").last.map { !$0.hasPrefix(" Z") } ?? false
    }

    @Test(.enabled(if: MemoryClaims.areTested, MemoryClaims.reason))
    func `after a lock nothing of a shown frame is left in memory or on the disk`() throws {
        let markers = (0..<6).map { _ in "mrk" + Identifier.makeRandom().description.prefix(20) }
        let device = try LiveDevice()
        try device.setPasscode()
        for marker in markers { _ = try device.newNote("# \(marker)\n\n- [ ] task \(marker)\n") }
        let hosts = try ["waybar", "json", "html"].map {
            try WidgetHost(
                device,
                ["--host", $0, "notes.recent", "--family", $0 == "waybar" ? "accessoryInline" : "systemSmall"])
        }
        for host in hosts { #expect(try host.line(with: markers[5]) != nil) }
        let processes = try [device.widgetProcess()] + hosts.map(\.id)
        #expect(try found(markers, in: processes) > 0, "the control: a shown title is in memory")
        #expect(try device.run("lock").code == 0)
        for host in hosts { #expect(try host.line(with: "locked") != nil) }
        // Another process goes on in the place of the one that held them; its keeper holds nothing.
        for _ in 0..<200 where device.processes("tresor-widgets").contains(processes[0]) { usleep(10_000) }
        #expect(!device.keeperAndWard("tresor-widgets").contains(processes[0]))
        // Workers come and go meanwhile.
        func countNow() -> Int {
            (try? found(markers, in: device.keeperAndWard("tresor-widgets") + hosts.map(\.id))) ?? 1
        }
        var left = countNow()
        for _ in 0..<20 where left > 0 {
            usleep(50_000)
            left = countNow()
        }
        #expect(left == 0)
        let state = try device.state()
        #expect(markers.allSatisfy { state.range(of: Data($0.utf8)) == nil })
        #expect(state.range(of: Data("mrk".utf8)) == nil)
    }

    private func found(_ markers: [String], in processes: [Int32]) throws -> Int {
        var count = 0
        for process in processes {
            for marker in markers {
                var unreadable = 0
                let bytes = Array(marker.utf8)
                let found = ct_count(process, bytes, bytes.count, &unreadable)
                guard found >= 0 else { throw LinuxError(call: "/proc/PID/mem", code: Int32(-found)) }
                count += found
            }
        }
        return count
    }

    @Test func `the diary's widgets come and go with its door`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        try device.openDiary()
        _ = try device.newEntry("The fjord was still.")
        let host = try WidgetHost(device, ["--host", "text", "diary.days"])
        #expect(try host.line(with: "1 of ") != nil)
        #expect(try device.diary("lock").code == 0)
        #expect(try host.line(with: "Writing days, locked") != nil)
        #expect(try device.widget("render", "diary.days").text.contains("locked"))
        try device.diary("sign-in", input: "a blue door\n")
        #expect(try host.line(with: "1 of ") != nil)
        try device.perform(.lock)
        #expect(try host.line(with: "Writing days, locked") != nil)
        try device.unlock()
        #expect(try host.line(within: 1500).map { !$0.contains("1 of ") } ?? true, "an unlock signs nobody in")
    }

    @Test func `a widget at the diary keeps it open no longer than without one`() throws {
        let clock = LiveDevice.programs + "/clock"
        guard FileManager.default.fileExists(atPath: clock + "/tresor-widgets") else { return }
        let device = try LiveDevice(programs: clock)
        try device.setPasscode()
        try device.openDiary()
        _ = try device.newEntry("Still.")
        let host = try WidgetHost(device, ["--host", "text", "diary.on-this-day"])
        #expect(try host.line(with: "Nothing on this day yet") != nil)
        try Data("301000 0".utf8).write(to: URL(fileURLWithPath: device.folder + "/test-clock"))
        #expect(try host.line(with: "locked") != nil)
    }

    @Test func `settings change on an unlocked device alone, and outlive a restart`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let standard = try device.widget("settings")
        #expect(standard.text.contains("allow-when-locked  off") && standard.text.contains("lockScreen: all"))
        #expect(
            try device.widget("settings", "--allow-when-locked", "on", "--hide-always-on", "notes.recent").code == 0)
        #expect(try device.widget("settings", "--hide-always-on", "no.such").code == 3)
        #expect(try device.widget("settings", "--hide-always-on", "all", "none").code == 64)
        try device.perform(.lock)
        let locked = try device.widget("settings", "--allow-when-locked", "off")
        #expect(locked.code == 5 && locked.errors.contains("unlock"))
        #expect(try device.widget("settings").text.contains("allow-when-locked  on"))
        try device.restart()
        // Before the first unlock nobody knows what was chosen: the strictest holds.
        let unknown = try device.widget("settings")
        #expect(unknown.text.contains("allow-when-locked  off") && unknown.errors.contains("not known"))
        #expect(try device.run("settings", "widgets", "--json").text.contains("\"isKnown\" : false"))
        try device.unlock()
        let kept = try device.widget("settings")
        #expect(kept.errors.isEmpty)
        #expect(try device.run("settings", "widgets").text == kept.text, "one tree")
        #expect(kept.text.contains("allow-when-locked  on") && kept.text.contains("remote: notes.recent"))
        #expect(try device.widget("settings", "--hide-always-on", "none", "--placement", "remote").code == 0)
        #expect(try device.widget("settings", "--json").text.contains("\"lockScreen\""))
    }

    @Test func `what the owner allows a locked device to show, our own widgets show, and what not, not`() throws {
        let title = "mrk" + Identifier.makeRandom().description.prefix(12)
        let device = try LiveDevice()
        try device.setPasscode()
        let inside = "lne" + Identifier.makeRandom().description.prefix(12)
        _ = try device.newNote("# \(title)\n\n\(inside)\n\n- [x] one\n- [ ] \(inside)\n")
        let ours = ["notes.recent", "notes.checklists", "keychain.health"]
        func states(_ placement: String...) throws -> [String] {
            try ours.map { kind in
                let options = placement.flatMap { ["--placement", $0] }
                let drawn = try device.run(["widget", "render", kind, "--format", "json"] + options)
                #expect(drawn.code == 0, "\(drawn.errors)")
                #expect(kind == "keychain.health" || drawn.text.contains(title) == drawn.text.contains("shown\""))
                return drawn.text.firstMatch(of: /"state" ?: ?"([a-z]+)"/).map { String($0.1) } ?? drawn.text
            }
        }
        func always() throws -> String {
            try device.widget("render", "keychain.codes").text + device.widget("render", "diary.days").text
        }
        /// Which of the notes' widgets show a line of the text.
        func texts() throws -> [String] {
            try ours.filter { try device.widget("render", $0).text.contains(inside) }
        }
        let (shown, hidden) = (["shown", "shown", "shown"], ["placeholder", "placeholder", "placeholder"])
        #expect(try states() == shown)
        #expect(try texts() == ["notes.recent", "notes.checklists"])
        try device.perform(.lock)
        #expect(try states() == hidden, "not allowed unless it is said")
        try device.unlock()
        #expect(try device.widget("settings", "--allow-when-locked", "on").code == 0)
        #expect(try states() == shown)
        let host = try WidgetHost(device, ["--host", "waybar", "notes.recent"])
        #expect(try host.line(with: String(title)) != nil)
        try device.perform(.lock)
        for placement in [[], ["desktop"], ["lockScreen"]] {
            let placed = try placement.isEmpty ? states() : states(placement[0])
            #expect(placed == shown, "allowed: \(placement) \(placed)")
        }
        #expect(try texts() == [], "titles, dates and numbers alone")
        #expect(try always().matches(of: /locked/).count == 2, "codes and the diary never")
        #expect(try host.line(with: String(title)) != nil, "a bar comes back to it, too")
        #expect(try device.widget("settings", "--allow-when-locked", "off").code == 5, "not behind a lock")
        // Another image of the program, of which the device was locked when it began.
        ChildProcess.kill(try device.widgetProcess())
        #expect(try states() == shown)
        try device.restart()
        #expect(try states() == hidden, "before the first unlock nobody knows what was allowed")
        try device.unlock()
        #expect(try states() == shown)
        #expect(try device.widget("settings", "--allow-when-locked", "off").code == 0)
        #expect(try states() == shown, "unlocked")
        try device.perform(.lock)
        #expect(try states() == hidden)
    }

    @Test func `a terminal gets colours, but with NO_COLOR`() throws {
        let device = try LiveDevice()
        let words = ["widget", "render", "keychain.health", "--format", "ansi"]
        _ = try device.run("add", "mail", input: Data("password".utf8))
        let (plain, colored) = try (
            device.run(words, environment: ["NO_COLOR": "1"]), device.run(words, environment: ["NO_COLOR": ""])
        )
        #expect(colored.text.contains(/\u{1B}\[[0-9;]*[39][0-9]m/), "\(colored)")
        #expect(plain.code == 0 && !plain.text.contains(/\u{1B}\[[0-9;]*[39][0-9]m/), "\(plain)")
    }

    @Test func `an always-on display hides all, none, or the widgets that are named`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let title = "mrk" + Identifier.makeRandom().description.prefix(12)
        _ = try device.newNote("# \(title)")
        func isShown(_ placement: String = "desktop") throws -> Bool {
            let drawn = try device.widget(
                "render", "notes.recent", "--reduced-luminance", "--placement", placement, "--format", "text")
            #expect(drawn.code == 0 && !drawn.output.isEmpty)
            return drawn.text.contains(title)
        }
        #expect(try device.widget("render", "notes.recent").text.contains(title), "the control")
        #expect(try !isShown(), "all, where nothing was chosen")
        #expect(try device.widget("settings", "--hide-always-on", "none").code == 0)
        #expect(try isShown())
        #expect(try device.widget("settings", "--hide-always-on", "notes.recent", "--placement", "desktop").code == 0)
        #expect(try !isShown())
        #expect(try isShown("lockScreen"))
        #expect(try device.widget("settings", "--hide-always-on", "notes.pinned").code == 0)
        #expect(try isShown())
        #expect(try device.widget("settings", "--hide-always-on", "all").code == 0)
        #expect(try !isShown())
    }

    @Test func `a stream keeps no tresor-widgets that has ended`() throws {
        let device = try LiveDevice()
        let host = try WidgetHost(device, ["--host", "text", "device.lock"])
        #expect(try host.line(with: "nlocked") != nil)
        let first = try device.widgetProcess()
        ChildProcess.kill(first)
        var next = first
        for _ in 0..<1000 where next == first {
            usleep(10_000)
            next = (try? device.widgetProcess()) ?? first
        }
        #expect(next != first, "somebody has started it anew")
        // The stream may be waiting for the next one just now.
        for _ in 0..<1500 where FileManager.default.fileExists(atPath: "/proc/\(first)") { usleep(10_000) }
        let left = try? String(contentsOfFile: "/proc/\(first)/stat", encoding: .utf8)
        #expect(left == nil, "the stream is \(host.id), this is \(getpid())")
    }

    @Test func `a stream ends with its host, and so does one that is told to`() throws {
        let device = try LiveDevice()
        let host = try WidgetHost(device, ["--host", "i3bar", "device.lock"])
        #expect(try host.line() != nil)
        // Until it has nothing more to write: a stream that writes hears of it at once.
        while try host.line(within: 1_000) != nil {}
        try host.closeOutput()
        #expect(host.waitForEnd(seconds: 5))
        let other = try WidgetHost(device, ["--host", "text", "device.lock"])
        #expect(try other.line() != nil)
        kill(other.id, SIGTERM)
        #expect(other.waitForEnd(seconds: 5))
    }

    @Test func `what is not known is named, and has its exit code`() throws {
        let device = try LiveDevice()
        let kind = try device.widget("render", "no.such")
        #expect(kind.code == 3 && kind.errors.contains("none of the widgets"))
        #expect(try device.widget("render", "device.lock", "--family", "huge").code == 64)
        let family = try device.widget("render", "device.lock", "--family", "systemLarge")
        #expect(family.code == 64 && family.errors.contains("accessoryInline"))
        #expect(try device.widget("stream", "--host", "waybar", "device.lock", "notes.recent").code == 64)
        #expect(try device.widget("stream", "--host", "text", "no.such").code == 3)
        #expect(try device.widget("reload", "no.such").code == 3)
        let list = try device.widget("list", "--json")
        #expect(list.text.contains("\"notes.recent\"") && list.text.contains("\"protection\" : \"complete\""))
        device.kill()
        #expect(try device.widget("render", "device.lock").code == 69)
    }
}
