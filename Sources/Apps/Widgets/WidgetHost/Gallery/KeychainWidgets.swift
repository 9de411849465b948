import FoundationEssentials
import KeychainHealth
import Localization
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
        kind: "keychain.health", displayName: localized("Keychain health"),
        summary: marked("How many passwords are weak, reused or old, and how many certificates end soon."),
        symbol: .shield,
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
            if counts.isEmpty {
                Text(report.headline).font(family.isAccessory ? .caption : .title).foreground(.positive)
            }
            for line in counts {
                HStack {
                    Symbol(.warning, tint: line.tint)
                    Text(line.words).font(.caption)
                }
            }
            // With fewer lines there is room for how much of the whole that is.
            if !family.isAccessory, counts.count < 3 {
                Gauge(report.fine, of: max(1, report.total)) {
                    Text(WidgetCount.fine(report.fine, of: report.total))
                        .font(.caption).foreground(.secondary)
                }
            }
        }
    }
}

extension HealthReport {
    fileprivate var counts: [(count: Int, words: String, tint: Tint)] {
        let ended = localized(
            expiredCertificates, one: "\(expiredCertificates) certificate ended",
            many: "\(expiredCertificates) certificates ended")
        let ending = localized(
            expiringCertificates, one: "\(expiringCertificates) certificate ends soon",
            many: "\(expiringCertificates) certificates end soon")
        return [
            (count: reused, words: localized("\(reused) reused"), tint: .critical),
            (count: weak, words: localized("\(weak) weak"), tint: .critical),
            (count: expiredCertificates, words: ended, tint: .critical),
            (count: expiringCertificates, words: ending, tint: .warning),
            (count: old, words: localized("\(old) old"), tint: .secondary),
        ]
    }

    /// Passwords that are weak and reused are looked at once.
    fileprivate var findings: Int { affected + expiredCertificates + expiringCertificates }
    fileprivate var fine: Int { max(0, total - affected) }
    fileprivate var headline: String { findings == 0 ? localized("All well") : localized("\(findings) to look at") }
}

struct HealthProvider: TimelineProvider {
    let source: KeychainSource

    func placeholder(in family: WidgetFamily) -> WidgetEntry<String, HealthReport> {
        WidgetEntry(date: Moment(seconds: 0), content: localized("Keychain"), sealed: .shut)
    }

    func timeline(
        in family: WidgetFamily, at now: Moment
    ) throws(ProviderFailure) -> Widgets.Timeline<WidgetEntry<String, HealthReport>> {
        let report = try source.asking { try $0.health(now: KeychainSource.date(now)) }
        let entry = WidgetEntry(date: now, content: localized("Keychain"), sealed: Sealed(report))
        // It looks into every password: twice a day is often enough.
        return Widgets.Timeline([entry], policy: .after(now.advanced(bySeconds: 12 * 3600)))
    }
}

/// One-time codes, each as long as it is good.
struct CodesWidget: Widget {
    /// What a code is for, its digits, and how long it is good: as secret as the digits, and sealed with them.
    struct Shown: Sendable, Equatable {
        var title: String
        var digits: String
        /// When the entry begins.
        var secondsLeft: Int
        /// How long each code is good.
        var period: Int
    }

    let configuration = WidgetConfiguration(
        kind: "keychain.codes", displayName: localized("Codes"),
        summary: marked("One-time codes, while the device is unlocked."),
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
                    Text(Self.line(codes)).lineLimit(1)
                } placeholder: {
                    Text("Site 000 000 · 30 s")
                }
            }
        } else {
            VStack {
                WidgetHeader(symbol: .clock, title: entry.content, family: family)
                Reveal(entry.sealed) { codes in
                    if codes.isEmpty { Text(localized("No codes")).foreground(.secondary) }
                    for code in codes.prefix(Self.count(family)) {
                        row(code, family, isAlone: codes.count == 1)
                    }
                } placeholder: {
                    Text("Site").font(.caption)
                    Text("000 000").font(.monospaced)
                }
                Spacer()
            }
        }
    }

    private static func line(_ codes: [Shown]) -> String {
        codes.first.map { "\($0.title) \($0.digits) · \($0.secondsLeft) s" } ?? localized("No codes")
    }

    /// How many codes there is room for.
    private static func count(_ family: WidgetFamily) -> Int {
        switch family {
        case .systemLarge: 8
        case .systemMedium: 4
        case .systemSmall: 2
        default: 1
        }
    }

    /// A small tile has no room for a name beside its code.
    private func row(_ code: Shown, _ family: WidgetFamily, isAlone: Bool) -> Node {
        let title = Text(code.title).font(.caption).lineLimit(1)
        let digits = Text(code.digits).font(isAlone && !family.isAccessory ? .title : .monospaced)
        let left = Text("\(code.secondsLeft) s").font(.caption).foreground(
            code.secondsLeft > 10 ? .secondary : .warning)
        guard family == .systemSmall || isAlone && !family.isAccessory else {
            return HStack {
                title
                Spacer()
                digits
                left
            }
            .node
        }
        return VStack(spacing: 0) {
            title
            HStack {
                digits
                Spacer()
                left
            }
            if isAlone { Gauge(code.secondsLeft, of: code.period) }
        }
        .node
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
        WidgetEntry(date: date, content: localized("Codes"), sealed: .shut)
    }

    func timeline(
        in family: WidgetFamily, at now: Moment
    ) throws(ProviderFailure) -> Widgets.Timeline<WidgetEntry<String, [CodesWidget.Shown]>> {
        let start = now.microseconds / 1_000_000
        let entries = try source.asking { link in
            let accounts = try link.oneTimeCodes().prefix(Self.mostAccounts)
            // Periods are of 30 seconds nearly always; others change within an entry of 10. So the time that is left
            // is told in steps of 10, and is at most what is said.
            return try stride(from: start / 10 * 10, to: start + Self.ahead, by: 10).map { second in
                let shown = try accounts.compactMap { account in
                    try Self.shown(account, link, at: Date(timeIntervalSince1970: Double(second)))
                }
                return (second: second, shown: shown)
            }
        }
        var kept: [WidgetEntry<String, [CodesWidget.Shown]>] = []
        var last: [CodesWidget.Shown]?
        // With codes each entry is another one, since its time is shorter.
        for entry in entries where entry.shown != last {
            last = entry.shown
            kept.append(
                WidgetEntry(
                    date: Moment(seconds: entry.second), content: localized("Codes"), sealed: Sealed(entry.shown)))
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
            return CodesWidget.Shown(
                title: account.title, digits: digits[..<half] + " " + digits[half...],
                secondsLeft: code.secondsLeft(at: date), period: code.period)
        } catch let error as TresorError where error.code != .unavailable { return nil }
    }
}
