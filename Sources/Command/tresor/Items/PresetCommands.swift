import ArgumentParser
import Localization
import TerminalScreen
import Tresor

struct PresetsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presets",
        abstract: localized("List kinds of secrets with the class that is documented for each."),
        discussion: localized(
            """
            'tresor keychain add --preset wifi …' takes the class from here. Some kinds are documented as always \
            readable, or as free to leave the device; --strict shows the stricter class of these, and 'keychain add \
            --preset … --strict' takes it.
            """))

    @Flag(help: ArgumentHelp(localized("As JSON, one array.")))
    var json = false
    @Flag(help: ArgumentHelp(localized("With the stricter class, where there is one.")))
    var strict = false

    func run() throws {
        let selection: ItemPreset.Selection = strict ? .strict : .documented
        struct Document: Encodable {
            let name: String
            let summary: String
            let `class`: String
        }
        if json {
            return try Output.json(
                ItemPreset.all.map {
                    Document(name: $0.name, summary: $0.summary, class: $0.protectionClass(selection).name)
                })
        }
        var rows = ListRows(
            [localized("PRESET"), localized("CLASS"), localized("WHAT IT IS FOR")],
            yielding: [.shortened(2, to: 30), .dropped(1), .shortened(2, to: 12), .dropped(2)])
        for preset in ItemPreset.all {
            let cells = [preset.name, preset.protectionClass(selection).name]
            // Scripts read it as it stands here.
            try rows.add(
                cells + [translated(preset.summary)], elsewhere: (cells + [preset.summary]).joined(separator: "\t"))
        }
        try rows.finish()
    }
}

/// `--preset`.
struct PresetName: ExpressibleByArgument {
    let value: ItemPreset

    init?(argument: String) {
        guard let value = ItemPreset(name: argument) else { return nil }
        self.value = value
    }

    static var allValueStrings: [String] { ItemPreset.all.map(\.name) }
}
