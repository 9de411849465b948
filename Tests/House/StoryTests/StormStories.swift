import Conformance
import DiaryClient
import Foundation
import NotesClient
import Protection
import ResidentClient
import Secrets
import Synchronization
import Testing
import Thoroughness
import Wire

/// Lists, exports and searches while another client edits, adds and deletes: what was there from the first moment to the
/// last is in every answer, and once.
///
/// `TRESOR_STORM` asks for another number of changes than 2,000; in a quick run they end once each has looked some times.
@Suite(.serialized) struct StormStories {
    private static let changes = Int(ProcessInfo.processInfo.environment["TRESOR_STORM"] ?? "") ?? 2000
    /// How often each way looks before the changes end.
    private static let enough = Thoroughness.count(4, soak: .max)
    private let device: LiveDevice

    init() throws { device = try LiveDevice() }

    /// The other client: a number of changes, one after the other, on a thread of its own.
    private final class Storm: @unchecked Sendable {
        private let total: Int
        private let change: (Int) throws -> Void
        private let done = Atomic(0)
        private let failure = Mutex<(any Error)?>(nil)
        private let over = DispatchSemaphore(value: 0)
        private let hasEnded = Atomic(false)
        private let isEnough = Atomic(false)

        init(_ total: Int, _ change: @escaping (Int) throws -> Void) {
            self.total = total
            self.change = change
            Thread { [self] in run() }.start()
        }

        private func run() {
            for number in 0..<total where !isEnough.load(ordering: .relaxed) {
                do { try change(number) } catch {
                    failure.withLock { $0 = error }
                    break
                }
                done.add(1, ordering: .relaxed)
            }
            hasEnded.store(true, ordering: .relaxed)
            over.signal()
        }

        var count: Int { done.load(ordering: .relaxed) }
        var isGoingOn: Bool { !hasEnded.load(ordering: .relaxed) }

        /// Lets no change follow the one under way.
        func stop() { isEnough.store(true, ordering: .relaxed) }

        func end() throws {
            over.wait()
            if let error = failure.withLock({ $0 }) { throw error }
        }
    }

    /// Looks as long as the storm lasts, each way in turn, and each way three times at least.
    private func look(_ storm: Storm, _ ways: [(name: String, look: () throws -> Void)]) throws {
        var looks: [String: Int] = [:]
        var number = 0
        while storm.isGoingOn || number < 3 * ways.count {
            let way = ways[number % ways.count]
            try way.look()
            if storm.isGoingOn { looks[way.name, default: 0] += 1 }
            if ways.allSatisfy({ looks[$0.name, default: 0] >= Self.enough }) { storm.stop() }
            number += 1
        }
        try storm.end()
        print("\(storm.count) changes; answers meanwhile: \(looks.sorted { $0.key < $1.key })")
        #expect(looks.count == ways.count, "each was asked beside changes")
    }

    /// So that a list is longer than what waits between two programs: its end is read later than its beginning.
    private static let tags = (0..<10).map { "tag-\($0)-" + String(repeating: "x", count: 60) }

    /// Whether those that are kept are all there, once.
    private func expect(_ kept: [String], in found: [String], _ way: String) {
        let counts = Dictionary(found.map { ($0, 1) }, uniquingKeysWith: +)
        let (missing, doubled) = (kept.count { counts[$0] == nil }, counts.values.count { $0 > 1 })
        #expect(missing == 0 && doubled == 0, "\(way) of \(found.count): \(missing) missing, \(doubled) doubled")
    }

    private struct Identity: Decodable { let id: String }

    private func identities(_ outcome: LiveDevice.Outcome) throws -> [String] {
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try JSONDecoder().decode([Identity].self, from: outcome.output).map(\.id)
    }

