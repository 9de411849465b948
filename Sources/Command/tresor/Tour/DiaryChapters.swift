import DiaryClient
import DiaryViews
import Linux
import ResidentClient
import TerminalScreen
import Tresor
import Wire

extension TourChapter {
    private static let password = "a blue door"
    private static let harbour = "# Harbour\n\nBoats and rain; grandfather told of the whale again.\n"

    static let diary = TourChapter(title: "5. The diary") { device in
        let connection = try DiaryConnection(home: device.home)
        let key = try connection.askForSecret(
            .register(allowsPasscode: false), secrets: MessageSecrets(secret(password)))
        try Output.line(
            "   A password is registered. A recovery key of \(key.count) characters is made, and shown once.")
        try Output.line("   look inside                   \(look(connection))")
        for guess in ["a red door", password] {
            try Output.line("   sign in with \(pad("'" + guess + "'", 16)) \(answer(to: guess, connection))")
        }
        var head = EntryHead(date: 1_709_211_900_000_000, timeZone: "Europe/Oslo")
        head.place = DiaryPlace(latitude: 59.913, longitude: 10.752, name: "Oslo")
        head.tags = ["sea"]
        let entry = try connection.entry(.create(NewEntry(head: head)), body: Array(harbour.utf8))
        try Output.line("   \(SafeText.line(DiaryOutput.line(entry)))")
        try Output.line("   look inside                   \(look(connection))")
        try connection.ask(.lock)
        connection.waitForEnd()
        let next = try DiaryConnection(home: device.home)
        try Output.line("   Lock: keys and words are gone with the program's memory")
        try Output.line("   look inside                   \(look(next))")
        try await Keychain().lock()
        try Output.line("   the device locks too")
        let third = try DiaryConnection(home: device.home)
        try Output.line("   sign in with \(pad("'" + password + "'", 16)) \(answer(to: password, third))")
        try await Keychain().unlock(passcode: secret("tour"))
        let database = try FileSystem.read(device.home.diaryDatabase)
        try search(database, for: ["grandfather", "Oslo", password, "SQLite format 3"])
    }

    private static func look(_ connection: DiaryConnection) -> String {
        do {
            var unread: [UnreadEntry] = []
            let count = try connection.all(DiaryFilter(), unread: &unread).count
            return count == 1 ? "1 entry" : "\(count) entries"
        } catch let error as DiaryError { return "shut: \(error.message)" } catch { return "shut" }
    }

    private static func answer(to guess: String, _ connection: DiaryConnection) throws -> String {
        do {
            try connection.ask(.signIn, secrets: MessageSecrets(secret(guess)))
            return "open"
        } catch let error as DiaryError { return error.message }
    }
}
