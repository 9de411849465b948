extension WidgetBundle {
    /// What the program writes to its standard output.
    ///
    ///     let answer = try Mine().answer(to: .describe)
    ///
    /// - Parameter request: what the host asks.
    /// - Returns: one line of JSON as specs/widget-program.md has it, its end included.
    /// - Throws: ``WidgetCodingError/tooLarge`` where a view is larger than ``WidgetLimit`` permits.
    public func answer(to request: ProgramRequest) throws(WidgetCodingError) -> [UInt8] {
        var json = JSONWriter()
        switch request {
        case .describe: try Self.write(body.configurations, to: &json)
        case .timeline(let kind, let families, let now):
            guard let widget = entry(kind) else { return try Self.failure(.unavailable) }
            let archive: TimelineArchive
            do throws(ProviderFailure) { archive = try widget.timeline(families, now) } catch {
                return try Self.failure(error)
            }
            return try archive.answer()
        case .placeholder(let kind):
            guard let widget = entry(kind) else { return try Self.failure(.unavailable) }
            try Self.writePlaceholders(of: widget, to: &json)
        }
        return json.bytes + [0x0A]
    }

    private func entry(_ kind: String) -> WidgetList.Entry? { body.entries.first { $0.configuration.kind == kind } }

    private static func write(
        _ configurations: [WidgetConfiguration], to json: inout JSONWriter
    ) throws(WidgetCodingError) {
        try json.object { json throws(WidgetCodingError) in
            json.name("protocol")
            json.number(1)
            json.name("widgets")
            try json.list { json throws(WidgetCodingError) in
                for configuration in configurations { try write(configuration, to: &json) }
            }
        }
    }

    private static func write(
        _ configuration: WidgetConfiguration, to json: inout JSONWriter
    ) throws(WidgetCodingError) {
        try json.object { json throws(WidgetCodingError) in
            json.textMember("kind", configuration.kind)
            json.textMember("displayName", configuration.displayName)
            json.textMember("summary", configuration.summary)
            json.textMember("symbol", configuration.symbol.name)
            json.name("families")
            json.words(configuration.families.map { $0.name })
            json.textMember("protection", configuration.protection.name)
        }
    }

    private static func writePlaceholders(
        of widget: WidgetList.Entry, to json: inout JSONWriter
    ) throws(WidgetCodingError) {
        let views = widget.configuration.families.map { (family: $0, view: widget.placeholder($0)) }
        let entry = TimelineArchive.Entry(date: Moment(seconds: 0), views: views)
        let archive = try TimelineArchive([entry], policy: .never).resolved()
        try json.object { json throws(WidgetCodingError) in try archive.entries[0].writeViews(to: &json) }
    }

    private static func failure(_ failure: ProviderFailure) throws(WidgetCodingError) -> [UInt8] {
        var json = JSONWriter()
        try json.object { json throws(WidgetCodingError) in json.textMember("failure", failure.word) }
        return json.bytes + [0x0A]
    }
}

extension TimelineArchive {
    /// What a program answers that has this to show.
    ///
    /// - Returns: one line of JSON, its end included.
    package func answer() throws(WidgetCodingError) -> [UInt8] {
        let archive = try resolved()
        var json = JSONWriter()
        try json.object { json throws(WidgetCodingError) in
            json.name("entries")
            try json.list { json throws(WidgetCodingError) in
                for entry in archive.entries {
                    try json.object { json throws(WidgetCodingError) in
                        json.name("date")
                        json.moment(entry.date)
                        try entry.writeViews(to: &json)
                    }
                }
            }
            json.name("policy")
            try archive.policy.write(to: &json)
        }
        return json.bytes + [0x0A]
    }

    /// The same without a view that asks for its environment: what a host would read from its bytes.
    fileprivate func resolved() throws(WidgetCodingError) -> TimelineArchive {
        let parts = try encode()
        return try TimelineArchive(open: parts.open, secrets: parts.secrets)
    }
}

extension TimelineArchive.Entry {
    fileprivate func writeViews(to json: inout JSONWriter) throws(WidgetCodingError) {
        let views = views
        json.name("views")
        try json.object { json throws(WidgetCodingError) in
            for (family, view) in views { try json.member(family.name, view) }
        }
    }
}

extension ReloadPolicy {
    fileprivate func write(to json: inout JSONWriter) throws(WidgetCodingError) {
        switch self {
        case .atEnd: json.string("atEnd")
        case .never: json.string("never")
        case .after(let moment):
            try json.object { json throws(WidgetCodingError) in
                json.name("after")
                json.moment(moment)
            }
        }
    }
}

extension ProviderFailure {
    /// As JSON says it.
    package var word: String {
        switch self {
        case .locked: "locked"
        case .empty: "empty"
        case .unavailable: "unavailable"
        }
    }
}
