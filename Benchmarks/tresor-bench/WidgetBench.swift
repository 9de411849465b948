import Foundation
import Linux
import NotesClient
import ResidentClient
import Secrets
import Tresor
import WidgetClient
import WidgetDrawing
import Widgets
import Wire

/// What widgets cost: drawing, a lock on its way to the host, fifty of them on a bar.
final class WidgetBench {
    private let device: BenchDevice
    private static let passcode = "2580"
    private static let kinds = [
        "notes.recent", "notes.pinned", "notes.checklists", "keychain.health", "keychain.codes", "device.lock",
        "diary.days", "diary.on-this-day",
    ]

    init(programs: String) throws { device = try BenchDevice(programs: programs) }

    func finish() throws {
        try? device.stop()
        try device.remove()
    }

    /// - Parameters:
    ///   - locks: how often the device is locked.
    ///   - seconds: how long fifty widgets are watched.
    func run(locks: Int, seconds: Int) throws {
        say("\nwidgets: tresor-widgets, tresor-draw")
        try device.setPasscode(Self.passcode)
        let notes = try NotesConnection(home: device.home)
        for number in 0..<20 {
            let text = "# Note \(number)\n\n- [x] done\n- [ ] to do \(number)\n"
            try notes.ask(.create(NewNote(isPinned: number % 4 == 0)), body: Array(text.utf8))
        }
        try drawing()
        try lock(locks)
        try fifty(seconds)
    }

    private func frame(_ kind: String, _ family: WidgetFamily) throws -> WidgetFrame {
        try WidgetConnection(home: device.home).frame(
            WidgetOrder(kind: kind, family: family.name, placement: "desktop"))
    }

    private func times(_ count: Int, _ body: () throws -> Void) rethrows -> Samples {
        var times: [UInt64] = []
        let begin = SystemClock.monotonicNanoseconds()
        for _ in 0..<count {
            let start = SystemClock.monotonicNanoseconds()
            try body()
            times.append(SystemClock.monotonicNanoseconds() - start)
        }
        return Samples(times, elapsed: SystemClock.monotonicNanoseconds() - begin)
    }

    private func drawing() throws {
        let inline = try frame("notes.recent", .accessoryInline)
        let tile = try frame("notes.recent", .systemMedium)
        let renderers: [(name: String, render: (WidgetFrame) -> String)] = [
            ("text", { PlainTextRenderer.render($0) }), ("ansi", { ANSIRenderer.render($0) }),
            ("waybar", { WaybarRenderer.render($0) }), ("i3bar", { I3barRenderer.render($0) }),
            ("json", { JSONRenderer.render($0) }), ("html", { HTMLRenderer.render($0) }),
            ("svg", { SVGRenderer.render($0) }),
        ]
        say("draw                    inline p50 us   medium p50 us")
        for (name, render) in renderers {
            let (small, large) = (times(2000) { _ = render(inline) }, times(2000) { _ = render(tile) })
            say(String(format: "%-20@ %16.1f %15.1f", name as NSString, small.p50, large.p50))
        }
        let program = try DrawingProgram.besideThisProgram()
        say("png                     p50 ms   p99 ms")
        for (name, family, scale) in [
            ("small 1x", WidgetFamily.systemSmall, DrawScale.one), ("medium 1x", .systemMedium, .one),
            ("medium 2x", .systemMedium, .two), ("large 1x", .systemLarge, .one),
            ("rectangular 1x", .accessoryRectangular, .one),
        ] {
            let frame = try frame("notes.recent", family)
            _ = try program.png(frame, scale: scale)
            let drawn = try times(200) { _ = try program.png(frame, scale: scale) }
            say(
                String(
                    format: "%-20@ %9.2f %8.2f", name as NSString, drawn.p50 / 1000, drawn.percentile(0.99) / 1000))
        }
    }