    @Test func `notes`() throws {
        let connection = try device.notesConnection()
        func make(_ text: String) throws -> String {
            let new = NewNote(tags: Self.tags)
            guard case .note(let note) = try connection.ask(.create(new), body: Array(text.utf8)).reply else {
                throw LiveDevice.NotesConnectionProblem()
            }
            return note.id
        }
        let kept = try (0..<600).map { try make("# Kept \($0)\n\n\($0 < 150 ? "an oak" : "a birch")\n") }
        let texts = Dictionary(uniqueKeysWithValues: zip(kept, 0...))
        let other = try device.notesConnection()
        let state = Mutex(try (0..<40).map { try make("# Passing \($0)\n") })
        let storm = Storm(Self.changes) { number in
            switch number % 4 {
            case 0, 1:
                // An edit puts it at the head of all lists.
                let id = kept[(number * 7919) % kept.count]
                try other.ask(.pin(id: id, isPinned: number % 8 == 0))
                guard case .note(let note) = try other.ask(.find(id: id)).reply, let place = texts[id] else { return }
                let text = "# Kept \(place)\n\n\(place < 150 ? "an oak" : "a birch")\n\nchange \(number)\n"
                try other.ask(.edit(id: id, base: note.revision), body: Array(text.utf8))
            case 2:
                let text = Array("# Passing \(number)\n".utf8)
                guard case .note(let note) = try other.ask(.create(NewNote()), body: text).reply else { return }
                state.withLock { $0.append(note.id) }
            default:
                let id = state.withLock { $0.removeFirst() }
                try other.ask(.delete(id: id, forever: false))
            }
        }
        var exports = 0
        try look(
            storm,
            [
                ("list", { expect(kept, in: try identities(device.notes("list", "--json")), "list") }),
                (
                    "search",
                    {
                        let found = try identities(device.notes("search", "--json", "--limit", "200", "oak"))
                        expect(Array(kept.prefix(150)), in: found, "search")
                    }
                ),
                (
                    "export",
                    {
                        exports += 1
                        let folder = device.folder + "-storm-\(exports)"
                        defer { try? FileManager.default.removeItem(atPath: folder) }
                        let outcome = try device.notes("export", folder)
                        #expect(outcome.code == 0, "\(outcome.errors)")
                        let files = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
                        let found = files.compactMap { name -> String? in
                            let text = (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? ""
                            return text.firstMatch(of: /\nid: ([0-9a-f]{32})\n/).map { String($0.output.1) }
                        }
                        expect(kept, in: found, "export")
                    }
                ),
            ])
    }

    @Test func `the diary`() throws {
        try device.openDiary()
        let connection = try device.diaryConnection()
        func head(_ number: Int) -> EntryHead {
            var head = EntryHead(date: 1_600_000_000_000_000 + Int64(number) * 3_600_000_000, timeZone: "Europe/Oslo")
            head.tags = Self.tags
            return head
        }
        func make(_ text: String, _ number: Int) throws -> String {
            let body = Array(text.utf8)
            let made = try connection.ask(.create(NewEntry(head: head(number))), body: body).reply
            guard case .entry(let entry) = made else { throw LiveDevice.NotesConnectionProblem() }
            return entry.id
        }
        let kept = try (0..<600).map { try make("kept \($0) \($0 < 150 ? "an oak" : "a birch")\n", $0) }
        let other = try device.diaryConnection()
        let state = Mutex(try (0..<40).map { try make("passing \($0)\n", 10_000 + $0) })
        let storm = Storm(Self.changes) { number in
            switch number % 4 {
            case 0, 1:
                let place = (number * 7919) % kept.count
                guard case .entry(let entry) = try other.ask(.find(id: kept[place])).reply else { return }
                let text = Array("kept \(place) \(place < 150 ? "an oak" : "a birch") \(number)\n".utf8)
                // Another day, so another place in all lists.
                let moved = head((place * 31 + number) % 5000)
                try other.ask(
                    .edit(id: kept[place], base: entry.revision, head: moved, media: [], isDraft: false), body: text)
            case 2:
                let new = NewEntry(head: head(20_000 - number))
                guard case .entry(let entry) = try other.ask(.create(new), body: Array("passing\n".utf8)).reply else {
                    return
                }
                state.withLock { $0.append(entry.id) }
            default:
                let id = state.withLock { $0.removeFirst() }
                try other.ask(.delete(id: id, forever: false))
            }
        }
        var exports = 0
        try look(
            storm,
            [
                ("list", { expect(kept, in: try identities(device.diary("list", "--json")), "list") }),
                (
                    "search",
                    {
                        let found = try identities(device.diary("search", "--json", "--limit", "1000", "oak"))
                        expect(Array(kept.prefix(150)), in: found, "search")
                    }
                ),
                (
                    "export",
                    {
                        exports += 1
                        let folder = device.folder + "-storm-\(exports)"
                        defer { try? FileManager.default.removeItem(atPath: folder) }
                        let outcome = try device.diary("export", "--format", "markdown", folder)
                        #expect(outcome.code == 0, "\(outcome.errors)")
                        let files = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
                        let found = files.compactMap { name -> String? in
                            let text = (try? String(contentsOfFile: folder + "/" + name, encoding: .utf8)) ?? ""
                            return text.firstMatch(of: /kept ([0-9]+) a/).map { kept[Int($0.output.1) ?? 0] }
                        }
                        expect(kept, in: found, "export")
                    }
                ),
            ])
    }

    @Test func `the keychain`() throws {
        let rows = (0..<600).map { "kept,https://kept\($0).example,user,secret\($0)," }
        let csv = "name,url,username,password,note\n" + rows.joined(separator: "\n") + "\n"
        let passing = (0..<40).map { "passing,https://passing\($0).example,user,secret," }.joined(separator: "\n")
        let imported = try device.run("keychain", "import", "-", input: Data((csv + passing + "\n").utf8))
        #expect(imported.code == 0, "\(imported.errors)")
        let transport = try device.connect()
        let kept = (0..<600).map { "kept\($0).example" }
        func query(_ server: String) -> KeychainQuery {
            var query = KeychainQuery(kind: .internetPassword)
            query.attributes[.server] = .string(server)
            query.attributes[.accessGroup] = .string(AccessGroup.owner)
            return query
        }
        func ask(_ request: consuming KeychainRequest) throws {
            try transport.exchange(request) { payload in
                var reader = ByteReader(payload)
                if try KeychainReply.header(&reader).tag == .error { throw try KeychainError(from: &reader) }
            }
        }
        let storm = Storm(Self.changes) { number in
            switch number % 4 {
            case 0, 1:
                var changes = Attributes()
                changes[.comment] = .string("change \(number)")
                let query = query(kept[(number * 7919) % kept.count])
                try ask(.update(ItemUpdate(query: query, changes: changes, secret: nil)))
            case 2:
                let attributes = query("passing\(40 + number / 4).example").attributes
                let kind = ItemKind.internetPassword.code
                let secret = try SecretBytes(text: "secret")
                try ask(.add(ItemAddition(kind: kind, attributes: attributes, secret: secret)))
            default: try ask(.remove(query("passing\(number / 4).example")))
            }
        }
        try look(
            storm,
            [
                (
                    "list",
                    {
                        struct Listed: Decodable { let server: String? }
                        let outcome = try device.run("keychain", "list", "--json")
                        #expect(outcome.code == 0, "\(outcome.errors)")
                        let listed = try JSONDecoder().decode([Listed].self, from: outcome.output)
                        expect(kept, in: listed.compactMap(\.server), "list")
                    }
                ),
                (
                    "export",
                    {
                        let outcome = try device.run("keychain", "export", "-")
                        #expect(outcome.code == 0, "\(outcome.errors)")
                        let found = outcome.text.split(separator: "\n").compactMap { line in
                            line.firstMatch(of: /https:\/\/([a-z0-9.]+)/).map { String($0.output.1) }
                        }
                        expect(kept, in: found, "export")
                    }
                ),
            ])
    }
}
