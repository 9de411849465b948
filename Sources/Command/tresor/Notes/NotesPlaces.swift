import ArgumentParser
import DiaryClient
import DiaryViews
import Localization
import NotesClient
import ResidentClient
import TerminalScreen
import Wire

struct NotesPlace: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place", abstract: localized("Attach a place to a note, and print the attachment's id."),
        discussion: localized(
            "A locked note may hold places. 'tresor notes map' draws one; nothing is asked of any network."))

    @OptionGroup var options: NotesOptions
    @Argument(
        help: ArgumentHelp(localized("The note: its title, its id, or the beginning of the id."), valueName: "note"))
    var note: NoteName
    @Argument(
        help: ArgumentHelp(
            localized("Degrees north and east (WGS 84), such as '63.4305, 10.3951'; south and west are negative.")))
    var position: String
    @Option(help: ArgumentHelp(localized("What the place is called.")))
    var name = ""

    func run() throws {
        let degrees = position.split(separator: ",").map { Double($0.filter { $0 != " " }) }
        guard degrees.count == 2, let latitude = degrees[0], let longitude = degrees[1],
            let place = SavedPlace(latitude: latitude, longitude: longitude, name: name)
        else {
            throw Failure(
                ExitCode.usage, localized("that is no place on Earth, or no name of one"),
                hint: localized(
                    "give degrees north and east, such as '63.4305, 10.3951'; a name is one line of at most 255 bytes")
            )
        }
        let file = (name.isEmpty ? "place" : String(name.filter { $0 != "/" }.prefix(60))) + ".geojson"
        var new = NewAttachment(name: file, kind: .map, mediaType: SavedPlace.mediaType)
        new.demandedKind = .map
        let connection = try options.connect()
        let reply = try connection.ask(.attach(id: note.forChange(connection), new), body: Array(place.fileText.utf8))
            .reply
        guard case .attachment(let attachment) = reply else { throw NotesConnection.unexpected }
        if options.json { try Output.json(attachment) } else { try Output.line(attachment.id) }
    }
}

struct NotesMap: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map", abstract: localized("Draw the places of a note on a map; nothing is asked of any network."))

    @OptionGroup var options: NotesOptions
    @Argument(
        help: ArgumentHelp(localized("The note: its title, its id, or the beginning of the id."), valueName: "note"))
    var note: NoteName
    @Option(help: ArgumentHelp(localized("Columns, 20 to 500.")))
    var columns = 78
    @Option(help: ArgumentHelp(localized("Lines, 5 to 200.")))
    var rows = 22

    func validate() throws {
        guard (20...500).contains(columns) else { throw ValidationError(localized("--columns is from 20 to 500")) }
        guard (5...200).contains(rows) else { throw ValidationError(localized("--rows is from 5 to 200")) }
    }

    func run() throws {
        let connection = try options.connect()
        let id = try note.forReading(connection)
        guard case .attachments(let all) = try connection.ask(.attachments(id: id)).reply else {
            throw NotesConnection.unexpected
        }
        let places = all.compactMap(\.place)
        // Whether one whose record cannot be read was a place, nobody knows.
        let unread = all.filter { $0.isUnread && $0.kind != .website }
        if options.json {
            try Output.json(places)
        } else if !places.isEmpty {
            try draw(places)
        } else if unread.isEmpty {
            throw NotesError(.notFound, localized("there is no place in this note"))
        }
        try NotesOutput.report(unread: unread, of: id)
    }

    private func draw(_ places: [SavedPlace]) throws {
        let shown = places.compactMap { DiaryPlace(latitude: $0.latitude, longitude: $0.longitude, name: $0.name) }
        for line in TerminalMap(of: shown, columns: columns, rows: rows).plainLines { try Output.line(line) }
        for place in places { try Output.words(SafeText.line(place.words)) }
    }
}
