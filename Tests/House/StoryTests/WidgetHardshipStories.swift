import Foundation
import Glibc
import Linux
import Secrets
import Testing
import Wire

/// Widgets among clients, files and folders that wish them no good.
@Suite(.serialized) struct WidgetHardshipStories {
    @Test func `clients that say nothing keep nobody out`() throws {
        let device = try LiveDevice()
        #expect(try device.widget("render", "device.lock").code == 0)
        var silent: [Int32] = []
        defer { silent.forEach { close($0) } }
        for _ in 0..<140 { silent.append(try UnixSocket.connect(device.home.widgetsSocket).release()) }
        #expect(try device.widget("render", "device.lock").code == 0)
        let host = try WidgetHost(device, ["--host", "text", "device.lock"])
        #expect(try host.line(with: "nlocked") != nil)
        for _ in 0..<140 { silent.append(try UnixSocket.connect(device.home.widgetsSocket).release()) }
        try device.setPasscode()
        try device.perform(.lock)
        #expect(try host.line(with: "Locked") != nil, "who shows something is kept")
    }

    @Test func `a catalogue that somebody has edited opens no class`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let marker = "mrk" + Identifier.makeRandom().description.prefix(12)
        let folder = device.home.widgetPrograms
        try FileSystem.makeDirectories(folder)
        let script = #"""
            #!/bin/sh
            read -r line
            case "$line" in
            *describe*) echo '{"protocol":1,"widgets":[{"kind":"one","displayName":"One","summary":"One thing.",'\
            '"symbol":"star","families":["systemSmall"],"protection":"complete"}]}' ;;
            *placeholder*) echo '{"views":{"systemSmall":{"text":"Thing"}}}' ;;
            *) echo '{"entries":[{"date":0,"views":{"systemSmall":{"text":"@"}}}],"policy":"never"}' ;;
            esac
            """#
        let program = URL(fileURLWithPath: folder + "/thing")
        try Data(script.replacingOccurrences(of: "@", with: marker).utf8).write(to: program)
        chmod(program.path, 0o755)
        #expect(try device.widget("render", "thing.one").text.contains(marker))
        let catalog = URL(fileURLWithPath: device.home.widgetsFolder + "/catalog.json")
        let text = try String(contentsOf: catalog, encoding: .utf8)
        let edited = text.replacingOccurrences(of: #""complete""#, with: #""none""#)
        #expect(edited != text)
        try Data(edited.utf8).write(to: catalog)
        // A fresh tresor-widgets reads it.
        ChildProcess.kill(try device.widgetProcess())
        let shown = try device.widget("render", "thing.one")
        #expect(shown.code == 0 && !shown.text.contains(marker), "the program says another class than the catalogue")
        try device.perform(.lock)
        #expect(try !device.widget("render", "thing.one").text.contains(marker))
        // The same kind twice, and no JSON at all: it is asked anew, and nothing crashes.
        let twice = edited.replacingOccurrences(of: #"]}]"#, with: "]}" + "," + edited.dropFirst())
        for wrong in [twice, "{", "[]"] {
            try Data(wrong.utf8).write(to: catalog)
            ChildProcess.kill(try device.widgetProcess())
            #expect(try device.widget("render", "device.lock").code == 0)
            #expect(try !device.widget("render", "thing.one").text.contains(marker))
        }
    }

    @Test func `pictures go to no folder that others may look into, and to no disk`() throws {
        let device = try LiveDevice()
        let folder = "/dev/shm/tresor-open-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileSystem.makeDirectories(folder)
        chmod(folder, 0o755)
        let open = try device.widget("stream", "--host", "image", "--output", folder, "device.lock")
        #expect(open.code == 64 && open.errors.contains("open to others"))
        #expect(try FileSystem.names(in: folder) == [])
        if try !FileSystem.isInMemory(device.folder) {
            let disk = try device.widget("stream", "--host", "image", "--output", device.folder, "device.lock")
            #expect(disk.code == 64 && disk.errors.contains("disk"))
        }
        let relative = try device.widget("stream", "--host", "image", "--output", "here", "device.lock")
        #expect(relative.code == 64)
    }

    @Test func `a clock that is set back keeps what is shown up to date`() throws {
        let clock = LiveDevice.programs + "/clock"
        guard FileManager.default.fileExists(atPath: clock + "/tresor-widgets") else { return }
        let device = try LiveDevice(programs: clock)
        try device.setPasscode()
        let note = try device.newNote("# Before")
        let host = try WidgetHost(device, ["--host", "text", "notes.recent"])
        #expect(try host.line(with: "Before") != nil)
        try Data("0 0 -86400000".utf8).write(to: URL(fileURLWithPath: device.folder + "/test-clock"))
        #expect(try device.notes("edit", note, input: "# Afterwards").code == 0)
        #expect(try host.line(with: "Afterwards") != nil)
    }

    private func addCode(_ service: String, to device: LiveDevice) throws {
        let added = try device.run(
            "keychain", "code", "add", "--service", service, "--account", "anna",
            input: Data("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ".utf8))
        #expect(added.code == 0, "\(added.errors)")
    }

    @Test func `codes of a keychain that is shut are shown no longer, whatever else is open`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        for name in ["Work", "Vault"] {
            let made = try device.run(
                ["keychain", "keychains", "create", name, "--own-passcode"], input: Data("pass\npass\n".utf8))
            #expect(made.code == 0, "\(made.errors)")
        }
        #expect(try device.run("keychain", "keychains", "default", "Vault").code == 0)
        try addCode("Cellar", to: device)
        let host = try WidgetHost(device, ["--host", "text", "keychain.codes"])
        #expect(try host.line(with: "Cellar") != nil)
        let render = { try device.widget("render", "keychain.codes").text }
        #expect(try render().contains("Cellar"))
        // Another one is open still.
        #expect(try device.run("keychain", "keychains", "lock", "Vault").code == 0)
        #expect(try !render().contains("Cellar"))
        #expect(try host.line(with: "No codes") != nil && !host.lastLine().contains("Cellar"))
        let opened = try device.run("keychain", "keychains", "unlock", "Vault", input: Data("pass\n".utf8))
        #expect(opened.code == 0, "\(opened.errors)")
        #expect(try device.widget("reload", "keychain.codes").code == 0)
        #expect(try host.line(with: "Cellar") != nil)
        // The last one takes all along.
        for name in ["Work", "Vault"] { #expect(try device.run("keychain", "keychains", "lock", name).code == 0) }
        #expect(try host.line(with: "No codes") != nil && !host.lastLine().contains("Cellar"))
    }

    @Test func `a clock that is set shows no code of another time`() throws {
        let clock = LiveDevice.programs + "/clock"
        guard FileManager.default.fileExists(atPath: clock + "/tresor-widgets") else { return }
        let device = try LiveDevice(programs: clock)
        try device.setPasscode()
        // Whoever shows something else has the clock looked at, and asks for no code.
        func setClock(_ seconds: Int) throws {
            let lead = seconds * 1000 - Int(Date().timeIntervalSince1970 * 1000)
            try Data("0 0 \(lead)".utf8).write(to: URL(fileURLWithPath: device.folder + "/test-clock"))
            #expect(try device.widget("render", "device.lock").code == 0)
        }
        // The secret, the times and their codes are those of RFC 6238, appendix B.
        try setClock(2_000_000_000)
        try addCode("Mail", to: device)
        let host = try WidgetHost(device, ["--host", "text", "keychain.codes"])
        #expect(try host.line(with: "279 037") != nil)
        // Not the first of those that were made at once.
        try setClock(2_000_000_071)
        let later = try #require(try host.line(with: "Mail"))
        #expect(!later.contains("279 037"))
        for (seconds, code) in [(1_111_111_111, "050 471"), (1_234_567_890, "005 924"), (1_111_111_111, "050 471")] {
            try setClock(seconds)
            var shown = try host.line()
            while let line = shown, !line.contains(code) {
                #expect(!line.contains("Mail"), "a code of another time: \(line)")
                shown = try host.line()
            }
            #expect(shown != nil, "it is asked for anew at once")
        }
    }

    @Test func `pipes in place of files are waited for by nobody`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        _ = try device.newNote("# Groceries")
        #expect(try device.widget("render", "notes.recent").text.contains("Groceries"))
        let folder = device.home.widgetsFolder
        try FileSystem.makeDirectories(device.home.widgetPrograms)
        try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: device.home.widgetPrograms + "/none"))
        chmod(device.home.widgetPrograms + "/none", 0o755)
        for path in [folder + "/catalog.json", folder + "/timelines/notes.recent.timeline"] {
            try FileSystem.remove(path)
            #expect(mkfifo(path, 0o600) == 0)
        }
        ChildProcess.kill(try device.widgetProcess())
        let start = SystemClock.bootMilliseconds()
        #expect(try device.widget("render", "notes.recent").text.contains("Groceries"), "it is made anew")
        #expect(SystemClock.bootMilliseconds() - start < 10_000)
        #expect(try device.run("lock").code == 0)
        #expect(try !device.widget("render", "notes.recent").text.contains("Groceries"))
    }

    @Test func `a picture that a lock removed is drawn again, also where nothing has changed in it`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let folder = "/dev/shm/tresor-pictures-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileSystem.makeDirectories(folder)
        chmod(folder, 0o700)
        // The diary's door is shut: the frame is the same before the lock and after it.
        let host = try WidgetHost(device, ["--host", "image", "--output", folder, "diary.on-this-day"])
        let picture = folder + "/diary.on-this-day.png"
        for _ in 0..<1000 where try FileSystem.status(picture) == nil { usleep(10_000) }
        let first = try FileSystem.status(picture)
        #expect(first != nil && host.isRunning)
        try device.perform(.lock)
        usleep(500_000)
        for _ in 0..<1000 where try FileSystem.status(picture) == nil { usleep(10_000) }
        #expect(try FileSystem.status(picture) != nil)
        #expect(host.isRunning)
    }

    @Test func `who asks once sees what is there now, and not what was there the last time`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        func line() throws -> String {
            try device.widget("render", "notes.recent", "--family", "accessoryInline").text
        }
        _ = try device.newNote("# Older")
        #expect(try line().contains("Older"))
        let newer = try device.newNote("# Newer")
        #expect(try line().contains("Newer"))
        #expect(try device.run("notes", "delete", newer).code == 0)
        #expect(try !line().contains("Newer"))
        // Where nobody follows the notes any more, too.
        ChildProcess.kill(try device.widgetProcess())
        _ = try device.newNote("# Newest")
        #expect(try line().contains("Newest"))
        let start = SystemClock.bootMilliseconds()
        #expect(try line().contains("Newest"))
        #expect(SystemClock.bootMilliseconds() - start < 2000)
        let path = device.home.widgetsFolder + "/timelines/notes.recent.timeline"
        let kept = try FileSystem.read(path)
        #expect(try line().contains("Newest"))
        #expect(try FileSystem.read(path) == kept, "nothing has changed, and nobody is asked")
    }

    @Test func `a drawing that cannot be written leaves nothing of itself`() throws {
        let device = try LiveDevice()
        _ = try device.newNote("# Private")
        let folder = device.folder + "/out"
        try FileSystem.makeDirectories(folder + "/busy/inner")
        for format in ["png", "text"] {
            let busy = try device.widget("render", "notes.recent", "--format", format, "-o", folder + "/busy")
            #expect(busy.code == 73 && busy.errors.contains("cannot be written"))
            let missing = try device.widget("render", "notes.recent", "--format", format, "-o", folder + "/none/x")
            #expect(missing.code == 73 && missing.errors.contains("folder is not there"))
        }
        #expect(try FileSystem.names(in: folder) == ["busy"])
        #expect(try device.widget("render", "notes.recent", "-o", "").code == 64)
        #expect(try device.widget("render", "notes.recent", "-o", "-").text.contains("Private"))
        #expect(try device.widget("check", "nowhere").code == 3)
    }

    @Test func `a stream and tresor-widgets at rest hold little code, and hear a lock as before`() throws {
        let device = try LiveDevice()
        try device.setPasscode()
        let host = try WidgetHost(device, ["--host", "text", "device.lock"])
        #expect(try host.line(with: "Unlocked") != nil)
        for process in [host.id, try device.widgetProcess()] {
            var (resident, most) = (Int.max, 0)
            // What its start took is the keeper's, and no part of a ward's peak.
            for _ in 0..<2000 where resident > most * 3 / 5 {
                usleep(10_000)
                (resident, most) = try (Self.kilobytes("VmRSS", process), Self.kilobytes("VmHWM", process))
            }
            #expect(resident <= most * 3 / 5, "\(resident) of \(most) kB")
        }
        #expect(try device.run("lock").code == 0)
        #expect(try host.line(with: "Locked") != nil)
    }

    /// A figure of proc(5)'s status.
    private static func kilobytes(_ name: String, _ process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }
}
