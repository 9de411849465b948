/// A timeline as a host keeps it: views instead of values, and what is sealed apart from the rest.
///
/// Both parts have one form as bytes; specs/widget-timeline.md.
public struct TimelineArchive: Sendable {
    /// What a widget shows from one moment on, in each of its sizes.
    public struct Entry: Sendable {
        /// From when on.
        public var date: Moment
        /// At most one view for each size, by the sizes' order.
        public var views: [(family: WidgetFamily, view: Node)]

        /// - Parameters:
        ///   - date: from when on.
        ///   - views: for each size; of several for one the last.
        public init(date: Moment, views: [(family: WidgetFamily, view: Node)]) {
            self.date = date
            self.views = WidgetFamily.allCases.compactMap { family in views.last { $0.family == family } }
        }

        /// The view of a size; nil where the widget does not come in it.
        public func view(_ family: WidgetFamily) -> Node? { views.first { $0.family == family }?.view }
    }

    /// By date.
    public var entries: [Entry]
    /// When the provider is asked again.
    public var policy: ReloadPolicy

    /// - Parameters:
    ///   - entries: in any order.
    ///   - policy: when the provider is asked again.
    public init(_ entries: [Entry], policy: ReloadPolicy) {
        self.entries = entries.sorted { $0.date < $1.date }
        self.policy = policy
    }

    /// The view that is shown at a moment: of the last entry whose time has come, else of the first.
    ///
    /// - Parameters:
    ///   - family: the size.
    ///   - now: the moment.
    /// - Returns: nil where the widget does not come in this size.
    public func view(_ family: WidgetFamily, at now: Moment) -> Node? {
        let views = entries.lazy.compactMap { entry in entry.view(family).map { (date: entry.date, view: $0) } }
        return (views.last { $0.date <= now } ?? views.first)?.view
    }

    /// When another entry's time comes.
    public func nextChange(after now: Moment) -> Moment? { entries.first { $0.date > now }?.date }

    /// When the provider is to be asked again; nil for never by the clock.
    public var reload: Moment? {
        switch policy {
        case .atEnd: entries.last?.date
        case .after(let moment): moment
        case .never: nil
        }
    }

    /// The two parts as bytes.
    public struct Parts: Equatable, Sendable {
        /// All but what is sealed.
        public var open: [UInt8]
        /// What is sealed.
        public var secrets: [UInt8]

        /// - Parameters:
        ///   - open: all but what is sealed.
        ///   - secrets: what is sealed.
        public init(open: [UInt8], secrets: [UInt8]) {
            self.open = open
            self.secrets = secrets
        }
    }

    /// - Throws: ``WidgetCodingError/tooLarge``; ``WidgetCodingError/invalid`` where entries or views are out of order.
    public func encode() throws(WidgetCodingError) -> Parts {
        guard (1...WidgetLimit.entries).contains(entries.count) else { throw .tooLarge }
        var (open, secrets) = (WidgetWriter(), WidgetWriter())
        open.uint8(1)
        secrets.uint8(1)
        encodePolicy(to: &open)
        open.uint16(UInt16(entries.count))
        var (last, nodes): (Moment?, Int) = (nil, 0)
        for entry in entries {
            if let last { guard last <= entry.date else { throw .invalid } }
            last = entry.date
            nodes += try Self.encode(entry, &open, &secrets)
            guard nodes <= WidgetLimit.timelineNodes else { throw .tooLarge }
            guard open.bytes.count + secrets.bytes.count <= WidgetLimit.timelineBytes else { throw .tooLarge }
        }
        return Parts(open: open.bytes, secrets: secrets.bytes)
    }

    /// - Returns: how many nodes its views have.
    private static func encode(
        _ entry: Entry, _ open: inout WidgetWriter, _ secrets: inout WidgetWriter
    ) throws(WidgetCodingError) -> Int {
        open.int64(entry.date.microseconds)
        guard entry.views.count <= WidgetFamily.allCases.count else { throw .invalid }
        open.uint8(UInt8(entry.views.count))
        var (last, nodes): (WidgetFamily?, Int) = (nil, 0)
        for (family, view) in entry.views {
            if let last { guard last.rawValue < family.rawValue else { throw .invalid } }
            last = family
            var archiver = ViewArchiver(family: family)
            try archiver.write(view)
            open.uint8(family.rawValue)
            open.field(archiver.writer.bytes)
            let slots = archiver.slots
            secrets.uint16(UInt16(slots.count))
            for slot in slots { secrets.field(try archiver.secret(slot)) }
            nodes += archiver.nodes
        }
        return nodes
    }

    /// - Parameters:
    ///   - open: all but what is sealed.
    ///   - secrets: what is sealed; nil leaves it shut.
    /// - Throws: ``WidgetCodingError``.
    public init(open: [UInt8], secrets: [UInt8]?) throws(WidgetCodingError) {
        guard open.count + (secrets?.count ?? 0) <= WidgetLimit.timelineBytes else { throw .tooLarge }
        var reader = WidgetReader(open)
        var secretReader = secrets.map { WidgetReader($0) }
        guard try reader.uint8() == 1 else { throw .invalid }
        if secretReader != nil { guard try secretReader?.uint8() == 1 else { throw .invalid } }
        policy = try Self.decodePolicy(&reader)
        let count = try reader.count(WidgetLimit.entries)
        guard count >= 1 else { throw .invalid }
        var (entries, nodes): ([Entry], Int) = ([], 0)
        for _ in 0..<count {
            let date = Moment(microseconds: try reader.int64())
            if let last = entries.last { guard date >= last.date else { throw .invalid } }
            var views: [(family: WidgetFamily, view: Node)] = []
            for _ in 0..<(try reader.uint8()) {
                guard let family = WidgetFamily(rawValue: try reader.uint8()) else { throw .invalid }
                if let last = views.last { guard family.rawValue > last.family.rawValue else { throw .invalid } }
                let bytes = try reader.field(limit: WidgetLimit.timelineBytes)
                views.append((family: family, view: try Self.view(bytes, &secretReader, &nodes)))
            }
            entries.append(Entry(date: date, views: views))
        }
        try reader.end()
        try secretReader?.end()
        self.entries = entries
    }

    private static func view(
        _ bytes: [UInt8], _ secretReader: inout WidgetReader?, _ nodes: inout Int
    ) throws(WidgetCodingError) -> Node {
        guard var reader = secretReader.take() else {
            return try ViewUnarchiver.view(bytes, secrets: nil, nodes: &nodes)
        }
        var secrets: [[UInt8]] = []
        for _ in 0..<(try reader.count(WidgetLimit.nodes)) {
            secrets.append(try reader.field(limit: WidgetLimit.timelineBytes))
        }
        secretReader = reader
        return try ViewUnarchiver.view(bytes, secrets: secrets, nodes: &nodes)
    }

    private func encodePolicy(to writer: inout WidgetWriter) {
        switch policy {
        case .atEnd: writer.uint8(0)
        case .after(let moment):
            writer.uint8(1)
            writer.int64(moment.microseconds)
        case .never: writer.uint8(2)
        }
    }

    private static func decodePolicy(_ reader: inout WidgetReader) throws(WidgetCodingError) -> ReloadPolicy {
        switch try reader.uint8() {
        case 0: return .atEnd
        case 1: return .after(Moment(microseconds: try reader.int64()))
        case 2: return .never
        default: throw .invalid
        }
    }
}
