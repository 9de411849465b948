import Foundation
import Testing
import Widgets

@testable import WidgetPrograms

/// What a program's author is told.
@Suite struct Checks {
    private func check(_ entry: String, placeholder: String = #"{"text":"–"}"#, protection: String = "none") throws
        -> ProgramCheck
    {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        try entry.write(toFile: folder.path + "/entry", atomically: false, encoding: .utf8)
        try placeholder.write(toFile: folder.path + "/placeholder", atomically: false, encoding: .utf8)
        let program = try folder.program(
            "moon",
            """
            case $(cat) in
            *describe*) printf '{"protocol":1,"widgets":[{"kind":"phase","displayName":"Moon","summary":"Its phase.",'
                printf '"symbol":"star","families":["accessoryInline"],"protection":"\(protection)"}]}';;
            *timeline*) printf '{"entries":[{"date":7,"views":{"accessoryInline":'
                cat \(folder.path)/entry; printf '}}],"policy":"never"}';;
            *) printf '{"views":{"accessoryInline":'; cat \(folder.path)/placeholder; printf '}}';;
            esac
            """)
        return ProgramCheck(program, at: Moment(seconds: 1000))
    }

    private func hints(_ check: ProgramCheck) -> [String] {
        #expect(check.findings.allSatisfy { !$0.isRefusal })
        return check.findings.map(\.text)
    }

    @Test func `a good program has nothing to be told, and is drawn in three ways`() throws {
        let check = try check(
            #"{"hstack":[{"text":"Moon"},{"sealed":{"text":"waning"},"placeholder":{"text":"phase"}}]}"#,
            protection: "complete")
        #expect(hints(check) == [])
        let rendering = try #require(check.renderings.first)
        #expect(check.renderings.count == 1 && rendering.shown.kind == "moon.phase")
        #expect(rendering.shown.root.texts == ["Moon", "waning"])
        #expect(rendering.locked.root.texts == ["Moon"] && rendering.locked.root.hasMask)
        #expect(rendering.placeholder.root.texts == [] && rendering.placeholder.root.hasMask)
        #expect(rendering.locked.state == .redacted && rendering.placeholder.state == .placeholder)
    }

    @Test func `what anybody may see is pointed out`() throws {
        #expect(
            try hints(check(#"{"text":"full"}"#)).first?.hasPrefix("nothing in moon.phase is private or sealed, and")
                == true)
        let later = try check(#"{"text":"full"}"#, protection: "completeUntilFirstUserAuthentication")
        #expect(hints(later).first?.hasSuffix("while the device is locked all of it is shown") == true)
        #expect(try hints(check(#"{"text":"full"}"#, protection: "complete")) == [])
        #expect(try hints(check(#"{"text":"full","private":true}"#)) == [])
    }

    @Test func `what is hidden here and said there is pointed out, and not repeated`() throws {
        let wanted = "something that moon.phase in accessoryInline hides stands in its open part or its placeholder"
        let sealed = #"{"sealed":{"text":"marzipan"},"placeholder":{"text":"x"}}"#
        let leaks = [
            (#"{"hstack":[{"text":"It is marzipan"},"# + sealed + "]}", #"{"text":"–"}"#),
            (#"{"hstack":["# + sealed + #",{"symbol":"star","label":"marzipan"}]}"#, #"{"text":"–"}"#),
            (sealed, #"{"text":"marzipan","unredacted":true}"#),
        ]
        for (entry, placeholder) in leaks {
            let texts = try hints(check(entry, placeholder: placeholder))
            #expect(texts.contains { $0.hasPrefix(wanted) }, "\(texts)")
            #expect(!texts.joined().contains("marzipan"))
        }
        // Masked in both places.
        #expect(try hints(check(sealed, placeholder: #"{"text":"marzipan"}"#)) == [])
    }

    @Test func `what can't be heard or read is pointed out`() throws {
        let picture = #"{"image":{"base64":"iVBORw0KGgo=","width":9,"height":9},"private":false}"#
        let texts = try hints(check(picture, protection: "complete"))
        #expect(texts.count == 2 && texts[0].contains("no words") && texts[1].contains("no label"))
    }

    @Test func `what is refused is said once, with its place`() throws {
        let check = try check(#"{"text":"a","privat":true}"#)
        let place = "$.entries[0].views.accessoryInline"
        #expect(
            check.findings == [
                ProgramCheck.Finding(
                    isRefusal: true, text: "moon.phase, timeline: \(place): a member “privat” is not known here")
            ])
        #expect(check.renderings.isEmpty)
    }

    @Test func `a program that has nothing now is not refused`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let program = try folder.program(
            "moon",
            """
            case $(cat) in
            *describe*) printf '{"protocol":1,"widgets":[{"kind":"phase","displayName":"Moon","summary":"Its phase.",'
                printf '"symbol":"star","families":["accessoryInline"],"protection":"none"}]}';;
            *timeline*) echo '{"failure":"empty"}';;
            *) echo '{"views":{"accessoryInline":"spacer"}}';;
            esac
            """)
        let check = ProgramCheck(program, at: Moment(seconds: 1000))
        #expect(hints(check) == ["moon.phase, timeline: answers that it has nothing to show: empty"])
    }
}

/// The examples of the guide, really run.
@Suite struct Examples {
    static let hasPython = ["/usr/bin/python3", "/usr/local/bin/python3"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// A copy in a folder of its own, which is its home too.
    private func example(_ name: String, in folder: Folder) throws -> ExternalProgram {
        let text = try String(contentsOfFile: Folder.example(name), encoding: .utf8)
        try text.write(toFile: folder.path + "/example", atomically: false, encoding: .utf8)
        let interpreter = String(text.prefix { $0 != "\n" })
        return try folder.program(
            name, "exec env HOME=\(folder.path) TZ=UTC \(interpreter.dropFirst(2)) \(folder.path)/example")
    }

    @Test(.enabled(if: hasPython)) func `days-left hides which day is coming`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let program = try example("days-left", in: folder)
        let widget = try #require(program.describe().first)
        let now = Moment(seconds: 1_700_000_000)
        #expect(throws: ProgramError.failed(.empty)) { try program.timeline(widget, in: widget.families, at: now) }
        try "2023-11-17 Marzipan\n2023-11-20 Nougat\n".write(
            toFile: folder.path + "/days.txt", atomically: false, encoding: .utf8)
        let archive = try program.timeline(widget, in: widget.families, at: now)
        // 2023-11-14, midnight; an entry a day until the last of the days.
        let midnight = Moment(seconds: 1_699_920_000)
        #expect(archive.entries.map(\.date) == (0..<7).map { midnight.advanced(bySeconds: $0 * 86_400) })
        let check = ProgramCheck(program, at: now)
        #expect(check.findings == [])
        let tile = try #require(check.renderings.first)
        #expect(tile.shown.root.texts == ["3", "Marzipan"] && tile.locked.root.texts == [])
        #expect(Array(try archive.encode().open).firstRange(of: Array("Marzipan".utf8)) == nil)
    }

    @Test func `disk-space is for everybody`() throws {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let check = ProgramCheck(try example("disk-space", in: folder), at: Moment(seconds: 1_700_000_000))
        #expect(check.findings.map(\.isRefusal) == [false])
        let rendering = try #require(check.renderings.first)
        #expect(rendering.shown.root == rendering.locked.root && !rendering.shown.root.texts.isEmpty)
        guard case .labelled(let label, .gauge(.circular, let value, _, _)) = rendering.shown.root else {
            Issue.record("\(rendering.shown.root)")
            return
        }
        #expect(label == "Disk, \(value.thousandths / 10) % full")
    }
}
