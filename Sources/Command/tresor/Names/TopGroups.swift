import ArgumentParser
import Localization

/// The words at the top, as help groups them, and all that goes on working there without being shown.
enum TopWords {
    static let groups = [
        CommandGroup(
            name: localized("Daily"),
            subcommands: [
                GetByName.self, AddByName.self, EditByName.self, RemoveByName.self, ListByName.self, FindByName.self,
                GenerateCommand.self, CodeByName.self, CopyByName.self, BrowseItems.self,
            ]),
        CommandGroup(
            name: localized("Lock"),
            subcommands: [Up.self, Status.self, Lock.self, Unlock.self, PasscodeGroup.self]),
        CommandGroup(
            name: localized("Notes, diary, widgets"),
            subcommands: [NotesGroup.self, DiaryGroup.self, WidgetGroup.self]),
        CommandGroup(name: localized("Vault and admin"), subcommands: rest),
    ]

    /// Two groups that have all else, and the spellings that scripts and pages have, which help does not show.
    private static let rest: [any ParsableCommand.Type] = [
        VaultGroup.self, AdminGroup.self, Former<Down>.self,
        Former<TrashList>.self, Former<RestoreByName>.self, Former<EmptyTrash>.self,
        KeychainGroup.self, FormerGroup<ServiceGroup>.self,
        FormerGroup<SettingsCommand>.self,
        FormerGroup<TrustCommand>.self, FormerGroup<SecurityKeyGroup>.self, FormerGroup<AppCommand>.self,
        FormerGroup<ProfileCommand>.self, Former<PresetsCommand>.self, Former<ClassesCommand>.self,
        Former<Doctor>.self, Former<Repair>.self, RepairData.self, Former<Tour>.self, KeepClipboard.self,
    ]
}

/// What is done with a keychain as a whole.
struct VaultGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract: localized("Keychains, trash, import and export, health, accounts with codes."),
        subcommands: [
            Keychains.self, Placed<TrashList>.self, Placed<RestoreByName>.self, Placed<EmptyTrash>.self,
            ImportItems.self, ExportItems.self, HealthCommand.self, Former<BrowseItems>.self, CodeGroup.self,
        ])
}

/// What is set up once, or looked at when something is amiss.
struct AdminGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: localized("Service, settings, apps, profiles, trust, security keys, classes, doctor, repair."),
        discussion: localized(
            "'tresor admin where' names the folders in which everything lies, and says how to uninstall Tresor."),
        subcommands: [
            ServiceGroup.self, SettingsCommand.self, AppCommand.self, ProfileCommand.self, TrustCommand.self,
            SecurityKeyGroup.self,
            Placed<ClassesCommand>.self, Placed<PresetsCommand>.self, Placed<Doctor>.self, Placed<Repair>.self,
            WhereCommand.self, Placed<Tour>.self, Placed<Down>.self,
        ])
}

/// A group of commands at its former place, where it goes on working, and help does not show it.
struct FormerGroup<Group: ParsableCommand>: AsyncParsableCommand {
    static var configuration: CommandConfiguration { Group.configuration.hidden }
}

/// A command at its former place, or at a shorter one, where it works, and help does not show it.
struct Former<Command: ParsableCommand>: ParsableCommand, CommandWrapper {
    static var configuration: CommandConfiguration { Command.configuration.hidden }

    @OptionGroup var command: Command

    var wrapped: any ParsableCommand { command }
}

/// The same command where help shows it.
///
/// Both are wrapped: of a command that stood bare in one place, usage in the other would say the name twice.
struct Placed<Command: ParsableCommand>: ParsableCommand, CommandWrapper {
    static var configuration: CommandConfiguration { Command.configuration }

    @OptionGroup var command: Command

    var wrapped: any ParsableCommand { command }
}

/// A command that only stands for another, which is run in its place.
protocol CommandWrapper {
    var wrapped: any ParsableCommand { get }
}

extension CommandConfiguration {
    fileprivate var hidden: CommandConfiguration {
        var hidden = self
        hidden.shouldDisplay = false
        return hidden
    }
}
