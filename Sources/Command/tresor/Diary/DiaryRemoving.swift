import ArgumentParser
import DiaryClient
import Localization
import ResidentClient

struct DiaryDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: localized("Move an entry to the trash; from the trash for good with --forever."))

    @Argument(
        help: ArgumentHelp(
            localized("The entry: its first words, its id, or the beginning of the id."), valueName: "entry"))
    var named: EntryName
    @Flag(help: ArgumentHelp(localized("Remove what is in the trash for good.")))
    var forever = false
    @OptionGroup var consent: ConsentOption

    func run() throws {
        let connection = try DiaryOptions().connect()
        let id = try named.forChange(connection, isInTrash: forever)
        if forever { try consent.ask(localized("Delete it for good?")) }
        try connection.ask(.delete(id: id, forever: forever))
    }
}

struct DiaryRestore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: localized("Take an entry back from the trash, or make one of a text whose head is lost."),
        discussion: localized(
            """
            Where an entry's head is damaged or gone, 'list' names it. Its text becomes an entry of today then; date, \
            place, tags and files are lost, unless 'tresor repair --from' finds them in an earlier copy: do that first.
            """))

    @OptionGroup var options: DiaryOptions
    @Argument(
        help: ArgumentHelp(
            localized("The entry: its first words, its id, or the beginning of the id."), valueName: "entry"))
    var named: EntryName

    func run() throws {
        let connection = try options.connect()
        let id = try named.forChange(connection, isInTrash: true)
        try DiaryOutput.print(try connection.entry(.restore(id: id)), json: options.json)
    }
}
