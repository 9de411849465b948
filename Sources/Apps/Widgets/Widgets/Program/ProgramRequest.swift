/// What a host asks a widget program; specs/widget-program.md.
public enum ProgramRequest: Equatable, Sendable {
    /// Which widgets it has.
    case describe
    /// What one of them shows from now on, in these sizes.
    case timeline(kind: String, families: [WidgetFamily], now: Moment)
    /// What stands where one of them may show nothing.
    case placeholder(kind: String)

    /// One line of JSON, its end included.
    package var line: [UInt8] {
        var json = JSONWriter()
        // Nothing in it can fail: no view is written.
        try? json.object { json throws(WidgetCodingError) in
            switch self {
            case .describe:
                json.name("describe")
                try json.object { _ in }
            case .timeline(let kind, let families, let now):
                json.name("timeline")
                try json.object { json throws(WidgetCodingError) in
                    json.textMember("kind", kind)
                    json.name("families")
                    json.words(families.map { $0.name })
                    json.name("now")
                    json.moment(now)
                }
            case .placeholder(let kind):
                json.name("placeholder")
                try json.object { json throws(WidgetCodingError) in json.textMember("kind", kind) }
            }
        }
        return json.bytes + [0x0A]
    }
}
