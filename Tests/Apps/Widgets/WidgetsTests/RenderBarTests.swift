import Testing

@testable import Widgets

@Suite struct RenderBars {
    private let progress = RenderSamples.frame(.accessoryInline) {
        HStack {
            Symbol(.checklist)
            Gauge(3, of: 7) { Text("Tom & <Ann>'s").foreground(.critical) }
        }
    }

    @Test func `waybar gets markup that is text, and a percentage`() throws {
        let json = WaybarRenderer.render(progress)
        #expect(
            json
                == #"{"text":"☑ Tom &amp; &lt;Ann&gt;&#39;s 42%","tooltip":"Notes","#
                + #""alt":"shown","class":["notes-recent","shown","critical"],"percentage":42}"#)
        #expect(try RenderSamples.object(json)["percentage"] as? Int == 42)
    }

    @Test func `waybar says in words that a widget is locked, and has no figure then`() {
        let locked = RenderSamples.frame(.accessoryInline, .placeholder, isDim: true) { Gauge(1, of: 2) }
        #expect(
            WaybarRenderer.render(locked)
                == #"{"text":"📝 Notes, locked","tooltip":"Notes","alt":"placeholder","#
                + #""class":["notes-recent","placeholder","dim"]}"#)
        let redacted = RenderSamples.frame(.accessoryInline, .redacted) {
            HStack {
                Symbol(.pin); Text("x").redacted(reason: .placeholder)
            }
        }
        #expect(
            WaybarRenderer.render(redacted)
                == #"{"text":"📝 Notes, hidden","tooltip":"Notes","alt":"redacted","#
                + #""class":["notes-recent","redacted"]}"#)
    }

    @Test func `i3bar gets a protocol of one line each`() throws {
        #expect(I3barRenderer.header(receivesClicks: true) == "{\"version\":1,\"click_events\":true}\n[\n[]\n")
        let locked = RenderSamples.frame(.accessoryInline, .placeholder) { Text("x") }
        let line = I3barRenderer.line([progress, locked])
        let wanted = [
            ##"{"full_text":"☑ Tom & <Ann>'s 42%","short_text":"☑ Tom & <Ann>'s 42%","name":"tresor","##,
            ##""instance":"notes.recent/accessoryInline","color":"#ff7b72","urgent":true,"markup":"none"},"##,
            ##"{"full_text":"📝 Notes, locked","short_text":"📝 Notes, locked","name":"tresor","##,
            ##""instance":"notes.recent/accessoryInline","color":"#9a9a9a","urgent":false,"markup":"none"}"##,
        ]
        #expect(line == ",[" + wanted.joined() + "]\n")
        // What a bar has read when the stream ends is an array but for its end.
        let stream = I3barRenderer.header().drop { $0 != "\n" } + line + line + "]"
        _ = try RenderSamples.object("{\"all\":\(stream)}")
    }

    @Test func `tmux gets styles of ours and hashes that are letters`() {
        let frame = RenderSamples.frame(.accessoryInline) {
            HStack {
                Text("#[bg=red]#(id)").bold(); Text("plain"); Symbol(.warning, tint: .warning)
            }
        }
        #expect(
            TmuxRenderer.render(frame)
                == "#[bold]##[bg=red]##(id)#[default] plain #[fg=yellow]⚠#[default]")
        let last = RenderSamples.frame(.accessoryInline) { Text("C#") }
        #expect(TmuxRenderer.render(last) == "C###[default]")
    }
}