    /// From the request to lock to the line that hides, at a host's end of the pipe.
    private func lock(_ count: Int) throws {
        let host = try BenchHost(device, ["--host", "waybar", "notes.recent"])
        defer { host.end() }
        guard try host.line(with: "Note 19") else { throw WidgetError(.unavailable, "the host shows nothing") }
        var times: [UInt64] = []
        for _ in 0..<count {
            let home = device.home
            // Most locks find a device at rest, and code that has to be mapped again.
            usleep(UInt32(IdleMemory.patience + 200) * 1000)
            let start = SystemClock.monotonicNanoseconds()
            let locking = Thread { try? SocketTransport(home).perform(.lock) }
            locking.start()
            guard try host.line(with: "Notes, locked") else { throw WidgetError(.unavailable, "nothing was hidden") }
            times.append(SystemClock.monotonicNanoseconds() - start)
            while !locking.isFinished { usleep(500) }
            try device.connect().perform(.unlock(CarriedSecret(try SecretBytes(text: Self.passcode))))
            guard try host.line(with: "Note 19") else { throw WidgetError(.unavailable, "nothing came back") }
        }
        let samples = Samples(times, elapsed: 1)
        say(
            String(
                format: "lock to hidden line     p50 %.1f ms, p99 %.1f ms, longest %.1f ms of %d", samples.p50 / 1000,
                samples.percentile(0.99) / 1000, Double(samples.sorted.last ?? 0) / 1e6, count))
    }

    private func fifty(_ seconds: Int) throws {
        let kinds = (0..<50).map { Self.kinds[$0 % Self.kinds.count] }
        let host = try BenchHost(device, ["--host", "i3bar"] + kinds)
        defer { host.end() }
        guard try host.line(with: "Note 19") else { throw WidgetError(.unavailable, "the host shows nothing") }
        guard case .status(let status) = try WidgetConnection(home: device.home).ask(.status).reply else { return }
        usleep(3_000_000)
        let before = try [status.process, host.id].map { try ProcessUsage(of: $0) }
        usleep(UInt32(seconds) * 1_000_000)
        let after = try [status.process, host.id].map { try ProcessUsage(of: $0) }
        let spent = zip(before, after).reduce(0) { $0 + $1.1.cpuMicroseconds - $1.0.cpuMicroseconds }
        let processes = [status.process, host.id]
        let own = try processes.map { try Self.bytes($0, "Private_") }
        let share = try processes.map { try Self.bytes($0, "Pss:") }
        let written = try processes.map { try Self.bytes($0, "Private_Dirty") }
        say(
            String(
                format: "fifty widgets           %.2f %% of a core over %d s",
                Double(spent) / Double(seconds) / 10_000, seconds))
        say("                        memory in MB        tresor-widgets   the stream")
        for (name, figures) in [
            ("written by itself", written), ("no other's, with code", own), ("its share of all (PSS)", share),
            ("resident, with libraries", after.map { Int($0.residentBytes) }),
        ] {
            say(
                String(
                    format: "                        %-24@ %9.1f %12.1f", name as NSString,
                    Double(figures[0]) / 1e6, Double(figures[1]) / 1e6))
        }
    }

    /// Memory of a process by what proc(5) says in smaps_rollup: `Private_` is what goes away with it, code that nobody
    /// else runs included, and `Private_Dirty` what it has written itself.
    private static func bytes(_ process: Int32, _ field: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
        return text.split(separator: "\n").reduce(0) { sum, line in
            guard line.hasPrefix(field) else { return sum }
            return sum + (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
        }
    }
}

/// A host: a stream, and the end of its pipe.
private final class BenchHost {
    private let process = Process()
    private let output: FileHandle
    private var waiting = Data()

    init(_ device: BenchDevice, _ arguments: [String]) throws {
        let pipe = Pipe()
        output = pipe.fileHandleForReading
        process.executableURL = URL(fileURLWithPath: device.programs + "/tresor")
        process.arguments = ["widget", "stream"] + arguments
        process.standardOutput = pipe
        try process.run()
        try pipe.fileHandleForWriting.close()
    }

    var id: Int32 { process.processIdentifier }

    func end() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Reads until a line has this text; false where none comes in ten seconds.
    func line(with text: String) throws -> Bool {
        let end = SystemClock.bootMilliseconds() + 10_000
        while SystemClock.bootMilliseconds() < end {
            while let index = waiting.firstIndex(of: 10) {
                let line = String(decoding: waiting[..<index], as: UTF8.self)
                waiting.removeSubrange(...index)
                if line.contains(text) { return true }
            }
            switch try Poll.wait(untilReadable: output.fileDescriptor, milliseconds: 1000) {
            case .ready: break
            case .timedOut, .interrupted: continue
            }
            let part = output.availableData
            guard !part.isEmpty else { return false }
            waiting.append(part)
        }
        return false
    }
}
