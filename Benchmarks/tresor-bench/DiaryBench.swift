import DiaryClient
import Foundation
import Linux
import ResidentClient
import Secrets
import Tresor
import Wire

/// What the diary costs through the socket of tresor-diary; photos beside vipsthumbnail with as many processes.
final class DiaryBench {
    private let device: BenchDevice
    private let text = BenchText()
    private static let password = "correct horse"
    private static let operations = 300

    init(programs: String) throws { device = try BenchDevice(programs: programs) }

    func finish() throws {
        try? device.stop()
        try device.remove()
    }

    /// - Parameters:
    ///   - entries: how many there are in the end.
    ///   - photos: how many of 12 megapixels come in.
    func run(entries: Int, photos: Int) throws {
        say("\ndiary: tresor-diary, \(entries) entries")
        let connection = try DiaryConnection(home: device.home)
        _ = try connection.askForSecret(.register(allowsPasscode: false), secrets: secret())
        try signIn(connection)
        try fill(entries, connection)
        try timeline(entries)
        try self.photos(photos)
    }

    private func secret() throws -> MessageSecrets { MessageSecrets(try SecretBytes(text: Self.password)) }

    private func signIn(_ connection: DiaryConnection) throws { try connection.ask(.signIn, secrets: secret()) }

    private func fill(_ count: Int, _ connection: DiaryConnection) throws {
        try connection.ask(.changeSettings(DiarySettings(lockMinutes: 0)))
        let begin = SystemClock.monotonicNanoseconds()
        for number in 0..<count {
            let head = EntryHead(date: Int64(number) * 40_000_000_000, timeZone: "Europe/Oslo")
            try connection.ask(
                .importEntry(ImportedHead(source: "bench:\(number)", head: head)),
                body: Array(text.note(number).utf8))
        }
        say("import \(format(Double(count) / seconds(since: begin))) entries/s, each durable on its own")
    }

    /// After a lock, as the first thing that somebody sees.
    private func timeline(_ count: Int) throws {
        var filter = DiaryFilter()
        filter.limit = 50
        var (signIns, firsts, hashes): ([UInt64], [UInt64], [UInt64]) = ([], [], [])
        for _ in 0..<5 {
            let gone = try DiaryConnection(home: device.home)
            try gone.ask(.lock)
            gone.waitForEnd()
            let connection = try DiaryConnection(home: device.home)
            signIns.append(try nanoseconds { try signIn(connection) })
            firsts.append(try nanoseconds { try connection.ask(.list(filter)) })
            hashes.append(try nanoseconds { _ = try PasswordHash.make(for: SecretBytes(text: Self.password)) })
        }
        row("sign-in", Samples(signIns, elapsed: 0), "the hash alone \(milliseconds(Samples(hashes, elapsed: 0).p50))")
        row("first page, cold", Samples(firsts, elapsed: 0), "right after a sign-in, before anything was read")
        let connection = try DiaryConnection(home: device.home)
        row(
            "page of 50",
            try samples {
                filter.offset = $0; try connection.ask(.list(filter))
            })
        let begin = SystemClock.monotonicNanoseconds()
        while case .list(let found) = try connection.ask(.search(text: "a", limit: 1)).reply, found.isPartial {
            SystemClock.sleep(milliseconds: 50)
        }
        say("all words indexed \(format(seconds(since: begin))) s after")
        let text = text
        row("search", try samples { try connection.ask(.search(text: text.query($0), limit: 50)) })
        filter.offset = 0
        filter.onThisDay = DiaryFilter.Anniversary(year: 2030, month: 6, day: 1)
        row("on this day", try samples { _ in try connection.ask(.list(filter)) })
        row("outline of all", try samples(20) { _ in try connection.ask(.outline) })
        say("tresor-diary \(try memory(connection)) MiB resident")
    }

    // MARK: Photos

