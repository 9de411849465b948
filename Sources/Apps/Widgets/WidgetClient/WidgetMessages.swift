package import ResidentClient
package import Wire

/// A client's connection to tresor-widgets, blocking; it starts the program where it does not run.
package typealias WidgetConnection = ResidentConnection<WidgetMessages>

/// What is said between tresor-widgets and its clients; specs/widgets-socket.md.
package enum WidgetMessages: ResidentMessages {
    package typealias Request = WidgetRequest
    package typealias Reply = WidgetReply
    package typealias Event = WidgetEvent

    package static func failure(of reply: WidgetReply) -> WidgetError? {
        if case .error(let error) = reply { return error }
        return nil
    }

    package static func failure(_ kind: ConnectionFailure, _ message: String) -> WidgetError {
        switch kind {
        case .tooLarge: WidgetError(.tooLarge, message)
        case .unavailable: WidgetError(.unavailable, message)
        case .noAnswer: WidgetError(.noAnswer, message)
        case .ended: WidgetError(ended: message)
        }
    }

    package static func isLong(_ request: WidgetRequest) -> Bool {
        // Waits until something changes.
        if case .next = request { return true }
        return false
    }
}

extension ResidentProgram {
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
    package var kind: String
    /// As `WidgetFamily/name`.
    package var family: String
    /// As `WidgetPlacement/name`.
    package var placement: String
    package var isLuminanceReduced: Bool

    package init(kind: String, family: String, placement: String, isLuminanceReduced: Bool = false) {
        self.kind = kind
        self.family = family
        self.placement = placement
        self.isLuminanceReduced = isLuminanceReduced
    }
}

/// What the owner chose for all widgets; what is left out stays.
package struct WidgetSettingsChange: Codable, Sendable, Equatable {
    package var allowWhenLocked: Bool?
    /// For these placements, all where it is left out.
    package var placement: String?
    package var hideAlwaysOn: HiddenList?

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

    package init(indices: [Int], sizes: [Int], fallbackSizes: [Int]? = nil) {
        self.indices = indices
        self.sizes = sizes
        self.fallbackSizes = fallbackSizes
    }
}

package struct WidgetSummary: Codable, Sendable, Equatable {
    package var kind: String
    package var displayName: String
    package var summary: String
    package var families: [String]
    package var protection: String
    /// `tresor`, or the file of the program that provides it.
    package var provider: String

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
}

package struct WidgetSettingsSummary: Codable, Sendable, Equatable {
    package var allowWhenLocked: Bool
    /// By placement.
    package var hideAlwaysOn: [String: HiddenList]
    /// Whether these are the owner's; before the first unlock nobody can read them, and the strictest hold.
    package var isKnown: Bool

    package init(allowWhenLocked: Bool, hideAlwaysOn: [String: HiddenList], isKnown: Bool) {
        self.allowWhenLocked = allowWhenLocked
        self.hideAlwaysOn = hideAlwaysOn
        self.isKnown = isKnown
    }
}

package struct WidgetStatus: Codable, Sendable, Equatable {
    package var lock: String
    package var clients: Int
    package var watched: Int
    package var widgets: [WidgetState]
    package var process: Int32

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
    package var kind: String
    package var hasTimeline: Bool
    package var isUpdating: Bool
    /// Seconds until its provider is asked again by the clock.
    package var reloadsIn: Int?
    /// Why its provider had nothing the last time.
    package var failure: String?

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
    package enum Code: String, Codable, Sendable {
        case unknownKind, unknownFamily, unknownPage
        /// Settings and pages change on an unlocked device alone.
        case deviceLocked
        case invalid, tooLarge, cannotWrite, storage, unavailable
        /// The program is there, and says nothing: it is busy, or was stopped. Never sent; a client finds it out.
        case noAnswer
    }
    package var code: Code
    /// In words, without anything that a widget shows.
    package var message: String

    /// Whether tresor-widgets ended before it answered; nil for false.
    ///
    /// Never sent; a client finds it out.
    package var hasEnded: Bool?

    package var description: String { message }

    /// tresor-widgets ended before it answered.
    package init(ended message: String) {
        self.init(.unavailable, message)
        hasEnded = true
    }

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// tresor-widgets tells nothing without being asked: who wants to know asks `next`.
package enum WidgetEvent: Codable, Sendable, Equatable {
    case none
}
