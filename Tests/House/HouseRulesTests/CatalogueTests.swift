import Testing

/// The sentences of the sources and their translations.
struct CatalogueTests {
    @Test func `every sentence is translated, with the gaps that it has, and none is left over`() throws {
        let outcome = try HouseScript.check("catalogues.py")
        #expect(outcome.code == 0, "\(outcome.text)")
        #expect(outcome.text.contains("in 3 languages"), "\(outcome.text)")
    }
}
