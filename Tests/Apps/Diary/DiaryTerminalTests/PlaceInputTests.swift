import DiaryClient
import Testing

@testable import DiaryTerminal

/// Places as people type them.
@Suite struct PlaceInputTests {
    private let former = DiaryPlace(
        latitude: 59.671, longitude: 10.63, name: "Quay", locality: "Drøbak", country: "Norway")

    private func place(_ typed: String, former: DiaryPlace? = nil) throws -> DiaryPlace? {
        try PlaceInput.place(typed, former: former) { $0 == "Home" ? self.former : nil }
    }

    @Test(
        arguments: [
            ("59.67, 10.63", nil, 59.67, 10.63), ("Drøbak 59.67, 10.63", "Drøbak", 59.67, 10.63),
            ("Café, Rue 3, 48.85,2.35", "Café, Rue 3", 48.85, 2.35), ("-33.9,-18.4", nil, -33.9, -18.4),
            ("Cape 33.9° S, 18.4° E", "Cape", -33.9, 18.4), ("0, 0", nil, 0, 0), ("Pole 90,-180", "Pole", 90, -180),
        ] as [(String, String?, Double, Double)])
    func `name and degrees`(typed: String, name: String?, latitude: Double, longitude: Double) throws {
        #expect(try place(typed) == DiaryPlace(latitude: latitude, longitude: longitude, name: name))
    }

    @Test func `nothing typed is no place, and a name alone is a place that is known`() throws {
        #expect(try place("  ") == nil && place("Home") == former)
        #expect(throws: PlaceProblem.unknownName) { try place("Elsewhere, nan") }
    }

    @Test(arguments: ["59.67", "59.67 10.63", "x 1, y", "0x1p4, 3", "1e1, 2", "5 , ", ", 5"])
    func `what is no place`(typed: String) {
        #expect(throws: PlaceProblem.malformed) { try place(typed) }
    }

    @Test func `beyond the poles there is none`() {
        #expect(throws: PlaceProblem.outside) { try place("90.1, 0") }
        #expect(throws: PlaceProblem.outside) { try place("0, -181") }
    }

    @Test func `what was not touched stays as it was, and a new name keeps town and country`() throws {
        let exact = DiaryPlace(latitude: 59.123456789, longitude: 1 / 3)
        #expect(try place(PlaceInput.label(exact), former: exact) == exact)
        #expect(try place("Pier 59.671, 10.63", former: former)?.locality == "Drøbak")
        #expect(try place("Pier 59.672, 10.63", former: former)?.locality == nil)
        #expect(PlaceInput.label(former) == "Quay 59.671, 10.63" && PlaceInput.label(nil).isEmpty)
        #expect(PlaceInput.number(-0.5) == "-0.5" && PlaceInput.number(10) == "10")
    }
}
