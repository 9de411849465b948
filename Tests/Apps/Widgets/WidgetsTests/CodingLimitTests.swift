import ProcessorTime
import Testing

@testable import Widgets

/// What timelines and frames refuse, and that refusing costs nothing.
@Suite struct CodingLimits {
    private static let family = WidgetFamily.systemSmall

    private func archive(_ view: Node) -> TimelineArchive {
        TimelineArchive(
            [TimelineArchive.Entry(date: Moment(seconds: 0), views: [(family: Self.family, view: view)])],
            policy: .never)
    }

    /// A timeline of one view, as bytes that no archiver need have made.
    private func timeline(_ view: [UInt8]) -> [UInt8] {
        var writer = WidgetWriter()
        writer.bytes = [1, 2, 0, 1] + [UInt8](repeating: 0, count: 8) + [1, Self.family.rawValue]
        writer.field(view)
        return writer.bytes
    }

    private func refusal(_ open: [UInt8], _ secrets: [UInt8]? = nil) -> WidgetCodingError? {
        do {
            _ = try TimelineArchive(open: open, secrets: secrets)
            return nil
        } catch { return error }
    }

    private func choice(_ indices: [UInt8], count: UInt8) -> [UInt8] {
        let dividers = [UInt8](repeating: NodeTag.divider.rawValue, count: Int(count))
        return [NodeTag.choice.rawValue] + indices + [0, count] + dividers
    }

