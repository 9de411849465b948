import ArgumentParser
import FoundationEssentials
import Linux
import Localization
import ResidentClient
import TerminalScreen
import WidgetClient
import Widgets

struct WidgetTokenGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: localized("Make and remove addresses under which 'tresor widget serve' shows widgets."),
        discussion: localized("Addresses are made and removed while the device is unlocked."),
        subcommands: [WidgetTokenAdd.self, WidgetTokenList.self, WidgetTokenRemove.self])
}

struct WidgetTokenAdd: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: localized("Make an address for one widget, and print it, once."),
        discussion: localized(
            """
            Whoever knows the address, and can reach this machine's own ports, sees what the widget shows there. It \
            is not stored: note it down, or make another.
            """))

    private struct Added: Encodable {
        var id: String
        var path: String
    }

    @Argument(help: ArgumentHelp(localized("The widget's kind; 'tresor widget list' names them.")))
    var kind: String
    @Option(help: ArgumentHelp(localized("Its size.")))
    var family = FamilyName(.systemSmall)
    @Option(
        help: ArgumentHelp(localized("Where it is shown; lockScreen hides what is private while the device is locked."))
    )
    var placement = PlacementName(.lockScreen)
    @Flag(help: ArgumentHelp(localized("For an always-on display that is dimmed.")))
    var reducedLuminance = false
    @OptionGroup var options: WidgetOptions

    func run() throws {
        let order = WidgetOrder(
            kind: kind, family: family.family.name, placement: placement.placement.name,
            isLuminanceReduced: reducedLuminance)
        let token = PageToken.makeRandom()
        guard case .pages(let pages) = try options.connect().ask(.addPage(order, token.digest)).reply,
            let page = pages.first
        else { throw WidgetOptions.unexpected }
        let path = "/w/" + token.text
        if options.json { return try Output.json(Added(id: page.id, path: path)) }
        try Output.line(path)
    }
}

struct WidgetTokenList: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: localized("Show for which widgets there are addresses; the addresses are not stored."))

    @OptionGroup var options: WidgetOptions

    func run() throws {
        guard case .pages(let pages) = try options.connect().ask(.pages).reply else {
            throw WidgetOptions.unexpected
        }
        if options.json { return try Output.json(pages) }
        var rows = ListRows(
            [localized("ID"), localized("WIDGET"), localized("SIZE"), localized("PLACE"), localized("MADE")],
            yielding: [.dropped(4), .dropped(2), .shortened(3, to: 12), .dropped(3)])
        for page in pages {
            let created = Date(timeIntervalSince1970: Double(page.created)).formatted(.iso8601)
            let (kind, family, place) = (page.order.kind, page.order.family, page.order.placement)
            let isDimmed = page.order.isLuminanceReduced
            let dimmed = isDimmed ? ", reduced luminance" : ""
            try rows.add(
                [page.id, kind, family, isDimmed ? localized("\(place), reduced luminance") : place, created],
                elsewhere: "\(page.id)  \(kind), \(family), \(place)\(dimmed), made \(created)")
        }
        try rows.finish()
    }
}

struct WidgetTokenRemove: ParsableCommand, AsksForNoItems {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: localized("Let an address show nothing any more."))

    @Argument(help: ArgumentHelp(localized("Its ID, as 'tresor widget token list' shows it.")))
    var id: String
    @OptionGroup var options: WidgetOptions

    func run() throws { try options.connect().ask(.removePage(id: id)) }
}
