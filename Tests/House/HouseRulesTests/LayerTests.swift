import Checkout
import Foundation
import Testing

@Suite struct LayerTests {
    private func folders(_ path: String) throws -> [String] {
        let folder = Checkout.root.appendingPathComponent(path)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
            (try? folder.appendingPathComponent(name).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
        }
    }

    @Test func `no target is granted what stands below it`() {
        #expect(House.targets.count > 60 && House.upward(House.targets) == [])
        // The rule would see one.
        let turned = House.read("[Vault]\nWire: Enclave | Glibc\nEnclave: Wire\n").targets
        #expect(House.upward(turned) == ["Wire → Enclave"])
        #expect(turned.map(\.outside) == [["Glibc"], []])
    }

    /// Whatever it links lies in the process that holds every key.
    @Test func `the enclave reaches neither the keychain protocol nor the formats of others`() {
        let needed = House.reached(from: "tresor-enclave", in: House.targets)
        #expect(needed == ["CLinux", "Linux", "Secrets", "Protection", "EnclaveWire", "KeyEnvelopes", "Enclave"])
        // The rule would see more.
        let wider = House.read("[Vault]\nWire:\nEnclave: Wire\ntresor-enclave: Enclave\n").targets
        #expect(House.reached(from: "tresor-enclave", in: wider) == ["Wire", "Enclave"])
    }

    /// It brings ICU's tables, 39 MB for each installation: docs/decisions/0039-sqlite-without-foundation.md.
    @Test func `no program reaches Foundation`() {
        let large: Set = ["Foundation", "FoundationInternationalization"]
        func heavy(_ targets: [House.Target]) -> [String] {
            let programs = targets.filter { $0.name.hasPrefix("tresor") }.map(\.name)
            return programs.filter { program in
                let needed = House.reached(from: program, in: targets).union([program])
                return targets.contains { needed.contains($0.name) && !large.isDisjoint(with: $0.outside) }
            }
        }
        #expect(House.targets.count { $0.name.hasPrefix("tresor") } > 8 && heavy(House.targets) == [])
        // The rule would see one.
        let wider = House.read("[Vault]\nWire: | Foundation\nEnclave: Wire\ntresor-enclave: Enclave\n").targets
        #expect(heavy(wider) == ["tresor-enclave"])
    }

    @Test func `each folder of a wing is a target of it, and each target lies in its wing`() throws {
        for wing in House.wings {
            let inner = House.wings.map(\.folder).filter { $0.hasPrefix(wing.folder + "/") }
                .map { String($0.dropFirst(wing.folder.count + 1)) }
            let targets = House.targets.filter { $0.wing == wing.folder }.map(\.name)
            #expect(try Set(folders("Sources/" + wing.folder)) == Set(targets + inner), "\(wing.folder)")
            #expect(!wing.sentence.isEmpty, "\(wing.folder) says what it is")
        }
    }

    @Test func `nothing lies in Sources beside the wings`() throws {
        let tops = Set(House.wings.map { String($0.folder.prefix { $0 != "/" }) })
        #expect(try Set(folders("Sources")) == tops)
        let apps = House.wings.map(\.folder).filter { $0.hasPrefix("Apps/") }.map { String($0.dropFirst(5)) }
        #expect(try Set(folders("Sources/Apps")) == Set(apps))
    }

    @Test func `Package has the wings in the same order`() throws {
        let package = try String(
            contentsOf: Checkout.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let order = House.wings.map { package.range(of: "\"Sources/\($0.folder)\",")?.lowerBound }
        #expect(order.allSatisfy { $0 != nil }, "each wing has its place in Package.swift")
        #expect(order.compactMap { $0 } == order.compactMap { $0 }.sorted(), "and in this order")
    }

    @Test func `the picture of the house and the table of wings are those of LAYERS`() throws {
        let outcome = try HouseScript.check("house.py")
        #expect(outcome.code == 0, "\(outcome.text)")
    }

    @Test func `each wing has a page of at most 25 lines that names its targets`() throws {
        for top in Set(House.wings.map { String($0.folder.prefix { $0 != "/" }) }) {
            let file = HouseRules.sources.appendingPathComponent(top + "/README.md")
            guard let text = try? String(contentsOf: file, encoding: .utf8) else {
                Issue.record("\(top) has no README.md")
                continue
            }
            #expect(text.components(separatedBy: "\n").count <= 26, "\(top)")
            let isC = { (name: String) in name.hasPrefix("C") && name.dropFirst().first?.isUppercase == true }
            for target in House.targets where target.wing == top || target.wing.hasPrefix(top + "/") {
                #expect(isC(target.name) || text.contains("`\(target.name)`"), "\(top) says nothing of \(target.name)")
            }
        }
    }
}
