import FoundationEssentials
import KeychainHealth
import Secrets
import Tresor
import Widgets
import Wire

/// Asks the keychain; what needs somebody's presence is left out, since nobody is there.
struct KeychainSource: Sendable {
    let home: Home

    func asking<Answer>(_ body: (ItemLink) throws -> Answer) throws(ProviderFailure) -> Answer {
        do { return try body(try ItemLink(home)) } catch let error as TresorError {
            throw error.code == .locked ? .locked : .unavailable
        } catch { throw .unavailable }
    }

    static func date(_ moment: Moment) -> Date {
        Date(timeIntervalSince1970: Double(moment.microseconds / 1_000_000))
    }
}

/// How many passwords are weak, reused or old, and how many certificates end soon: counts alone.
struct HealthWidget: Widget {
    let configuration = WidgetConfiguration(
        kind: "keychain.health", displayName: "Keychain health",
        summary: "How many passwords are weak, reused or old, and how many certificates end soon.", symbol: .shield,
        families: [.systemSmall, .systemMedium, .accessoryInline, .accessoryCircular, .accessoryRectangular],
        protection: .complete)
    let provider: HealthProvider

    init(home: Home) { provider = HealthProvider(source: KeychainSource(home: home)) }

    func body(_ entry: WidgetEntry<String, HealthReport>, in family: WidgetFamily) -> some View {
        switch family {
        case .accessoryCircular:
            Reveal(entry.sealed) { report in
                Gauge(report.fine, of: max(1, report.total), style: .circular) {
                    Text("\(report.findings)").font(.caption)
                }
            } placeholder: {
                Gauge(0, of: 1, style: .circular)
            }
        case .accessoryInline:
            HStack {
                Symbol(.shield)
                Reveal(entry.sealed) {
                    Text($0.headline)
                } placeholder: {
                    Text("0 to look at")
                }
            }
        default:
            VStack {
                WidgetHeader(symbol: .shield, title: entry.content, family: family)
                Reveal(entry.sealed) { report in
                    lines(report, family)
                } placeholder: {
                    ForEach(["weak", "reused", "old"]) { Text("0 \($0)").font(.caption) }
                }
                Spacer()
            }
        }
    }

    private func lines(_ report: HealthReport, _ family: WidgetFamily) -> some View {
        let counts = report.counts.filter { $0.count > 0 }.prefix(family.isAccessory ? 2 : 4)
        return VStack {
            if counts.isEmpty { Text(report.headline).font(.caption).foreground(.positive) }
            for line in counts {
                HStack {
                    Symbol(.warning, tint: line.tint)
                    Text("\(line.count) \(line.name)").font(.caption)
                }
            }
        }
    }
}

extension HealthReport {
    fileprivate var counts: [(count: Int, name: String, tint: Tint)] {
        [
            (count: reused, name: "reused", tint: .critical), (count: weak, name: "weak", tint: .critical),
            (count: expiredCertificates, name: "certificates ended", tint: .critical),
            (count: expiringCertificates, name: "certificates end soon", tint: .warning),
            (count: old, name: "old", tint: .secondary),
        ]
    }

    /// Passwords that are weak and reused are looked at once.
    fileprivate var findings: Int { affected + expiredCertificates + expiringCertificates }
    fileprivate var fine: Int { max(0, total - affected) }
    fileprivate var headline: String { findings == 0 ? "All well" : "\(findings) to look at" }
}

struct HealthProvider: TimelineProvider {
    let source: KeychainSource

    func placeholder(in family: WidgetFamily) -> WidgetEntry<String, HealthReport> {
        WidgetEntry(date: Moment(seconds: 0), content: "Keychain", sealed: .shut)
    }

    func timeline(
        in family: WidgetFamily, at now: Moment
    ) throws(ProviderFailure) -> Widgets.Timeline<WidgetEntry<String, HealthReport>> {
        let report = try source.asking { try $0.health(now: KeychainSource.date(now)) }
        let entry = WidgetEntry(date: now, content: "Keychain", sealed: Sealed(report))
        // It looks into every password: twice a day is often enough.
        return Widgets.Timeline([entry], policy: .after(now.advanced(bySeconds: 12 * 3600)))
    }
}

