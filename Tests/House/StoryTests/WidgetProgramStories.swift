import Foundation
import Glibc
import Linux
import Secrets
import Testing
import Wire

/// Programs of others that provide widgets, as the real hosts run them.
@Suite(.serialized) struct WidgetProgramStories {
    private let marker = "mrk" + Identifier.makeRandom().description.prefix(12)

    /// Installs a program of the shell; it notes each timeline that it is asked for.
    private func install(
        _ name: String, on device: LiveDevice, protection: String, seconds: Int = 0, view: String
    ) throws {
        let folder = device.home.widgetPrograms
        try FileSystem.makeDirectories(folder)
        let description =
            #"{"protocol":1,"widgets":[{"kind":"one","displayName":"One","summary":"One thing.","symbol":"star","#
            + #""families":["systemSmall","accessoryInline"],"protection":"\#(protection)"}]}"#
        let timeline =
            #"{"entries":[{"date":0,"views":{"systemSmall":\#(view),"accessoryInline":\#(view)}}],"policy":"never"}"#
        let placeholder =
            #"{"views":{"systemSmall":{"text":"Thing"},"accessoryInline":{"text":"Thing"}}}"#
        let script = """
            #!/bin/sh
            read -r line
            case "$line" in
            *describe*) printf '%s\\n' '\(description)' ;;
            *placeholder*) printf '%s\\n' '\(placeholder)' ;;
            *) echo asked >> '\(device.folder)/asked-\(name)'; sleep \(seconds); printf '%s\\n' '\(timeline)' ;;
            esac
            """
        let path = folder + "/" + name
        try Data(script.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o755)
    }

    private func timesAsked(_ name: String, _ device: LiveDevice) -> Int {
        let text = (try? String(contentsOfFile: device.folder + "/asked-\(name)", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").count
    }

    @Test func `a program in the folder is a widget; what it seals is seen by its owner alone`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let view = #"{"vstack":[{"text":"Public"},{"sealed":{"text":"\#(marker)"},"placeholder":{"text":"Thing"}}]}"#
        try install("thing", on: device, protection: "completeUntilFirstUserAuthentication", view: view)
        #expect(try device.widget("list").text.contains("thing.one"))
        #expect(try device.widget("list", "--json").text.contains("/programs/thing"))
        let shown = try device.widget("render", "thing.one")
        #expect(shown.text.contains(marker) && shown.text.contains("Public"))
        try device.perform(.lock)
        let locked = try device.widget("render", "thing.one", "--placement", "lockScreen")
        #expect(!locked.text.contains(marker) && locked.text.contains("Public"))
        let hidden = try device.widget("render", "thing.one", "--placement", "desktop")
        #expect(hidden.text.contains(marker), "its class is open behind the locker")
        try device.unlock()
        #expect(try device.widget("settings", "--allow-when-locked", "on").code == 0)
        try device.perform(.lock)
        #expect(try device.widget("render", "thing.one", "--placement", "lockScreen").text.contains(marker))
        try device.restart()
        let early = try device.widget("render", "thing.one", "--placement", "lockScreen")
        #expect(!early.text.contains(marker) && !early.text.contains("Public"), "before the first unlock")
        #expect(timesAsked("thing", device) == 1, "what it said is kept")
        let state = try Data(
            contentsOf: URL(fileURLWithPath: device.home.widgetsFolder + "/timelines/thing.one.timeline"))
        #expect(state.range(of: Data(marker.utf8)) == nil && state.range(of: Data("Public".utf8)) == nil)
    }

    @Test func `a bar is taken for one that stays in view, unless its owner says that the locker hides it`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let view = #"{"vstack":[{"text":"Public"},{"sealed":{"text":"\#(marker)"},"placeholder":{"text":"Thing"}}]}"#
        try install("thing", on: device, protection: "completeUntilFirstUserAuthentication", view: view)
        func isShown(_ options: String...) throws -> Bool {
            try device.run(["widget", "render", "thing.one"] + options).text.contains(marker)
        }
        #expect(try isShown() && isShown("--placement", "desktop"), "unlocked")
        let bar = try WidgetHost(device, ["--host", "json", "thing.one"])
        #expect(try bar.line(with: marker) != nil)
        let chosen = try WidgetHost(device, ["--host", "json", "thing.one", "--placement", "desktop"])
        #expect(try chosen.line(with: marker) != nil)
        try device.perform(.lock)
        #expect(try !isShown() && !isShown("--placement", "lockScreen") && isShown("--placement", "desktop"))
        #expect(try bar.line(with: "redacted") != nil, "what nobody placed")
        #expect(try bar.line(within: 1000).map { !$0.contains(marker) } ?? true)
        #expect(try chosen.line(with: marker) != nil, "its stream begins anew with what the class says")
        for host in ["waybar", "swaybar", "i3bar", "i3blocks", "polybar", "tmux", "conky", "eww", "hyprlock"] {
            let lines = try device.widget("install", host).text
            #expect(!lines.isEmpty && !lines.contains("desktop"), "\(host)")
        }
    }

