import Foundation
import ShippedCatalogues
import Testing

@testable import Localization

/// Which catalogues are looked for again.
@Suite struct CatalogueShelfTests {
    /// A folder of catalogues that goes with the test.
    private final class Place {
        let folder = NSTemporaryDirectory() + "tresor-catalogues-" + UUID().uuidString
        var german: String { folder + "/de/LC_MESSAGES/tresor.mo" }

        init() throws {
            try FileManager.default.createDirectory(
                atPath: folder + "/de/LC_MESSAGES", withIntermediateDirectories: true)
        }

        func write() throws {
            let bytes = CatalogueFile.make(["unlocked": "entsperrt"], header: CatalogueFile.header)
            try Data(bytes).write(to: URL(fileURLWithPath: german))
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }
    }

    @Test func `a catalogue that could not be read once is read at the next need`() throws {
        let place = try Place()
        // A link that leads to itself can be opened by nobody, root neither.
        try FileManager.default.createSymbolicLink(atPath: place.german, withDestinationPath: place.german)
        var shelf = CatalogueShelf()
        #expect(shelf.catalogue(of: "de", in: [place.folder]) == nil)
        try FileManager.default.removeItem(atPath: place.german)
        try place.write()
        let found = shelf.catalogue(of: "de", in: [place.folder])
        #expect(localized("unlocked", in: found) == "entsperrt")
    }

    @Test func `one that is not there is looked for once, and one that is there is read once`() throws {
        let place = try Place()
        var shelf = CatalogueShelf()
        #expect(shelf.catalogue(of: "de", in: [place.folder]) == nil)
        try place.write()
        #expect(shelf.catalogue(of: "de", in: [place.folder]) == nil)
        var other = CatalogueShelf()
        #expect(other.catalogue(of: "de", in: ["/nowhere", place.folder]) != nil)
        try FileManager.default.removeItem(atPath: place.german)
        #expect(other.catalogue(of: "de", in: ["/nowhere", place.folder]) != nil)
    }
}
