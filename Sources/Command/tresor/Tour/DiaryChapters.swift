import DiaryClient
import DiaryViews
import Linux
import Localization
import ResidentClient
import TerminalScreen
import Tresor
import Wire

extension TourChapter {
    private static let password = "a blue door"
    private static let harbour = "# Harbour\n\nBoats and rain; grandfather told of the whale again.\n"

    static let diary = TourChapter(title: localized("5. The diary")) { device in
        let connection = try DiaryConnection(home: device.home)
        let key = try connection.askForSecret(
            .register(allowsPasscode: false), secrets: MessageSecrets(secret(password)))
        try Output.words(
            localized(
                "   A password is registered. A recovery key of \(key.count) characters is made, and shown once."))
        try Output.line("   \(pad(localized("look inside"), 29)) \(look(connection))")
        for guess in ["a red door", password] {
            try Output.line("   \(signIn(guess)) \(answer(to: guess, connection))")
        }
        var head = EntryHead(date: 1_709_211_900_000_000, timeZone: "Europe/Oslo")
        head.place = DiaryPlace(latitude: 59.913, longitude: 10.752, name: "Oslo")
        head.tags = ["sea"]
        let entry = try connection.entry(.create(NewEntry(head: head)), body: Array(harbour.utf8))
        try Output.line("   \(SafeText.line(DiaryOutput.line(entry)))")
        try Output.line("   \(pad(localized("look inside"), 29)) \(look(connection))")
        try connection.ask(.lock)
        connection.waitForEnd()
        let next = try DiaryConnection(home: device.home)
        try Output.words(localized("   Lock: keys and words are gone with the program's memory"))
        try Output.line("   \(pad(localized("look inside"), 29)) \(look(next))")
        try await Keychain().lock()
        try Output.words(localized("   the device locks too"))
        let third = try DiaryConnection(home: device.home)
        try Output.line("   \(signIn(password)) \(answer(to: password, third))")
        try await Keychain().unlock(passcode: secret("tour"))
        let database = try FileSystem.read(device.home.diaryDatabase)
        try search(database, for: ["grandfather", "Oslo", password, "SQLite format 3"])
    }

    private static func look(_ connection: DiaryConnection) -> String {
        do {
            var unread: [UnreadEntry] = []
            let count = try connection.all(DiaryFilter(), unread: &unread).count
            return localized(count, one: "1 entry", many: "\(count) entries")
        } catch let error as DiaryError { return localized("shut: \(error.message)") } catch {
            return localized("shut")
        }
    }

    private static func signIn(_ guess: String) -> String { pad(localized("sign in with '\(guess)'"), 29) }

    private static func answer(to guess: String, _ connection: DiaryConnection) throws -> String {
        do {
            try connection.ask(.signIn, secrets: MessageSecrets(secret(guess)))
            return localized("open")
        } catch let error as DiaryError { return error.message }
    }
}
