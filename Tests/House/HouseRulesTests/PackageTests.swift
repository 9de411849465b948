import Foundation
import Testing

/// Packages of a small tree that is made up.
///
/// packaging/deb.py looks into them itself, and names what is wrong.
@Suite(.enabled(if: PackageTools.areInstalled, "dpkg-deb, objdump or readelf is missing"))
struct PackageTests {
    @Test func `packages are the same bytes from two folders, and an installation is removed whole`() throws {
        let outcome = try HouseScript.check("deb.py")
        #expect(outcome.code == 0, "\(outcome.text)")
    }

    @Test func `a tree that was not laid out for packages is refused`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tree-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let outcome = try HouseScript.check("deb.py", folder.path, folder.path)
        #expect(outcome.code == 1 && outcome.text.contains("not laid out for /usr"), "\(outcome.text)")
    }
}

/// What packages are made and looked into with.
enum PackageTools {
    static let areInstalled = ["dpkg-deb", "objdump", "readelf"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
    }
}
