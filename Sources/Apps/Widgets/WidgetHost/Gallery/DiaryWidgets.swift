import DiaryClient
import DiaryViews
import FoundationEssentials
import Localization
import ResidentClient
import Widgets
import Wire

/// Asks tresor-diary, behind whose door these widgets stand.
struct DiarySource: Sendable {
    let home: Home

    func asking<Answer>(_ body: (DiaryConnection) throws -> Answer) throws(ProviderFailure) -> Answer {
        do { return try body(try DiaryConnection(home: home)) } catch let error as DiaryError {
            switch error.code {
            case .deviceLocked, .signedOut: throw .locked
            case .notRegistered: throw .empty
            default: throw .unavailable
            }
        } catch { throw .unavailable }
    }

    /// From where the owner looks: the zone of this machine.
    static func viewpoint(_ now: Moment) -> Viewpoint {
        Viewpoint(now: now.microseconds, zone: .current)
    }

    /// The first moment of the next day here.
    static func midnight(after now: Moment) -> Moment {
        let zone = DiaryZone.current
        let offset = Int64(zone.offset(at: now.microseconds / 1_000_000))
        let local = now.microseconds / 1_000_000 + offset
        return Moment(seconds: (local / 86_400 + 1) * 86_400 - offset)
    }
}

/// What was written on this day of earlier years.
struct DiaryMemory: Sendable, Equatable {
    var heading: String
    var opening: String
    /// A photo of it, a JPEG.
    var photo: [UInt8]?
}

/// A day of the diary, years ago.
struct OnThisDayWidget: Widget {
    let configuration = WidgetConfiguration(
        kind: "diary.on-this-day", displayName: localized("On this day"),
        summary: marked("What you wrote on this day, years ago."),
        symbol: .book, families: [.systemSmall, .systemMedium, .systemLarge, .accessoryInline, .accessoryRectangular],
        protection: .complete)
    let provider: OnThisDayProvider

    init(home: Home) { provider = OnThisDayProvider(source: DiarySource(home: home)) }

    func body(_ entry: WidgetEntry<String, DiaryMemory?>, in family: WidgetFamily) -> some View {
        if family == .accessoryInline {
            HStack {
                Symbol(.book)
                Reveal(entry.sealed) { memory in
                    Text(memory.map(\.opening) ?? localized("Nothing on this day yet")).lineLimit(1)
                } placeholder: {
                    Text(localized("On this day"))
                }
            }
        } else {
            VStack {
                WidgetHeader(symbol: .book, title: entry.content, family: family)
                Reveal(entry.sealed) { memory in
                    memoryView(memory, family)
                } placeholder: {
                    Text("Years ago").font(.caption)
                    Text("What was written then")
                }
                Spacer()
            }
        }
    }

    private func memoryView(_ memory: DiaryMemory?, _ family: WidgetFamily) -> Node {
        guard let memory else { return Text(localized("Nothing on this day yet")).foreground(.secondary).node }
        let words = VStack {
            Text(memory.heading).font(.caption).foreground(.secondary).lineLimit(1)
            // As many lines as there is room for, but for a lock screen, where there is room for one.
            Text(memory.opening).font(family.isAccessory ? .caption : .body).lineLimit(family.isAccessory ? 1 : nil)
        }
        guard let photo = memory.photo else { return words.node }
        let label = localized("A photo: \(memory.heading)")
        if family == .systemLarge {
            return VStack {
                Image(photo, width: 298, height: 180, label: label)
                words
            }
            .node
        }
        return HStack(alignment: .top) {
            Image(photo, width: 96, height: 96, label: label)
            words
        }
        .node
    }
}

struct OnThisDayProvider: TimelineProvider {
    let source: DiarySource

    func placeholder(in family: WidgetFamily) -> WidgetEntry<String, DiaryMemory?> {
        WidgetEntry(date: Moment(seconds: 0), content: localized("On this day"), sealed: .shut)
    }

    func timeline(
        in family: WidgetFamily, at now: Moment
    ) throws(ProviderFailure) -> Widgets.Timeline<WidgetEntry<String, DiaryMemory?>> {
        let viewpoint = DiarySource.viewpoint(now)
        let wantsPhoto = family == .systemMedium || family == .systemLarge
        let memory = try source.asking { try find(viewpoint, $0, wantsPhoto: wantsPhoto) }
        let entry = WidgetEntry(date: now, content: localized("On this day"), sealed: Sealed(memory))
        return Widgets.Timeline([entry], policy: .after(DiarySource.midnight(after: now)))
    }

