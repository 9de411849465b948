import Linux
import Localization
import NotesClient
import ResidentClient
import TerminalScreen
import Tresor
import Wire

extension TourChapter {
    private static let jam = "# Quince jam\n\nTwo kilos of quinces, and patience.\n"
    private static let letter = "# A letter\n\nDear grandmother, the house is sold.\n"
    private static let passphrase = "Felix of Hamburg"
    private static let hint = "the cat, and where it was born"

    static let notes = TourChapter(title: localized("3. Locked notes")) { device in
        try await Keychain().unlock(passcode: secret("tour"))
        let connection = try NotesConnection(home: device.home)
        var written = [try connection.note(.create(NewNote()), body: Array(jam.utf8))]
        try Output.words(localized("   write '\(SafeText.line(written[0].title))'"))
        try connection.ask(.setPassphrase(hint: hint), secrets: MessageSecrets(secret(passphrase)))
        try Output.words(
            localized("   A passphrase for locked notes is set, with a hint. The device's passcode opens none."))
        try connection.ask(.lock(id: written[0].id))
        try show(localized("locked; setting the passphrase has opened a session"), written, connection)
        try connection.ask(.lockNow)
        try show(localized("Lock Now: the session is over, its keys have left memory"), written, connection)
        try Output.words(localized("   tries"))
        for guess in ["Tom of Cologne", "Felix", "Felix of Bremen", passphrase] {
            try Output.line("      \(pad("'" + guess + "'", 20)) \(answer(to: guess, connection))")
        }
        try show(localized("in the session"), written, connection)
        written.append(try connection.note(.create(NewNote()), body: Array(letter.utf8)))
        try connection.ask(.lock(id: written[1].id))
        try show(
            localized("write '\(SafeText.line(written[1].title))' and lock it: nobody is asked again"), written,
            connection)
        try connection.ask(.lockNow)
        try show(localized("Lock Now shuts both"), written, connection)
    }

    static let notesOnDisk = TourChapter(title: localized("4. What the disk shows of notes")) { device in
        let bytes = try contents(of: device.home.notesFolder)
        let database = try FileSystem.read(device.home.notesDatabase)
        try Output.words(
            localized("   \(bytes.count) bytes in all files of the store; a look at 32 of them: \(sample(database))"))
        let words = ["Quince jam", "patience", "A letter", "grandmother", passphrase, hint, "SQLite format 3"]
        try search(bytes, for: words, width: 34)
        try Output.words(
            localized(
                """
                   (The last one shows that the search works. An open note would not be found either: the
                   device's keys seal the whole store. A lock is a second seal inside, under the passphrase.)
                """))
    }

    private static func show(_ state: String, _ notes: [NoteSummary], _ connection: NotesConnection) throws {
        try Output.line("   \(state)")
        for note in notes {
            let title = pad(SafeText.line(note.title))
            do {
                let text = try connection.ask(.show(id: note.id)).body
                try Output.words(localized("      \(title) opens, \(text.count) bytes"))
            } catch let error as NotesError where error.code == .noteLocked {
                try Output.words(localized("      \(title) shut: \(error.message)"))
            }
        }
    }

    private static func answer(to guess: String, _ connection: NotesConnection) throws -> String {
        do {
            try connection.ask(.unlock(id: nil), secrets: MessageSecrets(secret(guess)))
            return localized("right: a session is open")
        } catch let error as NotesError where error.code == .wrongPassphrase {
            guard let hint = error.hint else { return error.message }
            return localized("\(error.message), and the hint: \(SafeText.line(hint))")
        }
    }

    /// Every byte of a folder's files, those of its folders included.
    private static func contents(of folder: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for path in try FileSystem.names(in: folder).sorted().map({ folder + "/" + $0 }) {
            guard let status = try FileSystem.status(path) else { continue }
            if status.isDirectory { bytes += try contents(of: path) }
            if status.isRegular { bytes += try FileSystem.read(path) }
        }
        return bytes
    }
}
