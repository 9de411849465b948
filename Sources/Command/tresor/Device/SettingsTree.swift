import ArgumentParser
import Localization

/// Everything that can be chosen, by what it is about; without a word more, the device's.
///
/// The parts are the commands that stand beside what they are about as well: `tresor notes settings` and so on.
struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: localized("Show or change what can be chosen: of the device, notes, diary, widgets."),
        subcommands: [Device.self, Notes.self, Diary.self, Widgets.self, IntegritySettingsCommand.self],
        defaultSubcommand: Device.self)

    typealias Device = DeviceSettingsCommand

    struct Notes: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "notes", abstract: NotesSettingsCommand.configuration.abstract)
        @OptionGroup var settings: NotesSettingsCommand

        func run() throws { try settings.run() }
    }

    struct Diary: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diary", abstract: DiarySettingsCommand.configuration.abstract)
        @OptionGroup var settings: DiarySettingsCommand

        func run() throws { try settings.run() }
    }

    struct Widgets: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "widgets", abstract: WidgetSettingsCommand.configuration.abstract,
            discussion: WidgetSettingsCommand.configuration.discussion)
        @OptionGroup var settings: WidgetSettingsCommand

        func run() throws { try settings.run() }
    }
}
