import Localization
package import ResidentClient
package import Wire

/// A client's connection to tresor-widgets, blocking; it starts the program where it does not run.
package typealias WidgetConnection = ResidentConnection<WidgetMessages>

/// What is said between tresor-widgets and its clients; specs/widgets-socket.md.
package enum WidgetMessages: ResidentMessages {
    /// What goes over this connection, as the JSON of a head.
    package typealias Request = WidgetRequest
    /// What comes back for each request.
    package typealias Reply = WidgetReply
    /// What comes without a request: nothing ever.
    package typealias Event = WidgetEvent

    /// The error in an answer; nil where it is none.
    package static func failure(of reply: WidgetReply) -> WidgetError? {
        if case .error(let error) = reply { return error }
        return nil
    }

    /// What a broken connection means, in the errors of widgets.
    package static func failure(_ kind: ConnectionFailure, _ message: String) -> WidgetError {
        switch kind {
        case .tooLarge: WidgetError(.tooLarge, message)
        case .unavailable: WidgetError(.unavailable, message)
        case .noAnswer: WidgetError(.noAnswer, message)
        case .ended: WidgetError(ended: message)
        }
    }

    /// Whether the answer may take longer than others.
    package static func isLong(_ request: WidgetRequest) -> Bool {
        // Waits until something changes.
        if case .next = request { return true }
        return false
    }
}

extension ResidentProgram {
    /// Its program, and where it keeps what is its own.
    package static func widgets(_ home: Home) -> ResidentProgram {
        ResidentProgram(name: "tresor-widgets", folder: home.widgetsFolder, socket: home.widgetsSocket)
    }
}

extension ResidentConnection<WidgetMessages> {
    /// - Throws: ``WidgetError`` with code `unavailable` when tresor-widgets neither runs nor starts.
    package convenience init(home: Home) throws { try self.init(.widgets(home), daemon: home.socket) }
}

/// What a client asks of tresor-widgets.
package enum WidgetRequest: Codable, Sendable, Equatable {
    case status
    case list
    /// One frame; waits for a provider that has never answered. The body of the answer is the frame.
    case render(WidgetOrder)
    /// What this client shows from now on; the body of the answer are the frames as they are now, and behind them those
    /// that stand for them when the connection is lost.
    case watch([WidgetOrder])
    /// Waits until a watched frame changes; the body of the answer are those that did.
    case next
    case settings
    case changeSettings(WidgetSettingsChange)
    /// Something that a widget shows has changed; all of them where none is named.
    case reload(kind: String?)
    /// One frame of the page whose token has this digest, as ``render(_:)``.
    case renderPage(PageDigest)
    case pages
    /// Lets whoever knows the token of this digest ask for a widget.
    case addPage(WidgetOrder, PageDigest)
    case removePage(id: String)
    /// Ends tresor-widgets.
    case stop
}

/// One widget as one place shows it.
package struct WidgetOrder: Codable, Sendable, Hashable {
    /// Names the widget, such as `notes.recent`.
    package var kind: String
    /// As `WidgetFamily/name`.
    package var family: String
    /// As `WidgetPlacement/name`.
    package var placement: String
    /// Whether the display shows it dimmed, as one that is always on does.
    package var isLuminanceReduced: Bool

    /// - Parameters:
    ///   - family: as `WidgetFamily/name`.
    ///   - placement: as `WidgetPlacement/name`.
    package init(kind: String, family: String, placement: String, isLuminanceReduced: Bool = false) {
        self.kind = kind
        self.family = family
        self.placement = placement
        self.isLuminanceReduced = isLuminanceReduced
    }
}

/// What the owner chose for all widgets; what is left out stays.
package struct WidgetSettingsChange: Codable, Sendable, Equatable {
    /// Whether widgets show their content behind a lock, as far as their class goes; nil leaves it.
    package var allowWhenLocked: Bool?
    /// For these placements, all where it is left out.
    package var placement: String?
    /// Which hide on an always-on display; nil leaves it.
    package var hideAlwaysOn: HiddenList?

    /// - Parameter placement: for which `hideAlwaysOn` is said; nil for all.
    package init(allowWhenLocked: Bool? = nil, placement: String? = nil, hideAlwaysOn: HiddenList? = nil) {
        self.allowWhenLocked = allowWhenLocked
        self.placement = placement
        self.hideAlwaysOn = hideAlwaysOn
    }
}

/// Which widgets hide on an always-on display.
package enum HiddenList: Codable, Sendable, Equatable {
    case all
    case none
    case kinds([String])
}

/// What tresor-widgets answers.
package enum WidgetReply: Codable, Sendable, Equatable {
    case done
    case status(WidgetStatus)
    case list([WidgetSummary])
    /// Frames stand in the body, one behind the other.
    case frames(FrameList)
    case settings(WidgetSettingsSummary)
    case pages([PageSummary])
    case error(WidgetError)
}

/// Which frames a body has.
package struct FrameList: Codable, Sendable, Equatable {
    /// Positions in the list that is watched.
    package var indices: [Int]
    /// Bytes of each.
    package var sizes: [Int]
    /// Bytes of those for a lost connection, where they follow.
    package var fallbackSizes: [Int]?

    /// - Parameters:
    ///   - indices: positions in the list that is watched.
    ///   - sizes: bytes of each.
    ///   - fallbackSizes: bytes of those for a lost connection.
    package init(indices: [Int], sizes: [Int], fallbackSizes: [Int]? = nil) {
        self.indices = indices
        self.sizes = sizes
        self.fallbackSizes = fallbackSizes
    }
}

