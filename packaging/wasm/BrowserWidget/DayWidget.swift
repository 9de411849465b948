public import Widgets

/// A day: how much of it is done, for everybody; what comes next, for its owner alone.
///
/// The one widget of docs/widgets/browser. It is compiled twice, for the machine and for browsers, and has a piece of
/// everything that the kit can say.
public struct DayWidget: Widget {
    /// In every size; masked while the device is locked.
    public let configuration = WidgetConfiguration(
        kind: "example.day", displayName: "Today", summary: "What is done and what comes next.", symbol: .calendar,
        families: WidgetFamily.allCases, protection: .completeUntilFirstUserAuthentication)
    /// Says what the page said.
    public let provider: Day

    /// - Parameter appointment: what comes next; nil where it is shut.
    public init(appointment: String?) { provider = Day(appointment: appointment) }

    /// The widget in a size.
    public func body(_ entry: WidgetEntry<DayProgress, String>, in family: WidgetFamily) -> some View {
        switch family {
        case .accessoryInline: DayLine(entry: entry)
        case .accessoryCircular: DayRing(progress: entry.content)
        case .accessoryRectangular:
            VStack(spacing: 2) {
                Text("Today").font(.headline).unredacted()
                NextAppointment(sealed: entry.sealed)
            }
        default: DayTile(entry: entry, isLarge: family == .systemLarge || family == .systemExtraLarge)
        }
    }
}

/// How far the day has come.
public struct DayProgress: Sendable {
    var done = 0
    var total = 0
}

/// Gives ``DayWidget`` its one entry.
public struct Day: TimelineProvider {
    let appointment: String?

    /// Nobody's day.
    public func placeholder(in family: WidgetFamily) -> WidgetEntry<DayProgress, String> {
        WidgetEntry(date: Moment(seconds: 0), content: DayProgress(), sealed: .shut)
    }

    /// One entry, which stays.
    public func timeline(
        in family: WidgetFamily, at now: Moment
    ) throws(ProviderFailure) -> Timeline<WidgetEntry<DayProgress, String>> {
        let sealed = appointment.map { Sealed($0) } ?? .shut
        return Timeline(
            [WidgetEntry(date: now, content: DayProgress(done: 3, total: 7), sealed: sealed)], policy: .never)
    }
}

private struct NextAppointment: View {
    let sealed: Sealed<String>

    var body: some View {
        Reveal(sealed) {
            Text($0).lineLimit(2)
        } placeholder: {
            Text("An appointment")
        }
    }
}

private struct DayLine: View {
    let entry: WidgetEntry<DayProgress, String>

    var body: some View {
        HStack {
            Symbol(.calendar).unredacted()
            NextAppointment(sealed: entry.sealed)
        }
    }
}

private struct DayRing: View {
    let progress: DayProgress

    var body: some View {
        Gauge(progress.done, of: progress.total, style: .circular) {
            Text("\(progress.done)/\(progress.total)").font(.caption)
        }
        .invalidatableContent().accessibilityLabel("\(progress.done) of \(progress.total) done")
    }
}

private struct DayTile: View {
    let entry: WidgetEntry<DayProgress, String>
    let isLarge: Bool

    var body: some View {
        VStack {
            HStack {
                Symbol(.calendar, tint: .accent).unredacted()
                Text("Today").font(.headline).unredacted()
                Spacer()
                Text("\(entry.content.done) of \(entry.content.total)").font(.caption).foreground(.secondary)
            }
            Gauge(entry.content.done, of: entry.content.total).invalidatableContent()
            Spacer()
            NextAppointment(sealed: entry.sealed)
            if isLarge { DayDetails() }
        }
        .widgetURL("tresor://day")
    }
}

/// What there is room for in a large tile: a piece of everything else, and of what depends on the environment.
private struct DayDetails: View {
    var body: some View {
        VStack(spacing: 8) {
            Divider()
            HStack(spacing: 12) {
                ZStack {
                    Gauge(6, of: 10, style: .circular)
                    Symbol(.flame, tint: .warning)
                }
                Toggle(isOn: true) { Text("Take a walk") }
            }
            .privacySensitive()
            EnvironmentReader { environment in
                if environment.redactionReasons.contains(.privacy) {
                    Text("Unlock to see what comes next").font(.caption).foreground(.secondary)
                } else if environment.placement == .remote {
                    Text("From your other device").font(.caption).foreground(.secondary)
                }
                if !environment.isLuminanceReduced {
                    Image(Self.dot, width: 12, height: 12, label: "A red dot")
                }
            }
            Text("יום טוב · नमस्ते · 👩🏽‍🚀").font(.caption).redacted(reason: .invalidated).invalidatableContent()
        }
    }

    /// A PNG of one red pixel: chunks IHDR, IDAT and IEND.
    private static let dot: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
        0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xDE, 0x00, 0x00, 0x00,
        0x0C, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x38, 0x60, 0xA4, 0x03, 0x00, 0x02, 0xD4, 0x01, 0x1F, 0x7B,
        0x32, 0x30, 0x38, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]
}
