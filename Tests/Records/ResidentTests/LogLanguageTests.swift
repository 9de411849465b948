import Linux
import Localization
import Resident
import ShippedCatalogues
import Testing
import Tresor
import Wire

/// A log is English, whatever language a program speaks to people.
@Suite struct LogLanguageTests {
    private static func speakingGerman<Result>(_ body: () throws -> Result) throws -> Result {
        let entries = [
            "the device is locked": "das Gerät ist gesperrt", "no such item": "kein solches Objekt",
            "there is no home: set HOME, or TRESOR_HOME to an absolute path": "es gibt keinen Ordner",
        ]
        return try Localization.speaking(try MessageCatalogue(CatalogueFile.make(entries)), body)
    }

    @Test func `an error that a person reads in another language is logged in English`() throws {
        try Self.speakingGerman {
            let missing = TresorError(.notFound, localized("no such item"), status: -25300)
            #expect(missing.message == "kein solches Objekt")
            #expect(ResidentLog.words(of: missing) == "no such item (-25300)")
            let locked = TresorError(KeychainError(.interactionNotAllowed, .locked))
            #expect(ResidentLog.words(of: locked).contains("is locked") && !"\(locked)".isEmpty)
            // One that makes its words when it is asked for them.
            #expect("\(Home.Problem.unknown)" == "es gibt keinen Ordner")
            #expect(ResidentLog.words(of: Home.Problem.unknown).hasPrefix("there is no home"))
        }
    }

    @Test func `an English program logs what it says`() {
        let error = TresorError(.unavailable, localized("the daemon named no item"))
        #expect(ResidentLog.words(of: error) == error.message && error.message == "the daemon named no item")
    }
}