    private func photos(_ count: Int) throws {
        guard let tool = Self.find("vipsthumbnail"), let vips = Self.find("vips") else {
            return say("photos: left out, as libvips-tools is not installed (vips, vipsthumbnail)")
        }
        let folder = device.folder + "/photos"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let files = try makePhotos(count, in: folder, with: vips)
        let processes = SystemFacts.processorCount
        let theirs = try thumbnails(of: files, by: tool, processes)
        let connection = try DiaryConnection(home: device.home)
        let begin = SystemClock.monotonicNanoseconds()
        for (number, file) in files.enumerated() { try send(file, number, connection) }
        var most = 0
        while case .status(let status) = try connection.ask(.status).reply, (status.waitingPhotos ?? 0) > 0 {
            most = max(most, try memory(connection))
            SystemClock.sleep(milliseconds: 100)
        }
        let ours = Double(count) / seconds(since: begin)
        guard try connection.hasAllThumbnails(count) else { throw BenchFailure("not all photos have a thumbnail") }
        say(
            String(
                format: "import of %d photos of 12 MP: %.1f/s, vipsthumbnail with %d processes %.1f/s, × %.2f; %d MiB",
                count, ours, processes, theirs, ours / theirs, max(most, try memory(connection))))
    }

    private func send(_ file: String, _ number: Int, _ connection: DiaryConnection) throws {
        let photo = try FileDescriptor.open(file, FileFlags.readFollowing)
        var offset = 0
        try connection.ask(
            .stage(NewMedia(kind: .photo, name: "photo.jpg", mediaType: "image/jpeg")), hasBody: true
        ) {
            let part = try photo.read(count: MessageFrame.bodyPart, at: offset)
            offset += part.count
            return part.isEmpty ? nil : part
        } receive: { _ in
        }
        var head = ImportedHead(source: "photo:\(number)", head: EntryHead(date: Int64(number), timeZone: "UTC"))
        head.mediaCount = 1
        try connection.ask(.importEntry(head))
    }

    /// A few that differ, again and again: what is in the system's cache is so for both.
    private func makePhotos(_ count: Int, in folder: String, with vips: String) throws -> [String] {
        let several = (0..<4).map { folder + "/\($0)" }
        for path in several {
            try Self.run(vips, ["gaussnoise", path + ".v", "1000", "750", "--sigma", "40", "--mean", "128"])
            try Self.run(vips, ["resize", path + ".v", path + ".jpg", "4", "--kernel", "cubic"])
            try FileManager.default.removeItem(atPath: path + ".v")
        }
        return (0..<count).map { several[$0 % several.count] + ".jpg" }
    }

    /// Photos a second by so many processes, each with its share.
    private func thumbnails(of files: [String], by tool: String, _ processes: Int) throws -> Double {
        let begin = SystemClock.monotonicNanoseconds()
        let running = try (0..<processes).map { share -> Process in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: tool)
            let own = files.indices.filter { $0 % processes == share }.map { files[$0] }
            process.arguments = ["-s", "512", "-o", device.folder + "/photos/small-\(share)-%s.jpg"] + own
            try process.run()
            return process
        }
        for process in running { process.waitUntilExit() }
        return Double(files.count) / seconds(since: begin)
    }

    private static func find(_ name: String) -> String? {
        let path = "/usr/bin/" + name
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchFailure("\(program) failed") }
    }

    // MARK: Figures

    private func memory(_ connection: DiaryConnection) throws -> Int {
        guard case .status(let status) = try connection.ask(.status).reply else { return 0 }
        return Int(try ProcessUsage(of: status.process).residentBytes / 1024 / 1024)
    }

    private func samples(_ count: Int = DiaryBench.operations, _ body: (Int) throws -> Void) throws -> Samples {
        var times: [UInt64] = []
        for number in 0..<count { times.append(try nanoseconds { try body(number) }) }
        return Samples(times, elapsed: 0)
    }

    private func row(_ name: String, _ samples: Samples, _ note: String = "") {
        say(
            name.padding(toLength: 18, withPad: " ", startingAt: 0)
                + "p50 \(milliseconds(samples.p50))  p99 \(milliseconds(samples.p99))  \(note)")
    }

    private func milliseconds(_ microseconds: Double) -> String { String(format: "%8.3f ms", microseconds / 1000) }
}

extension ResidentConnection<DiaryMessages> {
    /// Whether so many photos have a small picture.
    fileprivate func hasAllThumbnails(_ count: Int) throws -> Bool {
        var filter = DiaryFilter()
        filter.limit = 500
        var found = 0
        while case .list(let page) = try ask(.list(filter)).reply, !page.entries.isEmpty {
            found += page.entries.reduce(0) { $0 + $1.media.count { $0.hasThumbnail } }
            filter.offset += page.entries.count
        }
        return found == count
    }
}