/// A widget that may be shown, as lists show it.
package struct WidgetSummary: Codable, Sendable, Equatable {
    /// Names the widget, in orders and settings.
    package var kind: String
    /// For people, as its provider says it.
    package var displayName: String
    /// One sentence for people: English where the widget is ours, else as its provider says it.
    package var summary: String
    /// The sizes that it has, as `WidgetFamily/name`.
    package var families: [String]
    /// When its content may be seen, by the name of a class.
    package var protection: String
    /// ``ourProvider``, or the file of the program that provides it.
    package var provider: String

    /// - Parameter provider: ``ourProvider``, or the file of the program that provides it.
    package init(
        kind: String, displayName: String, summary: String, families: [String], protection: String, provider: String
    ) {
        self.kind = kind
        self.displayName = displayName
        self.summary = summary
        self.families = families
        self.protection = protection
        self.provider = provider
    }

    /// Whether it is no widget of somebody else's program.
    package var isOurs: Bool { provider == Self.ourProvider }
    /// What stands for ourselves among the files of providers.
    package static let ourProvider = "tresor"
}

/// What holds for all widgets now.
package struct WidgetSettingsSummary: Codable, Sendable, Equatable {
    /// Whether widgets show their content behind a lock, as far as their class goes.
    package var allowWhenLocked: Bool
    /// By placement.
    package var hideAlwaysOn: [String: HiddenList]
    /// Whether these are the owner's; before the first unlock nobody can read them, and the strictest hold.
    package var isKnown: Bool

    /// - Parameters:
    ///   - hideAlwaysOn: by placement.
    ///   - isKnown: whether these are the owner's.
    package init(allowWhenLocked: Bool, hideAlwaysOn: [String: HiddenList], isKnown: Bool) {
        self.allowWhenLocked = allowWhenLocked
        self.hideAlwaysOn = hideAlwaysOn
        self.isKnown = isKnown
    }
}

/// How the widgets stand.
package struct WidgetStatus: Codable, Sendable, Equatable {
    /// The device's lock state, by its name.
    package var lock: String
    /// How many connections there are.
    package var clients: Int
    /// How many widgets are watched, each place by itself.
    package var watched: Int
    /// Those that are shown somewhere.
    package var widgets: [WidgetState]
    /// Of `tresor-widgets`, for whoever has to end it.
    package var process: Int32

    /// - Parameters:
    ///   - clients: connections.
    ///   - watched: widgets that somebody watches.
    package init(lock: String, clients: Int, watched: Int, widgets: [WidgetState], process: Int32) {
        self.lock = lock
        self.clients = clients
        self.watched = watched
        self.widgets = widgets
        self.process = process
    }
}

/// How a widget that is shown somewhere stands.
package struct WidgetState: Codable, Sendable, Equatable {
    /// Names the widget.
    package var kind: String
    /// Whether there is something to show.
    package var hasTimeline: Bool
    /// Whether its provider is being asked.
    package var isUpdating: Bool
    /// Seconds until its provider is asked again by the clock.
    package var reloadsIn: Int?
    /// Why its provider had nothing the last time.
    package var failure: String?

    /// - Parameters:
    ///   - reloadsIn: seconds; nil where the clock does not ask.
    ///   - failure: why its provider had nothing the last time.
    package init(kind: String, hasTimeline: Bool, isUpdating: Bool, reloadsIn: Int?, failure: String?) {
        self.kind = kind
        self.hasTimeline = hasTimeline
        self.isUpdating = isUpdating
        self.reloadsIn = reloadsIn
        self.failure = failure
    }
}

/// Why tresor-widgets refused; nothing was changed, but where a message says that this is not known.
package struct WidgetError: Error, Codable, Sendable, Equatable, CustomStringConvertible {
    /// What programs tell apart; the words are for people.
    package enum Code: String, Codable, Sendable {
        case unknownKind, unknownFamily, unknownPage
        /// Settings and pages change on an unlocked device alone.
        case deviceLocked
        case invalid, tooLarge, cannotWrite, storage, unavailable
        /// The program is there, and says nothing: it is busy, or was stopped. Never sent; a client finds it out.
        case noAnswer
    }
    /// What programs tell apart.
    package var code: Code
    /// In words, without anything that a widget shows.
    ///
    /// In English, as it is sent and logged.
    package var english: String
    /// The same in the language of whoever reads it.
    package var message: String { translated(english) }

    /// Whether tresor-widgets ended before it answered; nil for false.
    ///
    /// Never sent; a client finds it out.
    package var hasEnded: Bool?

    /// The words alone.
    package var description: String { message }

    private enum CodingKeys: String, CodingKey {
        case code
        case english = "message"
        case hasEnded
    }

    /// tresor-widgets ended before it answered.
    package init(ended message: String) {
        self.init(.unavailable, message)
        hasEnded = true
    }

    /// - Parameter message: without anything that a widget shows.
    package init(_ code: Code, _ message: String) {
        self.code = code
        english = message
    }
}

/// tresor-widgets tells nothing without being asked: who wants to know asks `next`.
package enum WidgetEvent: Codable, Sendable, Equatable {
    case none
}
