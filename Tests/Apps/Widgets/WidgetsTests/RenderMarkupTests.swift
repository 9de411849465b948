import Foundation
import Testing

@testable import Widgets

@Suite struct RenderMarkup {
    @Test func `JSON is the neutral tree, its keys in one order`() throws {
        let frame = RenderSamples.frame(.systemSmall) {
            VStack {
                Text("a \"b\"\nc").foreground(.warning)
                Gauge(1, of: 4, style: .circular)
                Text("x").widgetURL("https://example.org")
                Text("y").widgetURL("file:///etc/passwd").accessibilityLabel("why")
                Text("z").redacted(reason: .placeholder)
            }
        }
        let json = JSONRenderer.render(frame)
        #expect(
            json
                == #"{"version":1,"kind":"notes.recent","name":"Notes","symbol":"note","family":"systemSmall","#
                + #""state":"shown","luminanceReduced":false,"title":"Notes","#
                + #""text":"a \"b\" c · ◔ 25% · x · y · hidden","content":{"type":"stack","axis":"vertical","#
                + #""alignment":"leading","spacing":4,"children":["#
                + #"{"type":"text","text":"a \"b\"\nc","font":"body","tint":"warning","bold":false,"lineLimit":0,"#
                + #""dimmed":false},{"type":"gauge","style":"circular","thousandths":250,"dimmed":false,"label":"#
                + #"{"type":"stack","axis":"vertical","alignment":"leading","spacing":4,"children":[]}},"#
                + #"{"type":"link","url":"https://example.org","content":{"type":"text","text":"x","font":"body","#
                + #""tint":"primary","bold":false,"lineLimit":0,"dimmed":false}},"#
                + #"{"type":"labelled","label":"why","content":{"type":"text","text":"y","font":"body","#
                + #""tint":"primary","bold":false,"lineLimit":0,"dimmed":false}},"#
                + #"{"type":"mask","of":"text","font":"body","columns":1}]}}"#)
        let object = try RenderSamples.object(json)
        #expect(object["state"] as? String == "shown")
    }

    @Test func `HTML is semantic, without styles and scripts`() {
        let frame = RenderSamples.frame(.systemSmall) {
            VStack {
                Text("Title").font(.headline).lineLimit(1)
                Symbol(.pin, tint: .accent).accessibilityLabel("Pinned")
                Gauge(1, of: 4) { Text("done") }
                Toggle(isOn: true) { Text("on") }
                Image(RenderSamples.png, width: 20, height: 10, label: "A <loaf>")
                HStack {
                    Text("go"); Divider(); Spacer()
                }.widgetURL("https://example.org/?a=1&b=2")
                Text("z").redacted(reason: .placeholder)
            }
        }
        let wanted = """
            <article class="tresor-widget system-small shown" data-kind="notes.recent" aria-label="Notes">\
            <div class="stack vertical leading gap-4">\
            <strong class="text headline primary lines-1" dir="auto">Title</strong>\
            <div class="labelled" role="img" aria-label="Pinned">\
            <span class="symbol pin accent" aria-hidden="true">📌</span></div>\
            <div class="gauge linear"><div class="gauge-label" aria-hidden="true">\
            <span class="text body primary" dir="auto">done</span></div>\
            <meter class="bar" min="0" max="1000" value="250" aria-label="done">25%</meter></div>\
            <div class="toggle"><input type="checkbox" disabled="disabled" checked="checked" aria-label="on" />\
            <div class="toggle-label" aria-hidden="true"><span class="text body primary" dir="auto">on</span></div></div>\
            <img class="image" src="data:image/png;base64,iVBORw0KGgoAAQI=" width="20" height="10" alt="A &lt;loaf&gt;" />\
            <a class="link" href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer">\
            <div class="stack horizontal center gap-6"><span class="text body primary" dir="auto">go</span>\
            <hr class="divider" /><span class="spacer"></span></div></a>\
            <span class="mask mask-text body columns-4"><span class="spoken">hidden</span></span></div></article>
            """
        #expect(HTMLRenderer.render(frame) == wanted)
    }

    @Test func `a locked widget says so once, and its masks nothing`() {
        let small = RenderSamples.frame(.systemSmall, .placeholder, isDim: true) {
            Text("z").redacted(reason: .placeholder)
        }
        #expect(
            HTMLRenderer.render(small) == """
                <article class="tresor-widget system-small placeholder dim" data-kind="notes.recent" \
                aria-label="Notes, locked"><span class="spoken">Notes, locked</span>\
                <span class="mask mask-text body columns-4" aria-hidden="true"></span></article>
                """)
        let inline = RenderSamples.frame(.accessoryInline, .placeholder) { Text("z").redacted(reason: .placeholder) }
        #expect(HTMLRenderer.render(inline).contains(">Notes, locked</span></div></article>"))
        let elsewhere = RenderSamples.frame(.systemSmall, .unavailable) { Text("z") }
        #expect(HTMLRenderer.render(elsewhere).contains(">Notes, not available here</span></div></article>"))
        #expect(!HTMLRenderer.render(elsewhere).contains(">z<"))
    }

    @Test func `links lead to http, https and tresor only, and stand in no other`() {
        for url in [
            "javascript:alert(1)", "JAVASCRIPT:x", "data:text/html,x", "file:///x", " https://x", "https://x\n",
            "https",
            "https://x\"y", "vbscript:x", "//x", "tresor\u{0}:x", "https://é", "https:\\\\x", "",
        ] {
            #expect(SafeLink.url(url) == nil, "\(url)")
        }
        for url in ["http://x", "HTTPS://x/?q=1&r=%20#f", "tresor:note/1"] { #expect(SafeLink.url(url) == url) }
        let nested = RenderSamples.frame { HStack { Text("x").widgetURL("http://in") }.widgetURL("http://out") }
        let html = HTMLRenderer.render(nested)
        #expect(html.contains("http://out") && !html.contains("http://in"))
    }

    @Test func `the stylesheet is let in by its hash, and could not end its element`() throws {
        #expect(!HTMLRenderer.stylesheet.contains { $0 == "<" || $0 == "&" })
        let sum = Process()
        sum.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        let (input, output) = (Pipe(), Pipe())
        sum.standardInput = input
        sum.standardOutput = output
        try sum.run()
        try input.fileHandleForWriting.write(contentsOf: Data(HTMLRenderer.stylesheet.utf8))
        try input.fileHandleForWriting.close()
        let digits = Array(
            String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).prefix(64))
        sum.waitUntilExit()
        let hash = stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
        let text = Data(hash).base64EncodedString()
        #expect(HTMLRenderer.contentSecurityPolicy.contains("'sha256-\(text)'"), "sha256-\(text)")
    }
}
