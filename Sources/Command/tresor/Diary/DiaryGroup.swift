import ArgumentParser
import DiaryClient
import DiaryViews
import Linux
import Localization
import ResidentClient
import Secrets
import SoughtNames
import Wire

struct DiaryGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diary",
        abstract: localized("A diary of photos, text and sound that its owner alone can open."),
        discussion: localized(
            """
            It has a password of its own, which is asked for at every start; 'tresor diary lock', the device's lock, \
            or five minutes without input end what it opened. Where an entry is named, its first words do, or the \
            beginning of its id. Exit codes: 3 no such entry, 4 several that begin so, 5 locked or not signed in, 6 \
            wrong password, 7 refused, 8 damaged, 64 usage, 69 not running, 73 disk cannot be written.
            """),
        subcommands: [
            DiaryBrowse.self, DiaryRegister.self, DiarySignIn.self, DiaryLock.self, DiaryPassword.self, DiaryAdd.self,
            DiaryEdit.self,
            DiaryList.self, DiaryShow.self, DiarySearch.self, DiaryOnThisDay.self, DiaryTags.self,
            DiaryTemplateGroup.self,
            DiaryDelete.self,
            DiaryRestore.self, DiaryExtract.self, DiaryCalendar.self, DiaryMap.self,
            DiaryStatistics.self, DiaryImport.self, DiaryExport.self,
            DiaryStatusCommand.self, DiarySettingsCommand.self,
        ],
        defaultSubcommand: DiaryBrowse.self)
}

/// What every command about the diary takes.
struct DiaryOptions: ParsableArguments {
    @Flag(help: ArgumentHelp(localized("Print JSON.")))
    var json = false

    func connect() throws -> DiaryConnection { try DiaryConnection(home: Self.home()) }

    static func home() throws -> Home {
        try Home(environment: CurrentProcess.environment, user: CurrentProcess.user)
    }

    static var language: DiaryLanguage { DiaryLanguage.chosen { CurrentProcess.environment($0) } }

    /// Where the one who types is.
    static var zone: DiaryZone { .current }

    static var viewpoint: Viewpoint { Viewpoint(now: SystemClock.wallMicroseconds(), zone: zone) }
}

extension ResidentConnection<DiaryMessages> {
    func entry(_ request: DiaryRequest, body: [UInt8] = []) throws -> EntrySummary {
        guard case .entry(let entry) = try ask(request, body: body).reply else { throw Self.unexpected }
        return entry
    }

    /// All entries that a filter lets through.
    ///
    /// - Parameters:
    ///   - limit: at most so many.
    ///   - unread: what is damaged is added.
    func all(_ filter: DiaryFilter, limit: Int = .max, unread: inout [UnreadEntry]) throws -> [EntrySummary] {
        var (filter, entries) = (filter, [EntrySummary]())
        filter.limit = limit
        let reply = try askForRows(.listAll(filter), of: EntrySummary.self) { entries.append($0) }
        guard case .list(let list) = reply else { throw Self.unexpected }
        unread += list.unread ?? []
        return entries
    }

    func status() throws -> DiaryStatus {
        guard case .status(let status) = try ask(.status).reply else { throw Self.unexpected }
        return status
    }

    /// Fails early, before a text was typed or a file was read, where nobody is signed in.
    func requireSignIn() throws {
        let status = try status()
        guard status.isRegistered else {
            throw DiaryError(.notRegistered, localized("no password is registered for the diary yet"))
        }
        guard status.isSignedIn else { throw DiaryError(.signedOut, localized("nobody is signed in to the diary")) }
    }

    /// How short these ids may be, so that each is told from those of all entries, also of the trash.
    func shortIDs(of ids: [String]) throws -> ShortIDs {
        try ShortIDs(of: ids, isAmbiguous: isAmbiguous) {
            var unread: [UnreadEntry] = []
            let parts: [DiaryFilter.Part] = [.timeline, .drafts, .trash]
            return try parts.flatMap { part in
                var filter = DiaryFilter()
                filter.part = part
                return try all(filter, unread: &unread).map(\.id)
            }
        }
    }

    private func isAmbiguous(_ beginning: String) throws -> Bool {
        do {
            _ = try entry(.find(id: beginning))
            return false
        } catch let error as DiaryError { return error.code == .ambiguous }
    }

    static var unexpected: DiaryError { DiaryError(.unavailable, localized("tresor-diary answered something else")) }
}