    @Test func `without a host, or with a wrong one, install names those that it knows, as the help does`() throws {
        let device = try LiveDevice(starting: false)
        let hosts = [
            "conky", "eww", "glance", "gtklock", "homepage", "hyprlock", "i3bar", "i3blocks", "polybar", "swaybar",
            "swaylock", "tmux", "waybar-style", "waybar",
        ].joined(separator: ", ")
        for arguments in [["widget", "install"], ["widget", "install", "wayba"]] {
            let outcome = try device.run(arguments)
            #expect(outcome.code == 64 && outcome.text.isEmpty, "\(arguments)")
            #expect(outcome.errors.contains("there are lines for: \(hosts)"), "\(outcome.errors)")
        }
        for arguments in [["widget", "--help"], ["widget", "install", "--help"]] {
            let words = try device.run(arguments).text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains(hosts), "\(words)")
        }
    }

    @Test func `a provider of class CompleteUnlessOpen finishes over a lock, and is seen after the unlock alone`()
        throws
    {
        let device = try LiveDevice()
        try device.setPasscode()
        try install("slow", on: device, protection: "completeUnlessOpen", seconds: 2, view: #"{"text":"\#(marker)"}"#)
        try install("shut", on: device, protection: "complete", seconds: 2, view: #"{"text":"\#(marker)"}"#)
        let hosts = try ["slow.one", "shut.one"].map { try WidgetHost(device, ["--host", "text", $0]) }
        for _ in 0..<400 where timesAsked("slow", device) + timesAsked("shut", device) < 2 { usleep(10_000) }
        #expect(timesAsked("slow", device) == 1 && timesAsked("shut", device) == 1)
        try device.perform(.lock)
        let file = device.home.widgetsFolder + "/timelines/slow.one.timeline"
        for _ in 0..<600 where !FileManager.default.fileExists(atPath: file) { usleep(10_000) }
        #expect(FileManager.default.fileExists(atPath: file), "it finishes what it has begun")
        #expect(
            !FileManager.default.fileExists(atPath: device.home.widgetsFolder + "/timelines/shut.one.timeline"),
            "a provider of class complete does not")
        #expect(try device.state().range(of: Data(marker.utf8)).map { _ in true } == true, "the program itself has it")
        for kind in ["slow.one", "shut.one"] {
            #expect(try !device.widget("render", kind).text.contains(marker))
        }
        try device.unlock()
        #expect(try hosts[0].line(with: marker) != nil)
        #expect(timesAsked("slow", device) == 1, "nobody is asked again")
        #expect(try hosts[1].line(with: marker) != nil)
        #expect(timesAsked("shut", device) == 2)
    }

    @Test func `a program that cannot be a widget is left out, and check says why`() throws {
        let device = try LiveDevice()
        try install("good", on: device, protection: "none", view: #"{"text":"fine"}"#)
        try install(
            "loud", on: device, protection: "complete",
            view: #"{"vstack":[{"sealed":{"text":"x"},"placeholder":{"text":"y"}}],"unredacted":true}"#)
        try install("typo", on: device, protection: "complete", view: #"{"text":"x","privat":true}"#)
        let good = try device.widget("check", "good")
        #expect(good.code == 0 && good.text.contains("hint: ") && good.text.contains("fine"))
        let loud = try device.widget("check", "loud")
        #expect(loud.code == 8 && loud.text.contains("refused: "))
        let typo = try device.widget("check", "./typo")
        #expect(typo.code == 3, "no such file here")
        #expect(try device.widget("check", device.home.widgetPrograms + "/typo").text.contains("privat"))
        #expect(try device.widget("render", "good.one").text.contains("fine"))
        for kind in ["loud.one", "typo.one"] {
            let drawn = try device.widget("render", kind)
            #expect(drawn.code == 0 && !drawn.text.contains("x"), "its placeholder stands for it")
        }
        #expect(try device.widget("render", "good.two").code == 3)
        // A program that comes later is seen when widgets are listed.
        try install("later", on: device, protection: "none", view: #"{"text":"late"}"#)
        #expect(try device.widget("list").text.contains("later.one"))
    }

    @Test func `a lock ends a provider of class Complete with everything that it started`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let seconds = Int.random(in: 100_000...999_999)
        try install("hang", on: device, protection: "complete", seconds: seconds, view: #"{"text":"x"}"#)
        let host = try WidgetHost(device, ["--host", "text", "hang.one"])
        #expect(try host.line() != nil)
        let command = "sleep \(seconds)"
        for _ in 0..<400 where running(command).isEmpty { usleep(10_000) }
        #expect(!running(command).isEmpty, "the control")
        try device.perform(.lock)
        for _ in 0..<200 where !running(command).isEmpty { usleep(10_000) }
        #expect(running(command).isEmpty)
        // And where the program of widgets is killed, nobody is left who could end it.
        try device.unlock()
        for _ in 0..<400 where running(command).isEmpty { usleep(10_000) }
        let first = running(command)
        #expect(!first.isEmpty)
        ChildProcess.kill(try device.widgetProcess())
        for _ in 0..<200 where !running(command).isDisjoint(with: first) { usleep(10_000) }
        #expect(running(command).isDisjoint(with: first))
    }

    /// Processes whose command line begins so.
    private func running(_ command: String) -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return Set(
            names.filter { name in
                guard Int(name) != nil, let bytes = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else {
                    return false
                }
                let line = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\0", with: " ")
                return line.hasPrefix(command)
            })
    }

    @Test func `a program that was edited is asked anew`() throws {
        let device = try LiveDevice()
        try install("edit", on: device, protection: "none", view: #"{"text":"first"}"#)
        #expect(try device.widget("render", "edit.one").text.contains("first"))
        try install("edit", on: device, protection: "none", view: #"{"text":"second"}"#)
        #expect(try device.widget("reload", "edit.one").code == 0)
        var text = ""
        for _ in 0..<100 where !text.contains("second") {
            usleep(50_000)
            text = try device.widget("render", "edit.one").text
        }
        #expect(text.contains("second"))
    }

    @Test func `programs that never answer keep nobody from the others`() throws {
        let device = try LiveDevice()
        try install("good", on: device, protection: "none", view: #"{"text":"fine"}"#)
        for name in ["aaa", "bbb", "zzz"] {
            let path = device.home.widgetPrograms + "/" + name
            try Data("#!/bin/sh\nexec sleep 1000\n".utf8).write(to: URL(fileURLWithPath: path))
            chmod(path, 0o755)
        }
        let first = try device.widget("list")
        #expect(first.text.contains("good.one"))
        // They are asked anew when they are others, and not before.
        let start = SystemClock.bootMilliseconds()
        #expect(try device.widget("render", "good.one").text.contains("fine"))
        #expect(try device.widget("list").text.contains("good.one"))
        #expect(SystemClock.bootMilliseconds() - start < 5000)
    }

    @Test func `a program that had no time to say what it has keeps what it had`() throws {
        let device = try LiveDevice()
        let slow = device.folder + "/slow"
        try install("good", on: device, protection: "none", view: #"{"text":"fine"}"#)
        let path = URL(fileURLWithPath: device.home.widgetPrograms + "/good")
        let script = try String(contentsOf: path, encoding: .utf8)
        let hesitant = "read -r line; test -e \(slow) && sleep 30\n"
        try Data(script.replacingOccurrences(of: "read -r line\n", with: hesitant).utf8).write(to: path)
        #expect(try device.widget("render", "good.one").text.contains("fine"))
        let timeline = device.home.widgetsFolder + "/timelines/good.one.timeline"
        #expect(try FileSystem.status(timeline) != nil)
        // Somebody installs another one, by which all are asked anew, while the machine is busy.
        try Data().write(to: URL(fileURLWithPath: slow))
        try install("other", on: device, protection: "none", view: #"{"text":"new"}"#)
        let list = try device.widget("list").text
        #expect(list.contains("good.one") && list.contains("other.one"))
        #expect(try FileSystem.status(timeline) != nil)
        #expect(try device.widget("render", "good.one").text.contains("fine"))
    }

    @Test func `of a program that is gone nothing stays, not on the disk and not in a process`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let seconds = Int.random(in: 100_000...999_999)
        let folder = device.home.widgetsFolder + "/timelines"
        try install("gone", on: device, protection: "complete", view: #"{"text":"\#(marker)"}"#)
        try install("hang", on: device, protection: "complete", seconds: seconds, view: #"{"text":"x"}"#)
        #expect(try device.widget("render", "gone.one").text.contains(marker))
        #expect(try FileSystem.names(in: folder).contains("gone.one.timeline"))
        // Half of a file, as a worker that was killed leaves it.
        try FileSystem.replace(folder + "/gone.one.timeline.new", with: [1])
        let host = try WidgetHost(device, ["--host", "text", "hang.one"])
        #expect(try host.line() != nil)
        let command = "sleep \(seconds)"
        for _ in 0..<400 where running(command).isEmpty { usleep(10_000) }
        #expect(!running(command).isEmpty, "the control")
        for name in ["gone", "hang"] { try FileSystem.remove(device.home.widgetPrograms + "/" + name) }
        #expect(try !device.widget("list").text.contains("gone.one"))
        for _ in 0..<200 where !running(command).isEmpty { usleep(10_000) }
        #expect(running(command).isEmpty)
        #expect(try FileSystem.names(in: folder).filter { $0.hasPrefix("gone.") } == [])
        #expect(try device.widget("render", "gone.one").code == 3)
    }

    @Test func `who asks while a program runs waits for it, and has it run no more often`() throws {
        let device = try LiveDevice()
        try install("slow", on: device, protection: "none", seconds: 2, view: #"{"text":"fine"}"#)
        #expect(try device.widget("render", "slow.one").text.contains("fine"))
        #expect(try device.widget("reload", "slow.one").code == 0)
        var asking: [Process] = []
        for _ in 0..<8 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: device.programs + "/tresor")
            process.arguments = ["widget", "render", "slow.one"]
            process.environment = ["TRESOR_HOME": device.folder, "PATH": "/usr/bin:/bin"]
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            asking.append(process)
            usleep(600_000)
        }
        for process in asking { process.waitUntilExit() }
        #expect(asking.allSatisfy { $0.terminationStatus == 0 })
        #expect(timesAsked("slow", device) == 2)
    }

    @Test func `class CompleteUnlessOpen is there again after a passcode was given up`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        try install("slow", on: device, protection: "completeUnlessOpen", view: #"{"text":"\#(marker)"}"#)
        #expect(try device.widget("render", "slow.one").text.contains(marker))
        try device.resetPasscode()
        #expect(try device.widget("reload", "slow.one").code == 0)
        var text = ""
        for _ in 0..<100 where !text.contains(marker) {
            usleep(50_000)
            text = try device.widget("render", "slow.one").text
        }
        #expect(text.contains(marker))
        #expect(timesAsked("slow", device) <= 3)
    }
}
