import Testing
import Thoroughness

@testable import Widgets

/// The bytes of timelines and frames; specs/widget-timeline.md.
@Suite struct Codings {
    private static let family = WidgetFamily.systemSmall

    private func archive(_ view: Node) -> TimelineArchive {
        let entry = TimelineArchive.Entry(
            date: Moment(microseconds: 1_750_000_000_000_000), views: [(family: Self.family, view: view)])
        return TimelineArchive([entry], policy: .after(Moment(microseconds: -1)))
    }

    private func parts(_ view: Node) throws -> TimelineArchive.Parts { try archive(view).encode() }

    /// Decodes, and requires that what is accepted has no other form.
    @discardableResult private func isAccepted(_ parts: TimelineArchive.Parts) throws -> Bool {
        guard let archive = try? TimelineArchive(open: parts.open, secrets: parts.secrets) else { return false }
        try #require(try archive.encode() == parts)
        // What is accepted can be drawn, and the drawing sent.
        let family = archive.entries[0].views.first?.family ?? Self.family
        if let view = archive.view(family, at: Moment(seconds: 0)) {
            for reasons in [RedactionReasons(), .privacy, .placeholder] {
                let environment = ViewEnvironment(family: family, redactionReasons: reasons)
                let configuration = WidgetConfiguration(
                    kind: "k", displayName: "", summary: "", symbol: .key, families: [family], protection: .none)
                let root = Redaction.resolve(view, in: environment)
                let frame = Frame(configuration, family: family, state: .shown, root: root)
                try #require(try Frame(decoding: frame.encode()) == frame)
            }
        }
        return true
    }

    private var example: Node {
        VStack {
            Text("Balance").font(.headline)
            Reveal(Sealed("42")) {
                Text($0)
            } placeholder: {
                Text("—")
            }
        }.node
    }

    private let exampleOpen: [UInt8] =
        [1, 1] + [UInt8](repeating: 0xff, count: 8) + [0, 1, 0, 6, 0x37, 0x9d, 0xa0, 0x5b, 0x60, 0, 1, 0, 0, 0, 0, 36]
        + [6, 1, 0, 4, 0, 2] + [1, 0, 0, 0, 7] + Array("Balance".utf8) + [2, 0, 0, 0]
        + [11, 1] + [1, 0, 0, 0, 3, 0xe2, 0x80, 0x94, 1, 0, 0, 0]
    private let exampleSecrets: [UInt8] = [1, 0, 1, 0, 0, 0, 11] + [1, 0, 0, 0, 2, 0x34, 0x32, 1, 0, 0, 0]

    @Test func `the example of the specification`() throws {
        let parts = try parts(example)
        #expect(parts.open == exampleOpen)
        #expect(parts.secrets == exampleSecrets)
        #expect(try isAccepted(parts))
    }

    /// How many trees are mutated, and each how often.
    private static let trees = Thoroughness.count(60, soak: 200)
    private static let mutants = Thoroughness.count(25, soak: 100)

    @Test func `every cut and every byte behind the end is refused`() throws {
        var maker = TreeMaker(Seeded(7))
        for _ in 0..<Thoroughness.count(8, soak: 40) {
            let parts = try parts(maker.twins(depth: 3).first)
            #expect(try isAccepted(parts))
            for count in 0..<parts.open.count {
                #expect(throws: WidgetCodingError.self) {
                    try TimelineArchive(open: Array(parts.open[..<count]), secrets: nil)
                }
            }
            for count in 0..<parts.secrets.count {
                #expect(throws: WidgetCodingError.self) {
                    try TimelineArchive(open: parts.open, secrets: Array(parts.secrets[..<count]))
                }
            }
            for byte in [UInt8(0), 1, 255] {
                #expect(throws: WidgetCodingError.trailing) {
                    try TimelineArchive(open: parts.open + [byte], secrets: parts.secrets)
                }
                #expect(throws: WidgetCodingError.trailing) {
                    try TimelineArchive(open: parts.open, secrets: parts.secrets + [byte])
                }
            }
        }
    }

    @Test func `mutated timelines crash nothing, and what is accepted has one form`() throws {
        var (random, accepted) = (Seeded(11), 0)
        for number in 0..<Self.trees {
            var maker = TreeMaker(Seeded(UInt64(number)))
            let whole = try parts(maker.twins(depth: 3).first)
            for _ in 0..<Self.mutants {
                var mutated = whole
                for _ in 0...random.below(3) {
                    if random.chance(30) {
                        Self.mutate(&mutated.secrets, &random)
                    } else {
                        Self.mutate(&mutated.open, &random)
                    }
                }
                if try isAccepted(mutated) { accepted += 1 }
            }
        }
        #expect(accepted > Self.trees * Self.mutants / 200)
    }

    @Test func `mutated frames crash nothing, and what is accepted has one form`() throws {
        var (random, accepted) = (Seeded(12), 0)
        let configuration = WidgetConfiguration(
            kind: "k", displayName: "Name", summary: "", symbol: .key, families: [Self.family], protection: .none)
        for number in 0..<Self.trees {
            var maker = TreeMaker(Seeded(UInt64(number)))
            let root = Redaction.resolve(maker.twins(depth: 3).first, in: ViewEnvironment(family: Self.family))
            let whole = try Frame(configuration, family: Self.family, state: .shown, root: root).encode()
            for _ in 0..<Self.mutants {
                var mutated = whole
                for _ in 0...random.below(3) { Self.mutate(&mutated, &random) }
                guard let frame = try? Frame(decoding: mutated) else { continue }
                accepted += 1
                try #require(try frame.encode() == mutated)
            }
        }
        #expect(accepted > Self.trees * Self.mutants / 200)
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout Seeded) {
        guard !bytes.isEmpty else { return }
        let index = random.below(bytes.count)
        switch random.below(6) {
        case 0: bytes[index] = UInt8(random.below(256))
        case 1: bytes[index] ^= 1 << UInt8(random.below(8))
        case 2: bytes[index] &+= random.chance(50) ? 1 : 255
        case 3: bytes.insert(UInt8(random.below(14)), at: index)
        case 4: bytes.remove(at: index)
        default: bytes.removeSubrange(index..<min(bytes.count, index + 1 + random.below(8)))
        }
    }
}