/// One-time codes, each as long as it is good.
struct CodesWidget: Widget {
    /// What a code is for, and its digits.
    struct Shown: Sendable, Equatable {
        var title: String
        var digits: String
    }

    let configuration = WidgetConfiguration(
        kind: "keychain.codes", displayName: "Codes", summary: "One-time codes, while the device is unlocked.",
        symbol: .clock,
        families: [.systemSmall, .systemMedium, .systemLarge, .accessoryInline, .accessoryRectangular],
        protection: .complete)
    let provider: CodesProvider

    init(home: Home) { provider = CodesProvider(source: KeychainSource(home: home)) }

    func body(_ entry: WidgetEntry<String, [Shown]>, in family: WidgetFamily) -> some View {
        if family == .accessoryInline {
            HStack {
                Symbol(.clock)
                Reveal(entry.sealed) { codes in
                    Text(codes.first.map { "\($0.title) \($0.digits)" } ?? "No codes").lineLimit(1)
                } placeholder: {
                    Text("Site 000 000")
                }
            }
        } else {
            VStack {
                WidgetHeader(symbol: .clock, title: entry.content, family: family)
                Reveal(entry.sealed) { codes in
                    if codes.isEmpty { Text("No codes").foreground(.secondary) }
                    for code in codes.prefix(family == .systemLarge ? 8 : family.isAccessory ? 1 : 3) {
                        HStack {
                            Text(code.title).font(.caption).lineLimit(1)
                            Spacer()
                            Text(code.digits).font(.monospaced)
                        }
                    }
                } placeholder: {
                    Text("Site").font(.caption)
                    Text("000 000").font(.monospaced)
                }
                Spacer()
            }
        }
    }
}

struct CodesProvider: TimelineProvider {
    /// Codes of so many seconds are made at once, so that nobody is asked every half minute.
    private static let ahead: Int64 = 600
    private static let mostAccounts = 8
    let source: KeychainSource

    func placeholder(in family: WidgetFamily) -> WidgetEntry<String, [CodesWidget.Shown]> {
        placeholder(in: family, from: Moment(seconds: 0))
    }

    private func placeholder(
        in family: WidgetFamily, from date: Moment
    ) -> WidgetEntry<String, [CodesWidget.Shown]> {
        WidgetEntry(date: date, content: "Codes", sealed: .shut)
    }

    func timeline(
        in family: WidgetFamily, at now: Moment
    ) throws(ProviderFailure) -> Widgets.Timeline<WidgetEntry<String, [CodesWidget.Shown]>> {
        let start = now.microseconds / 1_000_000
        let entries = try source.asking { link in
            let accounts = try link.oneTimeCodes().prefix(Self.mostAccounts)
            // Periods are of 30 seconds nearly always; others change within an entry of 10.
            return try stride(from: start / 10 * 10, to: start + Self.ahead, by: 10).map { second in
                let shown = try accounts.compactMap { account in
                    try Self.shown(account, link, at: Date(timeIntervalSince1970: Double(second)))
                }
                return (second: second, shown: shown)
            }
        }
        var kept: [WidgetEntry<String, [CodesWidget.Shown]>] = []
        var last: [CodesWidget.Shown]?
        for entry in entries where entry.shown != last {
            last = entry.shown
            kept.append(
                WidgetEntry(date: Moment(seconds: entry.second), content: "Codes", sealed: Sealed(entry.shown)))
        }
        // Behind a sleep, or where the clock is set forward, the last code is good no longer.
        if let end = entries.last { kept.append(placeholder(in: family, from: Moment(seconds: end.second + 10))) }
        return Widgets.Timeline(kept, policy: .after(now.advanced(bySeconds: Self.ahead - 20)))
    }

    /// Nil for an item that cannot be opened now.
    private static func shown(
        _ account: OneTimeCodeAccount, _ link: ItemLink, at date: Date
    ) throws -> CodesWidget.Shown? {
        do {
            let code = try link.oneTimeCode(of: account, at: date)
            let digits = code.digits.withBytes { String(decoding: $0.copyToArray(), as: UTF8.self) }
            let half = digits.index(digits.startIndex, offsetBy: digits.count / 2)
            return CodesWidget.Shown(title: account.title, digits: digits[..<half] + " " + digits[half...])
        } catch let error as TresorError where error.code != .unavailable { return nil }
    }
}
