import Protection
import Testing

@testable import Widgets

@Suite struct Archives {
    struct BalanceProvider: TimelineProvider {
        func placeholder(in family: WidgetFamily) -> WidgetEntry<String, String> {
            WidgetEntry(date: Moment(seconds: 0), content: "Balance", sealed: .shut)
        }
        func timeline(
            in family: WidgetFamily, at now: Moment
        ) throws(ProviderFailure) -> Timeline<WidgetEntry<String, String>> {
            let entries = [0, 60].map {
                WidgetEntry(date: now.advanced(bySeconds: $0), content: "Balance", sealed: Sealed("secret-\($0)"))
            }
            return Timeline(entries, policy: .atEnd)
        }
    }
    struct Balance: Widget {
        let configuration = WidgetConfiguration(
            kind: "balance", displayName: "Balance", summary: "What there is.", symbol: .key,
            families: [.systemSmall, .accessoryInline], protection: .complete)
        let provider = BalanceProvider()
        func body(_ entry: WidgetEntry<String, String>, in family: WidgetFamily) -> some View {
            VStack {
                Text(entry.content).font(.headline)
                EnvironmentReader { environment in
                    if environment.redactionReasons.contains(.privacy) {
                        Text("hidden")
                    } else {
                        Reveal(entry.sealed) {
                            Text($0)
                        } placeholder: {
                            Text("—")
                        }
                    }
                }
            }
        }
    }

    private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        let needle = Array(text.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: needle) }
    }

    @Test func `what is sealed stands in its own part, and comes back into its places`() throws {
        let widget = Balance()
        let archive = try widget.archive(at: Moment(seconds: 1000))
        let parts = try archive.encode()
        #expect(!contains(parts.open, "secret") && contains(parts.secrets, "secret-60"))
        let opened = try TimelineArchive(open: parts.open, secrets: parts.secrets)
        #expect(try opened.encode() == parts)
        let environment = ViewEnvironment(family: .systemSmall)
        for second in [0, 59, 60, 90] {
            let view = try #require(opened.view(.systemSmall, at: Moment(seconds: 1000 + Int64(second))))
            let frame = Redaction.resolve(view, in: environment)
            let wanted = FrameNode.stack(
                .vertical, .leading, spacing: 4,
                [
                    .text(TextRun("Balance", font: .headline), isDimmed: false),
                    .text(TextRun(second < 60 ? "secret-0" : "secret-60"), isDimmed: false),
                ])
            #expect(frame == wanted)
        }
        var hidden = environment
        hidden.redactionReasons = .privacy
        let view = try #require(opened.view(.systemSmall, at: Moment(seconds: 1000)))
        #expect(
            Redaction.resolve(view, in: hidden)
                == .stack(
                    .vertical, .leading, spacing: 4,
                    [
                        .text(TextRun("Balance", font: .headline), isDimmed: false),
                        .text(TextRun("hidden"), isDimmed: false),
                    ]))
        let shut = try TimelineArchive(open: parts.open, secrets: nil)
        let shutView = try #require(shut.view(.systemSmall, at: Moment(seconds: 1000)))
        #expect(Redaction.resolve(shutView, in: environment).hasMask)
    }
}
