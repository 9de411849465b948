import DiaryClient
import DiaryViews
import Localization
import TerminalScreen

/// Everything that an entry has besides its text, line by line.
struct DiaryFacts {
    private let entry: EntrySummary
    private let language: DiaryLanguage

    init(_ entry: EntrySummary, _ language: DiaryLanguage) {
        self.entry = entry
        self.language = language
    }

    /// Names are whoever's wrote them; a terminal must not obey them.
    var lines: [String] {
        let head = entry.head
        let heading = "\(language.heading(head.localDay)), \(head.localTime.clock) \(head.timeZone)"
        var lines = [heading + (entry.head.isStarred ? "  ★" : "") + (entry.isDraft ? localized("  (draft)") : "")]
        lines.append(localized("  id        \(entry.id)"))
        if let mood = head.mood { lines.append(localized("  mood      \(mood.text(in: language))")) }
        if let place = head.place { lines.append(localized("  place     \(Self.words(place))")) }
        if !head.tags.isEmpty {
            lines.append(localized("  tags      \(head.tags.map { "#" + $0 }.joined(separator: "  "))"))
        }
        for (number, file) in entry.media.enumerated() {
            lines.append("  media:\(number)   \(file.kind.rawValue)  \(Self.words(file))")
        }
        lines.append(localized("  written   \(time(entry.created))"))
        if entry.modified != entry.created {
            lines.append(localized("  changed   \(time(entry.modified)), revision \(entry.revision)"))
        }
        if let source = entry.source { lines.append(localized("  source    \(source)")) }
        if let foreign = entry.foreign { lines.append(localized("  besides   \(foreign)")) }
        return lines.map { SafeText.line($0) }
    }

    /// When something was done here: by the clock of the entry's zone.
    private func time(_ microseconds: Int64) -> String {
        let time = LocalTime(microseconds: microseconds, zone: DiaryZone(entry.head.timeZone))
        return "\(time.day) \(time.clock)"
    }

    private static func words(_ place: DiaryPlace) -> String {
        let names = [place.name, place.locality, place.region, place.country].compactMap(\.self)
        return (names + ["\(place.latitude),\(place.longitude)"]).joined(separator: ", ")
    }

    private static func words(_ file: MediaSummary) -> String {
        var words = [file.name, file.mediaType, localized("\(file.byteCount) bytes")].filter { !$0.isEmpty }
        if let width = file.facts.width, let height = file.facts.height { words.append("\(width) × \(height)") }
        if let camera = file.facts.camera { words.append(camera) }
        if let clock = file.facts.wallClock {
            let taken = self.clock(clock) + (file.facts.offsetMinutes.map { " " + offset($0) } ?? "")
            words.append(localized("taken \(taken)"))
        }
        if let latitude = file.facts.latitude, let longitude = file.facts.longitude {
            words.append(localized("at \(latitude),\(longitude)"))
        }
        if let problem = file.problem {
            words.append(localized("no small picture: \(SafeText.line(translated(problem)))"))
        }
        return words.joined(separator: ", ")
    }

    /// Minutes east of Greenwich as clocks say them: `+02:00`.
    private static func offset(_ minutes: Int) -> String {
        let size = abs(minutes)
        return (minutes < 0 ? "-" : "+") + two(size / 60) + ":" + two(size % 60)
    }

    private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }

    /// A camera's clock, which knows no zone.
    static func clock(_ seconds: Int64) -> String {
        let (microseconds, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !isTooFar else { return "at no time" }
        let time = LocalTime(microseconds: microseconds, zone: DiaryZone("GMT"))
        return "\(time.day) \(time.clock)"
    }
}
