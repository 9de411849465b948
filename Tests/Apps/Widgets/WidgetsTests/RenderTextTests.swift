import Testing

@testable import Widgets

@Suite struct RenderText {
    @Test func `every sort of node has its words, one below the other`() {
        let wanted = """
            📌 Shopping
            3 of 7 42%
            ◕ 75%
            ───────────
            ☑ Milk
            ☐ Bread
            🖼 A loaf
            below
            above
            open
            stale
            hidden
            """
        let text = PlainTextRenderer.render(RenderSamples.everything(.systemLarge), columns: 30)
        #expect(text == wanted)
    }

    @Test func `an inline frame is one line`() {
        let line =
            "📌 Shopping · 3 of 7 42% · ◕ 75% · ☑ Milk · ☐ Bread · 🖼 A loaf · below above · open · stale · hidden"
        #expect(PlainTextRenderer.render(RenderSamples.everything(.accessoryInline)) == line)
        #expect(PlainTextRenderer.render(RenderSamples.everything(.accessoryCircular), columns: 14) == "📌 Shopping ·…")
    }

    @Test func `what is not there has a reason in words`() {
        let view = VStack {
            Text("Notes").unredacted(); Text("secret").privacySensitive()
        }.redacted(reason: .privacy)
        #expect(PlainTextRenderer.render(RenderSamples.frame(.accessoryInline, .redacted) { view }) == "Notes · hidden")
        #expect(PlainTextRenderer.render(RenderSamples.frame(.systemSmall, .redacted) { view }) == "Notes\nhidden")
        for family in WidgetFamily.allCases {
            #expect(PlainTextRenderer.render(RenderSamples.frame(family, .placeholder) { view }) == "📝 Notes, locked")
            #expect(
                PlainTextRenderer.render(RenderSamples.frame(family, .unavailable) { view })
                    == "📝 Notes, not available here")
            let hidden = RenderSamples.frame(family, .redacted) { Text("x").redacted(reason: .placeholder) }
            #expect(PlainTextRenderer.render(hidden) == "📝 Notes, hidden")
        }
        let long = RenderSamples.frame(.accessoryInline, .placeholder, name: "Everything I ever wrote") { view }
        #expect(PlainTextRenderer.render(long, columns: 20) == "📝 Everythi…, locked")
    }

    @Test func `a placeholder shows what its author lets everybody see`() {
        let frame = RenderSamples.frame(.systemSmall, .placeholder) {
            VStack {
                Text("App").unredacted(); Text("x")
            }.redacted(reason: .placeholder)
        }
        #expect(PlainTextRenderer.render(frame) == "📝 Notes, locked\nApp")
    }

    @Test func `rows stand side by side, spacers take the rest, and long words break`() {
        let row = RenderSamples.frame {
            HStack {
                VStack {
                    Text("12"); Text("days")
                }
                Divider()
                Text("no")
                Spacer()
                Text("end")
            }
        }
        #expect(PlainTextRenderer.render(row, columns: 20) == "12   │ no        end\ndays")
        #expect(PlainTextRenderer.render(row) == "12   │ no   end\ndays")
        #expect(PlainTextRenderer.render(row, columns: 5) == "12\ndays\n────\nno\nend")
        #expect(PlainTextRenderer.render(row, columns: 9) == "12\ndays\nno\nend")
        let words = RenderSamples.frame { Text("the quick brown incomprehensibilities").lineLimit(4) }
        #expect(PlainTextRenderer.render(words, columns: 10) == "the quick\nbrown\nincomprehe\nnsibiliti…")
    }

    @Test func `a word that has room on a line of its own is not broken to stand beside something`() {
        let row = RenderSamples.frame {
            HStack {
                Text("12 days"); Text("incomprehensibilities")
            }
        }
        #expect(PlainTextRenderer.render(row, columns: 22) == "12 days\nincomprehensibilities")
        #expect(PlainTextRenderer.render(row, columns: 40) == "12 days incomprehensibilities")
        // In a line that ends in an ellipsis anyway it stays where it is.
        let single = RenderSamples.frame {
            HStack {
                Text("12 days"); Text("incomprehensibilities").lineLimit(1)
            }
        }
        #expect(PlainTextRenderer.render(single, columns: 22).hasPrefix("12 days incompre"))
    }

    @Test func `columns are those of a terminal`() {
        let widths = [
            "a": 1, "日本": 4, "한국": 4, "🔒": 2, "👩‍👩‍👧": 2, "🇨🇭": 2, "e\u{301}": 1, "☑": 1, "☑\u{FE0F}": 2, "שלום": 4,
            "นี่": 1, "👍🏽": 2, "①": 1, "ｱ": 1, "Ａ": 2, "": 0,
        ]
        for (text, width) in widths { #expect(ColumnWidth.of(text) == width, "\(text)") }
        let frame = RenderSamples.frame { Text("日本語の文章") }
        #expect(PlainTextRenderer.render(frame, columns: 5) == "日本\n語の\n文章")
        let inline = RenderSamples.frame(.accessoryInline) { Text("日本語の文章") }
        #expect(PlainTextRenderer.render(inline, columns: 6) == "日本…")
    }

    @Test func `words from right to left are kept apart, each on its line`() {
        let frame = RenderSamples.frame(.accessoryInline) {
            HStack {
                Text("שלום"); Text("12"); Text("مرحبا")
            }
        }
        #expect(PlainTextRenderer.render(frame) == "\u{2068}שלום\u{2069} 12 \u{2068}مرحبا\u{2069}")
        let lines = RenderSamples.frame { Text("שלום עולם") }
        #expect(PlainTextRenderer.render(lines, columns: 5) == "\u{2068}שלום\u{2069}\n\u{2068}עולם\u{2069}")
        let locked = RenderSamples.frame(.accessoryInline, .placeholder, name: "פתקים") { Text("") }
        #expect(PlainTextRenderer.render(locked) == "📝 \u{2068}פתקים\u{2069}, locked")
    }

    @Test func `joiners that work are kept, others are gone`() {
        #expect(DisplayText.clean("👩‍👩‍👧") == "👩‍👩‍👧")
        #expect(DisplayText.clean("می‌خواهم") == "می‌خواهم")
        #expect(DisplayText.clean("a\u{200D}b\u{200D}") == "ab")
        #expect(DisplayText.clean("\u{1B}[31m\u{0}") == "\u{FFFD}[31m\u{FFFD}")
        #expect(DisplayText.clean("a\r\nb\u{2029}c\td", keepsLines: true) == "a\nb\nc d")
        #expect(DisplayText.clean("\u{301}a" + String(repeating: "\u{301}", count: 9)).unicodeScalars.count == 9)
    }

    @Test func `a terminal gets colours, bars and links of ours`() {
        let frame = RenderSamples.frame {
            VStack {
                Text("bad").foreground(.critical).bold()
                Gauge(1, of: 2) { Text("half") }
                Text("go").widgetURL("https://example.org")
                Text("no").widgetURL("javascript:alert(1)")
                Text("old").invalidatableContent().redacted(reason: .invalidated)
            }
        }
        let escape = "\u{1B}"
        #expect(
            ANSIRenderer.render(frame)
                == """
                \(escape)[1;31mbad\(escape)[0m
                half █████░░░░░ 50%
                \(escape)]8;;https://example.org\(escape)\\go\(escape)]8;;\(escape)\\
                no
                \(escape)[2mold\(escape)[0m
                """)
        #expect(ANSIRenderer.render(frame, isColorless: true).hasPrefix("\(escape)[1mbad\(escape)[0m\n"))
        let dim = RenderSamples.frame(.accessoryInline, isDim: true) { Text("dim") }
        #expect(ANSIRenderer.render(dim) == "\(escape)[2mdim\(escape)[0m")
    }
}
