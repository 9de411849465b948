import Checkout
import Certificates
import Foundation
import Protection
import Testing
import Tresor
import Wire

@testable import KeychainTerminal

/// Which keychain is shown: the owner's, and those made of files.
@Suite struct KeychainChoiceTests {
    /// The sample in two keychains, and the two of the system.
    private static func stage() -> Stage {
        var listing = Listing.sample
        listing.keychains = ["login", "work"]
        for index in [1, 3, 6] { listing.records[index].keychain = "work" }
        var stage = Stage(listing)
        stage.system = [.system: .ofFiles(.system), .systemRoots: .ofFiles(.systemRoots)]
        return stage
    }

    private static func head(_ stage: Stage) -> String { String(stage.text.prefix { $0 != "\n" }) }

    @Test func `K goes through all, the owner's keychains, System and System Roots, and back to all`() {
        var stage = Self.stage()
        var seen: [String] = []
        stage.forget()
        for _ in 0..<6 {
            seen.append("\(stage.screen.records.choice.title): \(stage.screen.records.rows.count)")
            stage.press(.text("K"))
        }
        #expect(
            seen == [
                "Tresor keychain: 7", "Keychain “login”: 4", "Keychain “work”: 3", "System, read-only: 2",
                "System Roots, read-only: 2", "Tresor keychain: 7",
            ])
        #expect(stage.effects == [.listSystem(.system), .listSystem(.systemRoots)])
    }

    @Test func `one keychain of the owner's is not offered besides all of them`() {
        var listing = Listing.sample
        #expect(KeychainChoice.choices(nil) == [.all, .system(.system), .system(.systemRoots)])
        listing.keychains = ["login"]
        #expect(KeychainChoice.choices(listing).count == 3)
        listing.keychains = []
        listing.records[0].keychain = "work"
        #expect(KeychainChoice.choices(listing).prefix(3) == [.all, .own("login"), .own("work")])
    }

    @Test func `an identity in a keychain is made of what lies there`() throws {
        var stage = Self.stage()
        stage.press(.text("K"), .text("K"), .backTab)
        #expect(stage.screen.records.rows.count == 1 && stage.text.contains("www.example"))
        stage.listing.records[6].keychain = nil
        stage.press(.control("r"))
        #expect(stage.screen.records.rows.isEmpty)
        // Another certificate of its key may lie elsewhere, and keeps the key.
        stage.listing.addCertificate("renewed", days: 100, keyHash: [1, 2, 3])
        stage.listing.records[6].keychain = "work"
        stage.press(.control("r"))
        #expect(stage.listing.removal(of: try #require(stage.screen.records.shown?.identities.first)).count == 1)
    }

    @Test func `a certificate of the system's is shown, and is neither revealed, copied nor deleted`() {
        var stage = Self.stage()
        stage.press(.tab, .text("K"), .text("K"), .text("K"))
        #expect(stage.screen.records.filter == .all && Self.head(stage).hasPrefix(" System, read-only"))
        stage.forget()
        stage.press(.text("d"))
        #expect(stage.screen.dialog == nil && stage.text.contains("System, read-only: only root changes its files."))
        stage.press(.text("r"))
        #expect(stage.text.contains("all that is in it stands here") && stage.text.contains("CN=Example Root"))
        stage.press(.text("y"), .text("d"))
        #expect(stage.screen.dialog == nil && stage.text.contains("only root changes"))
        stage.press(.escape, .text("j"), .text("y"))
        #expect(stage.text.contains("CN=Old Root") && stage.text.contains("This certificate has expired."))
        #expect(stage.effects.isEmpty)
    }

    @Test func `its files are found by search, and an empty one says so`() {
        var stage = Self.stage()
        stage.system[.systemRoots] = Listing()
        stage.press(.text("K"), .text("K"), .text("K"), .text("/"))
        stage.type("certificates/1")
        #expect(stage.screen.records.rows.count == 1 && stage.text.contains("Old Root"))
        stage.press(.enter, .text("K"), .escape)
        #expect(stage.text.contains("No certificates."))
    }

    @Test func `what was refused is said, and read anew`() {
        var stage = Self.stage()
        stage.system[.system]?.note = "One file or folder is refused; tresor trust roots says why."
        stage.press(.text("K"), .text("K"), .text("K"))
        #expect(stage.text.contains("One file or folder is refused"))
        stage.system[.system] = .ofFiles(.system)
        stage.press(.control("r"))
        #expect(!stage.text.contains("refused") && stage.effects.last == .listSystem(.system))
    }

    @Test func `an answer for a keychain that is no longer chosen is not shown`() {
        var stage = Self.stage()
        stage.feed(.systemListed(.systemRoots, .ofFiles(.systemRoots)))
        #expect(stage.screen.records.rows.count == 7)
        stage.press(.text("K"), .text("K"), .text("K"))
        stage.feed(.systemListed(.systemRoots, Listing()))
        #expect(stage.screen.records.rows.count == 2)
    }

    @Test func `a lock takes the names of the owner's keychains off the screen, and leaves the system's`() {
        var stage = Self.stage()
        stage.press(.text("K"), .text("K"))
        stage.listing = .whileLocked
        stage.feed(.evicted)
        stage.feed(.lockState(.locked))
        #expect(stage.screen.records.choice == .all && !"\(stage.screen)".contains("\"work\""))
        stage.feed(.passcodeCancelled)
        stage.press(.text("K"), .text("K"))
        stage.feed(.evicted)
        stage.feed(.lockState(.locked))
        #expect(stage.text.contains("Example Root") && Self.head(stage).contains("System Roots, read-only"))
    }

    @Test func `what is shut is counted in each keychain of the owner's`() {
        var listing = Listing.whileLocked
        listing.keychains = ["login", "work"]
        var stage = Stage(listing, state: .locked)
        stage.feed(.passcodeCancelled)
        stage.press(.text("K"), .text("K"))
        #expect(stage.screen.records.choice == .own("work") && stage.screen.records.rows.count == 3)
        stage.listing.keychains = ["login"]
        stage.press(.control("r"))
        #expect(stage.screen.records.choice == .all)
    }

    @Test func `an item says which keychain it lies in`() throws {
        var listing = Listing()
        listing.add(.password, [.label: .string("one"), try #require(AttributeCode("kchn")): .string("work")])
        listing.add(.password, [.label: .string("two")])
        #expect(listing.records.map(\.keychain) == ["work", nil])
        #expect(listing.records[0].facts.contains { $0.name == "Keychain" && $0.value == "work" })
        #expect(!listing.records[0].facts.contains { $0.name.hasPrefix("Attribute") })
    }

    @Test func `the files of a keychain become records that are read-only`() throws {
        let tests = Checkout.root.appendingPathComponent("Tests/SDK")
        let top = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent("roots-\(UUID().uuidString)")
        let folder = top.appendingPathComponent("certificates")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: top) }
        let bytes = try Data(contentsOf: tests.appendingPathComponent("CertificateTests/Vectors/p256-certificate.pem"))
        let (good, bad) = (folder.path + "/a.pem", folder.path + "/b.pem")
        for path in [good, bad] { #expect(FileManager.default.createFile(atPath: path, contents: bytes)) }
        for (path, mode) in [(top.path, 0o755), (folder.path, 0o755), (good, 0o644), (bad, 0o666)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        var places = SystemPlaces()
        places.owner = getuid()
        places.top = top.path
        places.folders = [SystemPlaces.Folder(folder.path, ["pem"], isDeep: false)]
        places.rootsFile = top.path + "/none.crt"
        let listing = Listing(of: .system, Listing.reader, date: 0, places: places)
        let record = try #require(listing.records.first)
        #expect(listing.records.count == 1 && listing.note.contains("One file or folder is refused"))
        #expect(record.isReadOnly && record.label == "p256.example" && record.secretReference == nil)
        #expect(record.facts.contains { $0.name == "Trusted" && $0.value == "as a root" })
        #expect(record.facts.contains { $0.name == "File" && $0.value.hasSuffix("a.pem") })
        let missing = Listing(of: .systemRoots, Listing.reader, date: 0, places: places)
        #expect(missing.records.isEmpty && missing.note.contains("no list of roots"))
    }
}
