import Codecs
import Localization
package import Widgets

/// Reads what a widget program answers; specs/widget-program.md.
package enum AnswerReader {
    /// The widgets of a program, each with the kind that the program gives it.
    package static func description(_ bytes: [UInt8]) throws(ProgramRefusal) -> [WidgetConfiguration] {
        var object = try JSONMembers(JSONPlace(try ProgramJSON.parse(bytes)))
        let version = try object.need("protocol")
        guard case .number(let number) = version.value, JSONNumber(number).whole == 1 else {
            throw version.refusal(localized("has to be 1"))
        }
        var configurations: [WidgetConfiguration] = []
        for place in try object.need("widgets").list(1...ProgramLimit.widgets) {
            let configuration = try Self.configuration(place)
            guard !configurations.contains(where: { $0.kind == configuration.kind }) else {
                throw ProgramRefusal("\(place.path).kind", localized("stands there twice"))
            }
            configurations.append(configuration)
        }
        try object.end()
        return configurations
    }

    /// What a widget shows.
    ///
    /// - Parameters:
    ///   - bytes: the answer.
    ///   - families: the sizes that the widget comes in; no view may be of another.
    ///   - wanted: those that were asked for; each needs a view.
    /// - Returns: an archive that has a form as bytes; nothing in it is shown that its author did not mean to.
    package static func timeline(
        _ bytes: [UInt8], families: [WidgetFamily], wanted: [WidgetFamily]
    ) throws(ProgramRefusal) -> Result<TimelineArchive, ProviderFailure> {
        var object = try JSONMembers(JSONPlace(try ProgramJSON.parse(bytes)))
        if let failure = object.take("failure") {
            let failures: [ProviderFailure] = [.locked, .empty, .unavailable]
            let index = try failure.word(failures.map(\.word))
            try object.end()
            return .failure(failures[index])
        }
        let list = try object.need("entries")
        var entries: [TimelineArchive.Entry] = []
        for place in try list.list(1...WidgetLimit.entries) {
            var members = try JSONMembers(place)
            let datePlace = try members.need("date")
            let date = try moment(datePlace)
            if let last = entries.last, last.date >= date {
                throw datePlace.refusal(localized("is not later than that of the entry before it"))
            }
            let views = try views(try members.need("views"), families: families, allowsSecrets: true)
            try members.end()
            entries.append(TimelineArchive.Entry(date: date, views: views))
        }
        for family in wanted where !entries.contains(where: { $0.view(family) != nil }) {
            throw list.refusal(localized("have no view for \(family.name)"))
        }
        let policy = try policy(try object.need("policy"))
        try object.end()
        let archive = TimelineArchive(entries, policy: policy)
        try checkSize(of: archive, list)
        return .success(archive)
    }

    /// What stands where a widget may show nothing, in each of its sizes.
    package static func placeholders(
        _ bytes: [UInt8], families: [WidgetFamily]
    ) throws(ProgramRefusal) -> [(family: WidgetFamily, view: Node)] {
        var object = try JSONMembers(JSONPlace(try ProgramJSON.parse(bytes)))
        let place = try object.need("views")
        let views = try views(place, families: families, allowsSecrets: false)
        for family in families where !views.contains(where: { $0.family == family }) {
            throw place.refusal(localized("have none for \(family.name)"))
        }
        try object.end()
        let entry = TimelineArchive.Entry(date: Moment(seconds: 0), views: views)
        try checkSize(of: TimelineArchive([entry], policy: .never), place)
        return views
    }

    private static func checkSize(of archive: TimelineArchive, _ place: JSONPlace) throws(ProgramRefusal) {
        do throws(WidgetCodingError) { _ = try archive.encode() } catch {
            throw place.refusal(localized("are too large"))
        }
    }

    private static func views(
        _ place: JSONPlace, families: [WidgetFamily], allowsSecrets: Bool
    ) throws(ProgramRefusal) -> [(family: WidgetFamily, view: Node)] {
        var object = try JSONMembers(place)
        var views: [(family: WidgetFamily, view: Node)] = []
        for family in WidgetFamily.allCases where families.contains(family) {
            guard let place = object.take(family.name) else { continue }
            let view = try ViewReader.view(place, allowsSecrets: allowsSecrets)
            guard Redaction.findings(in: view, family: family).isEmpty else {
                throw place.refusal(localized("has something private or sealed in a view that is “unredacted”"))
            }
            views.append((family: family, view: view))
        }
        if let name = object.names.first, WidgetFamily(name: name) != nil {
            throw ProgramRefusal("\(place.path).\(name)", localized("is no size that the widget says it comes in"))
        }
        try object.end()
        return views
    }

    private static func policy(_ place: JSONPlace) throws(ProgramRefusal) -> ReloadPolicy {
        switch place.value {
        case .string("atEnd"): return .atEnd
        case .string("never"): return .never
        default:
            var object = try JSONMembers(place, what: localized("“atEnd”, “never” or {\"after\": …}"))
            let moment = try moment(try object.need("after"))
            try object.end()
            return .after(moment)
        }
    }

    private static func moment(_ place: JSONPlace) throws(ProgramRefusal) -> Moment {
        let moment: Moment? =
            switch place.value {
            case .number(let number): Moment(JSONNumber(number))
            case .string(let text): Moment(rfc3339: text)
            default: nil
            }
        guard let moment else {
            throw place.refusal(localized("has to be seconds since 1970, or a time such as “2026-11-22T20:00:00Z”"))
        }
        return moment
    }

    private static func configuration(_ place: JSONPlace) throws(ProgramRefusal) -> WidgetConfiguration {
        var object = try JSONMembers(place)
        let kind = try object.need("kind")
        let symbol = try object.need("symbol")
        let families = try object.need("families").words(WidgetFamily.allCases.map(\.name))
        let protection = try object.need("protection").word(WidgetProtection.allCases.map(\.name))
        guard let symbolName = SymbolName(name: try symbol.text()) else {
            throw symbol.refusal(
                localized("has to be one of \(SymbolName.allCases.map(\.name).joined(separator: ", "))"))
        }
        let name = try kind.text()
        guard WidgetConfiguration.isKind(name), name.utf8.count <= ProgramLimit.kindBytes else {
            throw kind.refusal(localized("has to have 1 to \(ProgramLimit.kindBytes) letters, digits, “-” and “.”"))
        }
        let configuration = WidgetConfiguration(
            kind: name,
            displayName: try line(try object.need("displayName"), limit: ProgramLimit.displayNameBytes),
            summary: try line(try object.need("summary"), limit: ProgramLimit.summaryBytes), symbol: symbolName,
            families: families.map { WidgetFamily.allCases[$0] },
            protection: WidgetProtection.allCases[protection])
        try object.end()
        return configuration
    }

    private static func line(_ place: JSONPlace, limit: Int) throws(ProgramRefusal) -> String {
        let text = try place.text()
        guard (1...limit).contains(text.utf8.count), ProgramText.isClean(text, allowsLines: false) else {
            throw place.refusal(localized("has to have 1 to \(limit) bytes on one line"))
        }
        return text
    }
}
