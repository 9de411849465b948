import Testing

@testable import Widgets

/// What renderers add is said in the words that a frame brings.
@Suite struct RenderWording {
    private static let german: Wording = {
        var wording = Wording()
        (wording.hidden, wording.redacted) = ("verborgen", ", verborgen")
        (wording.placeholder, wording.unavailable) = (", gesperrt", ", hier nicht verfügbar")
        (wording.waiting, wording.on) = (", noch nichts", "an")
        return wording
    }()

    private static func frame(_ family: WidgetFamily, _ state: Frame.State) -> Frame {
        var frame = RenderSamples.frame(family, state) {
            VStack {
                Text("Notizen").unredacted()
                Text("geheim").privacySensitive()
            }.redacted(reason: .privacy)
        }
        frame.wording = german
        return frame
    }

    private static let states: [(Frame.State, String)] = [
        (.redacted, "Notes, verborgen"), (.placeholder, "Notes, gesperrt"),
        (.unavailable, "Notes, hier nicht verfügbar"), (.waiting, "Notes, noch nichts"),
    ]

    @Test func `text has the words of its frame`() {
        #expect(PlainTextRenderer.render(Self.frame(.accessoryInline, .redacted)) == "Notizen · verborgen")
        #expect(PlainTextRenderer.render(Self.frame(.systemSmall, .redacted)) == "Notizen\nverborgen")
        for (state, title) in Self.states.dropFirst() {
            #expect(PlainTextRenderer.render(Self.frame(.accessoryInline, state)) == "📝 " + title)
        }
    }

    @Test(arguments: states) func `pages, trees and drawings have them too`(_ state: Frame.State, _ title: String) {
        let frame = Self.frame(.systemSmall, state)
        #expect(HTMLRenderer.render(frame).contains("aria-label=\"\(title)\""))
        #expect(JSONRenderer.render(frame).contains("\"title\":\"\(title)\""))
        #expect(SVGRenderer.render(frame).contains("<title>\(title)</title>"))
        for text in [HTMLRenderer.render(frame), JSONRenderer.render(frame), SVGRenderer.render(frame)] {
            #expect(!text.contains("hidden\"") && !text.contains(">hidden"))
        }
    }

    @Test func `a toggle is told in them, and a mask is spoken in them`() {
        var frame = RenderSamples.frame { Toggle(isOn: true) { Text("Milch") } }
        frame.wording = Self.german
        #expect(SVGRenderer.render(frame).contains("<desc>Milch, an</desc>"))
        let spoken = HTMLRenderer.render(Self.frame(.systemSmall, .redacted))
        #expect(spoken.contains("<span class=\"spoken\">verborgen</span>"))
    }

    @Test func `a frame's form as bytes has no words of renderers`() throws {
        let frame = Self.frame(.systemSmall, .redacted)
        var english = frame
        english.wording = Wording()
        #expect(try frame.encode() == english.encode())
        #expect(try Frame(decoding: frame.encode()) == english)
    }
}
