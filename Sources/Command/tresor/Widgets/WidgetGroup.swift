import ArgumentParser
import Linux
import Protection
import Localization
import ResidentClient
import TerminalScreen
import WidgetClient
import Widgets
import Wire

struct WidgetGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "widget",
        abstract: localized("What is seen without unlocking: widgets for bars, lock screens, panels and pages."),
        discussion: localized(
            """
            'tresor widget install HOST' prints what a bar or another program gets into its configuration; it knows \
            \(HostLines.names).

            Widgets show what their class allows, and say nothing of the rest: not its length, not its number. Exit \
            codes: 3 no such widget, 5 locked, 64 usage, 69 not running, 73 cannot be written.
            """),
        subcommands: [
            WidgetList.self, WidgetRender.self, WidgetStreamCommand.self, WidgetSettingsCommand.self,
            WidgetInstall.self, WidgetCheck.self,
            WidgetReload.self, WidgetStatusCommand.self, WidgetServe.self,
            WidgetTokenGroup.self,
        ])
}

/// What every command about widgets takes.
struct WidgetOptions: ParsableArguments {
    @Flag(help: ArgumentHelp(localized("Print JSON.")))
    var json = false

    func connect() throws -> WidgetConnection { try WidgetConnection(home: Self.home()) }

    static func home() throws -> Home {
        try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
    }

    static var unexpected: WidgetError {
        WidgetError(.unavailable, localized("tresor-widgets answered something else"))
    }
}

/// A size, by its name.
struct FamilyName: ExpressibleByArgument {
    let family: WidgetFamily

    init(_ family: WidgetFamily) { self.family = family }

    init?(argument: String) {
        guard let family = WidgetFamily(name: argument) else { return nil }
        self.family = family
    }

    var defaultValueDescription: String { family.name }
    static var allValueStrings: [String] { WidgetFamily.allCases.map(\.name) }
}

/// A placement, by its name.
struct PlacementName: ExpressibleByArgument {
    let placement: WidgetPlacement

    init(_ placement: WidgetPlacement) { self.placement = placement }

    init?(argument: String) {
        guard let placement = WidgetPlacement(name: argument) else { return nil }
        self.placement = placement
    }

    var defaultValueDescription: String { placement.name }
    static var allValueStrings: [String] { WidgetPlacement.allCases.map(\.name) }
}

struct WidgetList: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: localized("Show which widgets there are."))

    @OptionGroup var options: WidgetOptions

    func run() throws {
        guard case .list(let widgets) = try options.connect().ask(.list).reply else { throw WidgetOptions.unexpected }
        if options.json { return try Output.json(widgets) }
        var rows = ListRows(
            [localized("WIDGET"), localized("CLASS"), localized("WHAT IT SHOWS")],
            yielding: [.shortened(2, to: 30), .dropped(1), .shortened(2, to: 12), .dropped(2)])
        for widget in widgets {
            // Ours come in English, which scripts read as it stands; programs of others have words of their own.
            let words = widget.isOurs ? translated(widget.summary) : widget.summary
            try rows.add(
                [widget.kind, widget.protection, words],
                elsewhere: """
                    \(widget.kind)
                      \(widget.summary)
                      \(widget.families.joined(separator: ", ")); class \(widget.protection)
                    """)
        }
        try rows.finish()
    }
}

struct WidgetReload: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: localized("Ask the widgets' providers anew."))

    @Argument(help: ArgumentHelp(localized("A widget's kind or name; all of them where it is left out.")))
    var kind: String?

    func run() throws {
        let connection = try WidgetConnection(home: WidgetOptions.home())
        guard let kind else {
            try connection.ask(.reload(kind: nil))
            return
        }
        _ = try WidgetName.resolving(kind, over: connection) { try connection.ask(.reload(kind: $0)) }
    }
}

struct WidgetStatusCommand: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: localized("Show which widgets are shown now, and how they stand."))

    @OptionGroup var options: WidgetOptions

    func run() throws {
        guard case .status(let status) = try options.connect().ask(.status).reply else {
            throw WidgetOptions.unexpected
        }
        if options.json { return try Output.json(status) }
        let lock = LockState.allCases.first { $0.name == status.lock }?.words ?? status.lock
        try Output.words(localized("device: \(lock); \(status.clients) clients show \(status.watched) widgets"))
        for widget in status.widgets {
            var line =
                widget.hasTimeline
                ? localized("\(widget.kind): has content") : localized("\(widget.kind): has nothing yet")
            if widget.isUpdating { line += localized(", being renewed") }
            if let seconds = widget.reloadsIn { line += localized(", asked again in \(seconds) s") }
            if let failure = widget.failure { line += localized(", last answer: \(failure)") }
            try Output.words(line)
        }
    }
}

struct WidgetSettingsCommand: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: localized("Choose what widgets show while the device is locked."),
        discussion: localized(
            """
            While the device is locked, private content is hidden unless you allow it; Apple's documented default is \
            the other way round. On an always-on display it is hidden for all widgets unless you name some. Widgets of \
            class complete show nothing while locked, whatever is chosen here; but our own widgets of notes and of the \
            keychain's health are of another class where you allow it, and are shown.
            """))

    enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

    @Option(help: ArgumentHelp(localized("on or off: show private content while the device is locked.")))
    var allowWhenLocked: Switch?
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            localized("all, none, or kinds of widgets: what hides private content on an always-on display.")))
    var hideAlwaysOn: [String] = []
    @Option(help: ArgumentHelp(localized("For this placement alone: desktop, lockScreen or remote.")))
    var placement: PlacementName?
    @OptionGroup var options: WidgetOptions

    func validate() throws {
        if placement != nil && hideAlwaysOn.isEmpty {
            throw ValidationError(localized("--placement says for where --hide-always-on is meant"))
        }
        if hideAlwaysOn.count > 1 && (hideAlwaysOn.contains("all") || hideAlwaysOn.contains("none")) {
            throw ValidationError(localized("--hide-always-on takes all, or none, or kinds of widgets"))
        }
    }

    func run() throws {
        let connection = try options.connect()
        let request: WidgetRequest =
            allowWhenLocked == nil && hideAlwaysOn.isEmpty
            ? .settings
            : .changeSettings(
                WidgetSettingsChange(
                    allowWhenLocked: allowWhenLocked.map { $0 == .on }, placement: placement?.placement.name,
                    hideAlwaysOn: list))
        guard case .settings(let settings) = try connection.ask(request).reply else {
            throw WidgetOptions.unexpected
        }
        if options.json { return try Output.json(settings) }
        if !settings.isKnown {
            Output.error(
                localized("what you chose is not known before the first unlock; until then this holds, the strictest"))
        }
        try Output.line("allow-when-locked  \(settings.allowWhenLocked ? "on" : "off")")
        for placement in WidgetPlacement.allCases {
            guard let hidden = settings.hideAlwaysOn[placement.name] else { continue }
            try Output.line("hide-always-on     \(placement.name): \(Self.describe(hidden))")
        }
    }

    private var list: HiddenList? {
        switch hideAlwaysOn.first {
        case nil: nil
        case "all": .all
        case "none": HiddenList.none
        default: .kinds(hideAlwaysOn)
        }
    }

    private static func describe(_ list: HiddenList) -> String {
        switch list {
        case .all: "all"
        case .none: "none"
        case .kinds(let kinds): kinds.joined(separator: " ")
        }
    }
}
