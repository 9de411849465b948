import Localization
import ShippedCatalogues
import Testing

@testable import DiaryViews

/// Languages, and what is said in them.
@Suite struct WordsTests {
    init() throws { try ShippedCatalogue.keepAll() }

    @Test(arguments: [
        ([:], DiaryLanguage.english), (["LANG": "de_AT.UTF-8"], .german), (["LANG": "nn_NO"], .norwegian),
        (["LANG": "no"], .norwegian), (["LANG": "C.UTF-8", "LANGUAGE": "de"], .english),
        (["LANG": "POSIX"], .english), (["LANG": "ja_JP.UTF-8"], .english),
        (["LANG": "ja_JP.UTF-8", "LANGUAGE": "ko:fr:de"], .french), (["LC_ALL": "", "LANG": "fr_CA@x"], .french),
        (["LC_ALL": "nb_NO.UTF-8", "LANG": "de_DE"], .norwegian), (["LC_MESSAGES": "de", "LANG": "fr"], .german),
        (["LC_ALL": "C", "LC_MESSAGES": "de"], .english), (["LANG": "DE_de"], .german), (["LANG": "deu"], .english),
        (["LANGUAGE": "nb:de", "LANG": "en_GB.UTF-8"], .norwegian), (["LANG": "::"], .english),
    ])
    func `the language that an environment asks for`(variables: [String: String], language: DiaryLanguage) {
        #expect(DiaryLanguage.chosen { variables[$0] } == language)
    }

    @Test func `the door says what is promised`() {
        #expect(
            DiaryPhrase.passwordsDiffer.text(in: .german)
                == "Passwörter stimmen nicht überein! Bitte erneut versuchen!")
        #expect(DiaryPhrase.signInFailed.text(in: .german) == "Anmeldung fehlgeschlagen")
        #expect(DiaryPhrase.signInFailed.text(in: .norwegian) == "Innloggingen mislyktes")
    }

    @Test func `headings of days`() throws {
        let first = try day("2026-05-01")
        #expect(
            DiaryLanguage.allCases.map { $0.heading(first) } == [
                "Freitag, 1. Mai 2026", "Friday, 1 May 2026", "Vendredi 1er mai 2026", "Fredag 1. mai 2026",
            ])
    }

    @Test func `names of months and days are all there, and all different`() {
        for language in DiaryLanguage.allCases {
            let months = Set((1...12).map(language.name(ofMonth:)))
            let days = Set((1...7).map(language.name(ofWeekday:)))
            let short = Set((1...7).map(language.shortName(ofWeekday:)))
            #expect(months.count == 12 && days.count == 7 && short.count == 7)
            #expect(!months.contains("") && !days.contains("") && short.allSatisfy { $0.count == 2 })
            #expect(language.name(ofMonth: 13) == "" && language.name(ofWeekday: 0) == "")
        }
    }

    @Test func `numbers and their plurals`() {
        let number = 1_234_567
        #expect(
            DiaryLanguage.allCases.map { $0.grouped(number) } == [
                "1.234.567", "1,234,567", "1\u{202f}234\u{202f}567", "1\u{a0}234\u{a0}567",
            ])
        #expect(DiaryLanguage.english.grouped(999) == "999" && DiaryLanguage.english.grouped(-1000) == "−1,000")
        func days(_ count: Int, in language: DiaryLanguage) -> String {
            let number = language.grouped(count)
            return language.phrase(count, one: "\(number) day", many: "\(number) days")
        }
        // French counts nought as one (Académie française: « zéro faute »).
        #expect(days(0, in: .french) == "0 jour" && days(2000, in: .french) == "2\u{202f}000 jours")
        #expect(
            days(0, in: .english) == "0 days" && days(1, in: .german) == "1 Tag" && days(0, in: .german) == "0 Tage")
        #expect(OnThisDay.Distance.years(1).text(in: .german) == "Vor 1 Jahr")
        #expect(OnThisDay.Distance.years(2).text(in: .french) == "Il y a 2 ans")
    }

    @Test func `a diary speaks its language, whatever its process speaks`() throws {
        let french = try ShippedCatalogue.read("fr")
        Localization.speaking(french) {
            #expect(DiaryPhrase.locked.text(in: .german) == "Das Tagebuch ist gesperrt.")
            #expect(DiaryPhrase.locked.text(in: .english) == "The diary is locked.")
            #expect(DiaryLanguage.norwegian.name(ofMonth: 12) == "desember")
        }
    }
}
