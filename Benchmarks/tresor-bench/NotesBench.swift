import Crypto
import Foundation
import Linux
import NotesClient
import ResidentClient
import Secrets
import Tresor
import Wire

/// What notes cost through the socket of tresor-notes, beside the same notes in plain SQLite on the same disk.
final class NotesBench {
    private let device: BenchDevice
    private let text = BenchText()
    private var stored = 0
    private static let operations = 300

    init(programs: String) throws { device = try BenchDevice(programs: programs) }

    func finish() throws {
        try? device.stop()
        try device.remove()
    }

    func run(_ sizes: [Int]) throws {
        try device.setPasscode("correct horse")
        let naive = try NaiveNotes(folder: device.folder)
        say(
            "\nnotes: tresor-notes beside plain SQLite with FTS5 on the same disk, nothing sealed (× is the ratio of medians)"
        )
        for size in sizes {
            try fill(to: size, naive)
            try waitForIndex()
            try table(size, naive)
            try index(size)
        }
        try passphrases(sizes)
        try attachments()
    }

    private func connect() throws -> NotesConnection { try NotesConnection(home: device.home) }

    private func fill(to size: Int, _ naive: NaiveNotes) throws {
        let connection = try connect()
        let first = stored
        let begin = SystemClock.monotonicNanoseconds()
        while stored < size {
            var head = ImportedNoteHead(source: "bench:\(stored)")
            head.folder = "Folder \(stored % 50)"
            try connection.ask(.importNote(head), body: Array(text.note(stored).utf8))
            stored += 1
        }
        let ours = Double(stored - first) / seconds(since: begin)
        let start = SystemClock.monotonicNanoseconds()
        for number in first..<stored { try naive.add(number, text.note(number)) }
        let theirs = Double(stored - first) / seconds(since: start)
        say("\(size) notes: import \(format(ours)) notes/s, plain \(format(theirs)) notes/s, each durable on its own")
    }

    private func table(_ size: Int, _ naive: NaiveNotes) throws {
        let connection = try connect()
        let list = try samples { _ in try connection.ask(.list(NoteFilter(limit: 50))) }
        try row("list, first 50", list, samples { _ in _ = try naive.list(50) })
        let text = text
        let search = try samples { try connection.ask(.search(text: text.query($0), limit: 50)) }
        try row("search", search, samples { _ = try naive.search(text.query($0)) })
        guard case .list(let page) = try connection.ask(.list(NoteFilter(limit: 500))).reply else { return }
        let ids = page.notes.map(\.id)
        let open = try samples { try connection.ask(.show(id: ids[$0 % ids.count])) }
        try row("open a note", open, samples { _ = try naive.open($0 % size) })
        let edit = try samples { number in
            let (reply, _) = try connection.ask(.show(id: ids[number % ids.count]))
            guard case .note(let note) = reply else { return }
            try connection.ask(.edit(id: note.id, base: note.revision), body: Array(text.note(number + size).utf8))
        }
        try row("show and edit", edit, samples { try naive.edit($0 % size, text.note($0 + size)) })
    }

    private func samples(_ body: @escaping (Int) throws -> Void) throws -> Samples {
        var times: [UInt64] = []
        let begin = SystemClock.monotonicNanoseconds()
        for number in 0..<Self.operations {
            let start = SystemClock.monotonicNanoseconds()
            try body(number)
            times.append(SystemClock.monotonicNanoseconds() - start)
        }
        return Samples(times, elapsed: SystemClock.monotonicNanoseconds() - begin)
    }

    private func row(_ name: String, _ ours: Samples, _ theirs: Samples) {
        say(
            name.padding(toLength: 16, withPad: " ", startingAt: 0)
                + String(
                    format: "p50 %8.3f ms  p99 %8.3f ms   plain p50 %8.3f ms  × %.1f", ours.p50 / 1000, ours.p99 / 1000,
                    theirs.p50 / 1000, ours.p50 / theirs.p50))
    }

    /// Locks, unlocks, and watches the index grow while somebody works.
    private func index(_ size: Int) throws {
        try device.connect().perform(.lock)
        try device.connect().perform(.unlock(CarriedSecret(try SecretBytes(text: "correct horse"))))
        let begin = SystemClock.monotonicNanoseconds()
        let connection = try connect()
        try connection.ask(.list(NoteFilter(limit: 50)))
        let first = seconds(since: begin)
        var waits: [UInt64] = []
        while try indexed(connection) < size {
            let start = SystemClock.monotonicNanoseconds()
            try connection.ask(.list(NoteFilter(limit: 50)))
            waits.append(SystemClock.monotonicNanoseconds() - start)
            SystemClock.sleep(milliseconds: 5)
        }
        let rate = Double(size) / seconds(since: begin) * 60
        let wait = waits.isEmpty ? 0 : Double(waits.sorted()[waits.count / 2]) / 1e6
        let resident = try ProcessUsage(of: process(connection)).residentBytes / 1024 / 1024
        say(
            "index after unlock: \(format(rate)) notes/min, first list \(format(first * 1000)) ms, a list meanwhile p50 "
                + "\(String(format: "%.1f", wait)) ms; tresor-notes \(resident) MiB resident")
    }