    @Test func `nodes lie at most 64 deep, however they got there`() throws {
        func nested(_ depth: Int) -> Node {
            (1..<depth).reduce(Node.divider) { node, _ in .modified(.privacySensitive(true), node) }
        }
        #expect(try archive(nested(64)).encode().open.count > 64)
        #expect(throws: WidgetCodingError.tooLarge) { try archive(nested(65)).encode() }
        let bytes = [UInt8]([10, 0, 1])
        #expect(refusal(timeline([UInt8](repeatElement(bytes, count: 63).joined()) + [8])) == nil)
        #expect(refusal(timeline([UInt8](repeatElement(bytes, count: 64).joined()) + [8])) == .tooLarge)
        #expect(refusal(timeline([UInt8](repeatElement(bytes, count: 1_000_000).joined()) + [8])) == .tooLarge)
        // A secret lies as deep as its place.
        let sealed = Node.sealed(nested(40), placeholder: .divider)
        func around(_ depth: Int, _ node: Node? = nil) -> Node {
            (0..<depth).reduce(node ?? sealed) { node, _ in .group([node]) }
        }
        let parts = try archive(around(23)).encode()
        #expect(try TimelineArchive(open: parts.open, secrets: parts.secrets).encode() == parts)
        #expect(throws: WidgetCodingError.tooLarge) { try archive(around(24)).encode() }
        #expect(
            refusal(try archive(around(40, .sealed(.divider, placeholder: .divider))).encode().open, parts.secrets)
                == .tooLarge)
        // So does what a reader gives, and readers in readers without end.
        #expect(throws: WidgetCodingError.tooLarge) { try archive(Self.endless()).encode() }
    }

    private static func endless() -> Node { .reader { _ in endless() } }

    @Test func `a view has at most 4,000 nodes, its secrets among them`() throws {
        func row(_ count: Int) -> Node { .group([Node](repeating: .divider, count: count)) }
        #expect(refusal(try archive(row(3999)).encode().open) == nil)
        #expect(throws: WidgetCodingError.tooLarge) { try archive(row(4000)).encode() }
        let half = Node.sealed(row(1997), placeholder: .divider)
        let parts = try archive(.stack(.vertical, .leading, spacing: 0, [half, row(1998)])).encode()
        #expect(refusal(parts.open, parts.secrets) == nil)
        #expect(throws: WidgetCodingError.tooLarge) { try archive(.group([half, row(1999)])).encode() }
    }

    @Test func `a timeline has at most 200,000 nodes, so that it takes no more memory than it should`() throws {
        let row = Node.group([Node](repeating: .divider, count: 3999))
        func archive(_ count: Int) -> TimelineArchive {
            let entry = TimelineArchive.Entry(date: Moment(seconds: 0), views: [(family: Self.family, view: row)])
            return TimelineArchive([TimelineArchive.Entry](repeating: entry, count: count), policy: .never)
        }
        let open = try archive(50).encode().open
        #expect(refusal(open) == nil)
        #expect(throws: WidgetCodingError.tooLarge) { try archive(51).encode() }
        // One entry more, by hand.
        let entry = open[4..<4 + (open.count - 4) / 50]
        #expect(refusal([1, 2, 0, 51] + open[4...] + entry) == .tooLarge)
    }

    @Test func `counts and lengths beyond what follows are refused before anything is made room for`() {
        let time = ProcessorTime.of {
            for _ in 0..<1000 {
                #expect(refusal(timeline([7, 0x0f, 0xa0])) == .truncated)
                #expect(refusal(timeline([7, 0xff, 0xff])) == .tooLarge)
                #expect(refusal(timeline([1, 0, 0, 0x40, 1])) == .tooLarge)
                #expect(refusal(timeline([1, 0, 0, 0x40, 0])) == .truncated)
                #expect(refusal(timeline([2, 0xff, 0xff, 0xff, 0xff])) == .tooLarge)
                #expect(refusal([1, 2, 0xff, 0xff]) == .tooLarge)
                #expect(refusal(timeline([8]), [1, 0xff, 0xff]) == .tooLarge)
                #expect(refusal(timeline([8]), [1, 0x0f, 0xa0]) == .truncated)
            }
        }
        #expect(time < .seconds(5))
        #expect(refusal([UInt8](repeating: 1, count: WidgetLimit.timelineBytes + 1)) == .tooLarge)
    }

    @Test func `secrets are as many as the places`() throws {
        let sealed = Node.sealed(.divider, placeholder: .spacer)
        let (one, two) = (try archive(sealed).encode(), try archive(.group([sealed, sealed])).encode())
        #expect(refusal(one.open, two.secrets) == .invalid)
        #expect(refusal(two.open, one.secrets) == .invalid)
        #expect(refusal(one.open, one.secrets) == nil && refusal(one.open) == nil)
    }

    @Test func `a choice names each of its nodes, in their order`() {
        let zeros = [UInt8](repeating: 0, count: 48)
        #expect(refusal(timeline(choice(zeros, count: 1))) == nil)
        #expect(refusal(timeline(choice([0, 1, 0, 2] + zeros[4...], count: 3))) == nil)
        #expect(refusal(timeline(choice(zeros, count: 2))) == .invalid)
        #expect(refusal(timeline(choice(zeros, count: 0))) == .invalid)
        #expect(refusal(timeline(choice([1] + zeros[1...], count: 2))) == .invalid)
        #expect(refusal(timeline(choice([0, 2, 1] + zeros[3...], count: 3))) == .invalid)
        #expect(refusal(timeline(choice([0, 255] + zeros[2...], count: 2))) == .invalid)
    }

    @Test func `values that no writer writes are refused`() {
        // Tag, font, tint, bold, axis, alignment, modifier, reasons, bool, UTF-8, gauge, symbol, picture of no width.
        let hostile: [[UInt8]] = [
            [0], [13], [255], [1, 0, 0, 0, 0, 6, 0, 0, 0], [1, 0, 0, 0, 0, 0, 6, 0, 0], [1, 0, 0, 0, 0, 0, 0, 2, 0],
            [6, 3, 0, 0, 0, 0], [6, 0, 3, 0, 0, 0], [10, 6, 8], [10, 1, 8, 8], [10, 0, 2, 8], [11, 2, 8],
            [1, 0, 0, 0, 1, 0xff, 0, 0, 0, 0], [4, 2, 0, 0, 8], [4, 0, 0x03, 0xe9, 8], [5, 2, 8], [3, 16, 0],
            [2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0x03, 0xe9, 0, 1, 0, 0, 0, 0],
        ]
        for view in hostile { #expect(refusal(timeline(view)) == .invalid, "\(view)") }
        #expect(refusal(timeline([8, 8])) == .trailing)
        #expect(refusal([2, 2, 0, 1]) == .invalid && refusal([1, 3, 0, 1]) == .invalid)
        #expect(refusal([1, 2, 0, 0]) == .invalid && refusal([]) == .truncated)
    }

    @Test func `entries stand by date, a view once for each size`() throws {
        func entry(_ second: Int64, _ families: [WidgetFamily]) -> TimelineArchive.Entry {
            TimelineArchive.Entry(
                date: Moment(seconds: second), views: families.map { (family: $0, view: .text(TextRun("\(second)"))) })
        }
        let archive = TimelineArchive(
            [entry(2, [.systemLarge, .systemSmall]), entry(1, [.systemSmall, .systemSmall])], policy: .never)
        #expect(archive.entries.map { $0.date } == [Moment(seconds: 1), Moment(seconds: 2)])
        #expect(archive.entries.map { $0.views.map { $0.family } } == [[.systemSmall], [.systemSmall, .systemLarge]])
        let parts = try archive.encode()
        #expect(try TimelineArchive(open: parts.open, secrets: parts.secrets).encode() == parts)
        var disordered = archive
        disordered.entries.reverse()
        #expect(throws: WidgetCodingError.invalid) { try disordered.encode() }
        disordered = archive
        disordered.entries[1].views.reverse()
        #expect(throws: WidgetCodingError.invalid) { try disordered.encode() }
        disordered.entries[1].views = (0..<300).map { _ in (family: .systemSmall, view: .divider) }
        #expect(throws: WidgetCodingError.invalid) { try disordered.encode() }
        #expect(throws: WidgetCodingError.tooLarge) { try TimelineArchive([], policy: .never).encode() }
        let many = [TimelineArchive.Entry](repeating: entry(1, [.systemSmall]), count: 1001)
        #expect(throws: WidgetCodingError.tooLarge) { try TimelineArchive(many, policy: .never).encode() }
    }

    @Test func `moments beyond the end of time are its end`() {
        #expect(Moment(seconds: .max).microseconds == .max && Moment(seconds: .min).microseconds == .min)
        #expect(Moment(microseconds: .max).advanced(bySeconds: 1).microseconds == .max)
        #expect(Moment(microseconds: .min).advanced(bySeconds: -1).microseconds == .min)
        #expect(Moment(seconds: 5).advanced(bySeconds: -7) == Moment(seconds: -2))
    }

    @Test func `six readers in each other with a reason between each make no more than their variants`() throws {
        var view: Node = .text(TextRun("x"))
        for level in 0..<6 {
            let inner = view
            view = .reader { environment in
                let reasons = RedactionReasons(
                    rawValue: environment.redactionReasons.rawValue ^ UInt8(1 << (level % 3)))
                return .group([.modified(.redacted(reasons), inner), .modified(.unredacted, inner)])
            }
        }
        let time = try ProcessorTime.of {
            let parts = try archive(view).encode()
            #expect(refusal(parts.open, parts.secrets) == nil)
        }
        #expect(time < .seconds(10))
    }
}