    private func find(
        _ viewpoint: Viewpoint, _ connection: DiaryConnection, wantsPhoto: Bool
    ) throws -> DiaryMemory? {
        var filter = DiaryFilter()
        let today = viewpoint.today
        filter.onThisDay = DiaryFilter.Anniversary(year: today.year, month: today.month, day: today.day)
        guard case .list(let list) = try connection.ask(.list(filter)).reply else { return nil }
        let memories = OnThisDay(list.entries, seenFrom: viewpoint).memories
        guard let chosen = memories.last, let entry = chosen.entries.first else { return nil }
        var memory = DiaryMemory(
            heading: chosen.heading(in: WidgetDate.language), opening: String(entry.opening.prefix(600)), photo: nil)
        if wantsPhoto, let photo = entry.media.first(where: { $0.kind == .photo && $0.hasThumbnail }) {
            // A photo that cannot be had leaves a memory without one.
            memory.photo = try? connection.ask(.glance(id: entry.id, media: photo.id)).body
        }
        return memory
    }
}

/// On how many days of this month the diary was written in.
struct WritingDays: Widget {
    /// Days written, days of the month so far, days of the month.
    struct Month: Sendable, Equatable {
        var written: Int
        var days: Int
        var entries: Int
    }

    let configuration = WidgetConfiguration(
        kind: "diary.days", displayName: localized("Writing days"),
        summary: marked("On how many days of this month you wrote."),
        symbol: .calendar, families: [.systemSmall, .accessoryInline, .accessoryCircular, .accessoryRectangular],
        protection: .complete)
    let provider: WritingDaysProvider

    init(home: Home) { provider = WritingDaysProvider(source: DiarySource(home: home)) }

    func body(_ entry: WidgetEntry<String, Month>, in family: WidgetFamily) -> some View {
        switch family {
        case .accessoryInline:
            HStack {
                Symbol(.calendar)
                Reveal(entry.sealed) {
                    Text(Self.words($0))
                } placeholder: {
                    Text("0 of 30 days")
                }
            }
        case .accessoryCircular:
            Reveal(entry.sealed) {
                gauge($0, .circular)
            } placeholder: {
                Gauge(0, of: 1, style: .circular)
            }
        default:
            VStack {
                WidgetHeader(symbol: .calendar, title: entry.content, family: family)
                Reveal(entry.sealed) { month in
                    if !family.isAccessory { Text("\(month.written)").font(.largeTitle) }
                    gauge(month, .linear)
                    Text(WidgetCount.entries(month.entries))
                        .font(.caption).foreground(.secondary)
                } placeholder: {
                    if !family.isAccessory { Text("00").font(.largeTitle) }
                    Gauge(0, of: 1)
                    Text("0 entries in all").font(.caption)
                }
                Spacer()
            }
        }
    }

    private static func words(_ month: Month) -> String { localized("\(month.written) of \(month.days) days") }

    private func gauge(_ month: Month, _ style: GaugeStyle) -> some View {
        Gauge(month.written, of: month.days, style: style) {
            Text(style == .circular ? "\(month.written)" : Self.words(month)).font(.caption)
        }
    }
}

struct WritingDaysProvider: TimelineProvider {
    let source: DiarySource

    func placeholder(in family: WidgetFamily) -> WidgetEntry<String, WritingDays.Month> {
        WidgetEntry(date: Moment(seconds: 0), content: localized("Writing days"), sealed: .shut)
    }

    func timeline(
        in family: WidgetFamily, at now: Moment
    ) throws(ProviderFailure) -> Widgets.Timeline<WidgetEntry<String, WritingDays.Month>> {
        let viewpoint = DiarySource.viewpoint(now)
        let statistics = try source.asking { connection in
            let outline = try connection.ask(.outline).body
            return WritingStatistics(
                try JSONDecoder().decode([EntryOutline].self, from: Data(outline)), seenFrom: viewpoint)
        }
        let month = WritingDays.Month(
            written: statistics.daysThisMonth, days: viewpoint.today.yearMonth.dayCount,
            entries: statistics.entryCount)
        let entry = WidgetEntry(date: now, content: localized("Writing days"), sealed: Sealed(month))
        return Widgets.Timeline([entry], policy: .after(DiarySource.midnight(after: now)))
    }
}