    private func process(_ connection: NotesConnection) throws -> Int32 {
        guard case .status(let status) = try connection.ask(.status).reply else { return 0 }
        return status.process
    }

    private func indexed(_ connection: NotesConnection) throws -> Int {
        guard case .status(let status) = try connection.ask(.status).reply else { return 0 }
        return status.indexed
    }

    private func waitForIndex() throws {
        let connection = try connect()
        while try indexed(connection) < stored { SystemClock.sleep(milliseconds: 50) }
    }

    /// A change of the passphrase over so many locked notes; the KDF runs are in it, and stand beside it.
    private func passphrases(_ sizes: [Int]) throws {
        let connection = try connect()
        try connection.ask(.setPassphrase(hint: nil), secrets: MessageSecrets(try SecretBytes(text: "old")))
        var locked = 0
        var (present, next) = ("old", "new")
        let begin = SystemClock.monotonicNanoseconds()
        try connection.ask(.unlock(), secrets: MessageSecrets(try SecretBytes(text: present)))
        let kdf = seconds(since: begin)
        for size in [1000, 10_000, 100_000] where size <= (sizes.max() ?? 0) {
            while locked < size {
                var head = ImportedNoteHead(source: "locked:\(locked)")
                head.isLocked = true
                try connection.ask(.importNote(head), body: Array(text.note(locked).utf8))
                locked += 1
                if locked % 1000 == 0 { try connection.ask(.touch) }
            }
            var times: [Double] = []
            for _ in 0..<3 {
                let secrets = MessageSecrets(try SecretBytes(text: present), try SecretBytes(text: next))
                let start = SystemClock.monotonicNanoseconds()
                try connection.ask(.changePassphrase(hint: nil), secrets: secrets)
                times.append(seconds(since: start))
                swap(&present, &next)
            }
            say(
                String(
                    format: "change of the passphrase over %d locked notes: %.2f s (median of 3); one KDF run %.2f s",
                    size,
                    times.sorted()[1], kdf))
        }
    }

    /// A note with 100 MiB of saved pages is locked; beside it what AES-GCM alone takes on one core.
    private func attachments() throws {
        let connection = try connect()
        let size = 100 << 20
        // What a file is follows from its bytes.
        let head = Array("<!DOCTYPE html><!-- saved from url=(0020)https://example.org/ -->".utf8)
        let chunk = head + [UInt8](repeating: 32, count: 1 << 20)
        let key = SymmetricKey(size: .bits256)
        let start = SystemClock.monotonicNanoseconds()
        try chunk.withUnsafeBytes { bytes in
            for _ in 0..<100 { _ = try AES.GCM.seal(bytes, using: key) }
        }
        let raw = Double(size) / seconds(since: start) / 1e6
        var rates: [Double] = []
        for _ in 0..<3 {
            let (reply, _) = try connection.ask(.create(NewNote()), body: Array("# With pictures".utf8))
            guard case .note(let note) = reply else { return }
            for number in 0..<10 {
                var left = 20
                let new = NewAttachment(name: "\(number).html", kind: .website, mediaType: "text/html")
                try connection.ask(.attach(id: note.id, new), hasBody: true) {
                    left -= 1
                    return left < 0 ? nil : Array(chunk[..<MessageFrame.bodyPart])
                } receive: { _ in
                }
            }
            let begin = SystemClock.monotonicNanoseconds()
            try connection.ask(.lock(id: note.id))
            rates.append(Double(size) / seconds(since: begin) / 1e6)
        }
        let ours = rates.sorted()[1]
        say(
            String(
                format:
                    "lock a note with 100 MiB of attachments: %.0f MB/s (median of 3); AES-GCM alone %.0f MB/s: %.0f %%",
                ours, raw, ours / raw * 100))
    }
}

/// Texts of notes, the same in every run: words by their rank, as in a language.
struct BenchText: Sendable {
    private let words: [String]

    init() {
        let syllables = [
            "ba", "ke", "lo", "mi", "nu", "ra", "se", "ti", "vo", "zu", "dra", "ste", "pli", "gro", "an", "er",
        ]
        words = (0..<8000).map { number in
            syllables[number % 16] + syllables[number / 16 % 16] + (number >= 256 ? syllables[number / 256 % 16] : "")
                + (number >= 4096 ? syllables[number / 4096 % 16] : "")
        }
    }

    private func word(_ seed: UInt64) -> String {
        var value = seed &* 0x9E37_79B9_7F4A_7C15
        value ^= value >> 29
        let fraction = Double(value >> 11) / Double(1 << 53)
        return words[min(words.count - 1, Int(Double(words.count) * fraction * fraction * fraction))]
    }

    /// About a hundred words.
    func note(_ number: Int) -> String {
        var lines = ["# \(word(UInt64(number) &* 3 &+ 1)) \(number)"]
        for paragraph in 0..<4 {
            let seeds = (0..<25).map { UInt64(number) &* 1009 &+ UInt64(paragraph * 31 + $0) &* 7919 &+ 17 }
            lines.append(seeds.map(word).joined(separator: " "))
        }
        return lines.joined(separator: "\n\n")
    }

    /// One rare word and a beginning, by turns.
    func query(_ number: Int) -> String {
        let rare = words[2000 + number * 37 % 5000]
        return number % 2 == 0 ? rare : String(rare.prefix(5))
    }
}
