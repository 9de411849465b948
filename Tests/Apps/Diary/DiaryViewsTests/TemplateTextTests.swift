import DiaryViews
import ShippedCatalogues
import Testing

@Suite struct TemplateTextTests {
    init() throws { try ShippedCatalogue.keepAll() }

    /// 2026-11-22, a Sunday, at 14:05 UTC.
    private static let time = LocalTime(microseconds: 1_795_356_300_000_000, zone: DiaryZone("UTC"))

    @Test(arguments: [
        (DiaryLanguage.german, "Sonntag, 22. November 2026, 14:05"),
        (.english, "Sunday, 22 November 2026, 14:05"),
        (.french, "dimanche, 22 novembre 2026, 14:05"),
        (.norwegian, "søndag, 22. november 2026, 14:05"),
    ])
    func `date, time and weekday are those of the entry`(_ language: DiaryLanguage, _ expected: String) {
        #expect(TemplateText.text("{{weekday}}, {{ date }}, {{time}}", at: Self.time, in: language) == expected)
    }

    @Test(arguments: [
        "", "{{", "}}", "{{}}", "{{day}}", "a {{b}} c", "{date}", "{ {date}}", "{{date", "date}}", "`x{{`",
    ])
    func `other braces stay as they are`(_ text: String) {
        #expect(TemplateText.text(text, at: Self.time, in: .english) == text)
    }

    @Test func `braces inside braces and words one behind another are found`() {
        #expect(TemplateText.text("{{{{time}}}}{{time}}", at: Self.time, in: .english) == "{{14:05}}14:05")
        #expect(TemplateText.text("{{no}} {{time}}", at: Self.time, in: .english) == "{{no}} 14:05")
    }
}
