import Foundation
import Testing

/// What `tresor widget install` prints stands twice: in packaging/hosts, to read and to try, and in the program.
@Suite struct HostLineTests {
    @Test func `the program prints what lies in packaging, file by file`() throws {
        let folder = HouseRules.root.appendingPathComponent("packaging/hosts")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names.count >= 14)
        let source = try String(
            contentsOf: HouseRules.sources.appendingPathComponent("Command/tresor/Widgets/HostLines.swift"),
            encoding: .utf8)
        for name in names {
            let lines = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
                .components(separatedBy: "\n").map { $0.isEmpty ? "" : "        " + $0 }
            let literal = "#\"\"\"\n" + lines.joined(separator: "\n") + "\n        \"\"\"#"
            #expect(source.contains(literal), "\(name) differs from what HostLines.swift holds")
            #expect(source.contains("\"\(name)\""), "\(name) is offered by no name")
        }
    }
}
