import DiaryClient
import Foundation
import Fuzzing
import Secrets
import Testing
import Thoroughness
import Zones

@testable import Diary

/// Records behind their seals: what somebody with the keys, or a bug of ours, could put there.
@Suite struct DiaryRecords {
    private static func reference() throws -> AssetReference {
        var writer = ByteWriter()
        writer.identifier(.makeRandom())
        writer.raw([UInt8](repeating: 7, count: 32))
        writer.raw([UInt8](repeating: 9, count: 7))
        writer.uint64(1234)
        return try writer.bytes.withSpan { span in
            var reader = ByteReader(span)
            return try AssetReference(from: &reader)
        }
    }

    private static func media() throws -> EntryMedia {
        var file = EntryMedia(NewMedia(kind: .photo, name: "ü.jpg", mediaType: "image/jpeg"), original: try reference())
        file.facts.wallClock = -1
        file.facts.offsetMinutes = -210
        file.facts.latitude = 59.913
        file.facts.longitude = -10.752
        file.facts.camera = "Camera"
        file.thumbnail = try reference()
        return file
    }

    private static func headers() throws -> [[UInt8]] {
        var head = EntryHead(date: 1_700_000_000_000_000, timeZone: "Europe/Oslo")
        let plain = EntryHeader(head: head, created: .min)
        head.tags = ["one", "", "ü🗝"]
        head.mood = .great
        head.isStarred = true
        head.place = DiaryPlace(latitude: -90, longitude: 180, name: "End", country: "Nowhere")
        var full = EntryHeader(head: head, created: 1)
        full.isDraft = true
        full.deleted = 2
        full.source = "dayone:1"
        (full.opening, full.words) = ("Words", 7)
        var audio = EntryMedia(NewMedia(kind: .audio, name: "a", mediaType: ""), original: try reference())
        audio.problem = "none"
        full.media = [try media(), audio]
        return [plain.encoded, full.encoded]
    }

    private static func settings() -> [[UInt8]] {
        var changed = StoredSettings()
        changed.lockMinutes = 1440
        changed.locksOnResign = true
        return [StoredSettings().encoded, changed.encoded]
    }

    private static func roundTrip(_ kind: String, _ bytes: [UInt8]) throws -> [UInt8] {
        switch kind {
        case "header": try EntryHeader(from: bytes).encoded
        case "body": try EntryBody(from: bytes).encoded
        case "timeline": try TimelineSnapshot(from: bytes).encoded
        case "template": try StoredTemplate(from: bytes).encoded
        default: try StoredSettings(from: bytes).encoded
        }
    }

    @Test(arguments: ["header", "body", "settings", "timeline", "template"])
    func `mutated records are refused or canonical, and never crash a reader`(_ kind: String) throws {
        let samples =
            switch kind {
            case "header": try Self.headers()
            case "body": [EntryBody(text: "# Text\n\nü", foreign: "{}").encoded, EntryBody(text: "").encoded]
            case "template":
                [
                    StoredTemplate(DiaryTemplate(name: "Day", tags: ["a", "ü"]), text: "# {{date}}\n").encoded,
                    StoredTemplate(DiaryTemplate(name: "-"), text: "").encoded,
                ]
            case "timeline":
                [
                    TimelineSnapshot(sequence: 7, entries: [.makeRandom(), .makeRandom()]).encoded,
                    TimelineSnapshot(sequence: .max, entries: []).encoded,
                ]
            default: Self.settings()
            }
        for sample in samples { #expect(try Self.roundTrip(kind, sample) == sample) }
        let seed = UInt64.random(in: .min ... .max)
        var mutator = Mutator(seed: seed)
        var accepted = 0
        let count = Thoroughness.count(800, soak: 3000)
        for _ in 0..<count {
            let bytes = mutator.mutated(samples)
            guard let again = try? Self.roundTrip(kind, bytes) else { continue }
            accepted += 1
            guard again == bytes else {
                Issue.record("seed \(seed): \(Hexadecimal.encode(bytes)) encodes to \(Hexadecimal.encode(again))")
                return
            }
        }
        #expect(accepted > count / 300)
    }
}

/// What a client may say, and what it may not.
@Suite struct DiaryMessagesTests {
    @Test(arguments: [(59.9, 10.7, true), (90, -180, true), (500, 0, false), (0, 180.5, false)])
    func `a place on Earth is one, whoever says it`(_ latitude: Double, _ longitude: Double, _ isPlace: Bool) throws {
        let json = "{\"latitude\":\(latitude),\"longitude\":\(longitude),\"name\":\"x\"}"
        let place = try? JSONDecoder().decode(DiaryPlace.self, from: Data(json.utf8))
        #expect((place != nil) == isPlace)
        guard let place else { return }
        #expect(try JSONDecoder().decode(DiaryPlace.self, from: JSONEncoder().encode(place)) == place)
    }

    @Test func `the opening of a text is its first words, whatever they are`() {
        #expect(
            EntryHeader.beginning(of: "# Harbour\n\n![x](media:0) Boats and **rain**.").opening
                == "Harbour Boats and rain."
        )
        #expect(EntryHeader.beginning(of: "").opening.isEmpty)
        let endless = String(repeating: "ü", count: 2_000_000)
        #expect(EntryHeader.beginning(of: endless).opening.count == 120)
    }
}

/// The recovery key, as it is written down and typed in again.
@Suite struct RecoveryKeys {
    private func text(_ secret: borrowing SecretBytes) -> String {
        secret.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
    }

    private func secret(_ text: String) throws -> SecretBytes {
        try Array(text.utf8).withSpan { try SecretBytes(copying: $0) }
    }

    @Test func `a key is read as it was written, and as people type it`() throws {
        for _ in 0..<200 {
            let key = try RecoveryKey.makeRandom()
            let shown = text(try RecoveryKey.text(key))
            #expect(shown.utf8.count == 34 && shown.split(separator: "-").allSatisfy { $0.utf8.count == 4 })
            let typed = [
                shown, shown.lowercased(), shown.filter { $0 != "-" }, "  " + shown.replacingOccurrences("-", " "),
                shown.replacingOccurrences("0", "O").replacingOccurrences("1", "l"),
            ]
            for form in typed {
                let read = try RecoveryKey.parse(secret(form))
                switch read {
                case .some(let read):
                    let isSame = read.equals(key)
                    #expect(isSame, "\(form)")
                case .none: Issue.record("\(form) was not read")
                }
            }
        }
    }

    /// - Returns: whether it is read as a key.
    private func isKey(_ text: String) throws -> Bool {
        switch try RecoveryKey.parse(secret(text)) {
        case .some: true
        case .none: false
        }
    }

    @Test func `slips of the pen are seen`() throws {
        var (missed, slips) = (0, 0)
        for _ in 0..<100 {
            let digits = Array(text(try RecoveryKey.text(RecoveryKey.makeRandom())).filter { $0 != "-" })
            for place in 0..<27 where digits[place] != digits[place + 1] {
                var swapped = digits
                swapped.swapAt(place, place + 1)
                slips += 1
                if try isKey(String(swapped)) { missed += 1 }
            }
        }
        #expect(slips > 2000 && missed * 200 < slips)
        for wrong in ["", "ABCD", String(repeating: "0", count: 28), String(repeating: "U", count: 28), "é"] {
            #expect(try !isKey(wrong))
        }
    }
}

extension String {
    fileprivate func replacingOccurrences(_ old: Character, _ new: Character) -> String {
        String(map { $0 == old ? new : $0 })
    }
}
