import ArgumentParser
import Tresor

struct PresetsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presets", abstract: "List kinds of secrets with the class that is documented for each.",
        discussion: "'tresor keychain add --preset wifi …' takes the class from here.")

    @Flag(help: "As JSON, one array.")
    var json = false

    func run() throws {
        struct Document: Encodable {
            let name: String
            let summary: String
            let `class`: String
        }
        if json {
            return try Output.json(
                ItemPreset.all.map { Document(name: $0.name, summary: $0.summary, class: $0.protectionClass.name) })
        }
        for preset in ItemPreset.all {
            try Output.line([preset.name, preset.protectionClass.name, preset.summary].joined(separator: "\t"))
        }
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
