import Testing
import Wire

/// How the programs came onto a machine, by what lies there.
@Suite struct InstallationTests {
    private static let package = "/var/lib/dpkg/info/tresor.list"

    private func installation(_ program: String, _ files: String...) -> Installation {
        Installation(program: program, isThere: files.contains)
    }

    @Test func `a package is known by what dpkg keeps of it`() {
        let found = installation("/usr/bin/tresor", Self.package)
        #expect(found == .package && found.removal == ["tresor down", "sudo apt remove tresor"])
        // Another copy beside the package is not the package's.
        #expect(installation("/opt/tresor/tresor", Self.package) == .loose(folder: "/opt/tresor"))
        #expect(installation("/usr/local/bin/tresor", Self.package) == .loose(folder: "/usr/local/bin"))
    }

    @Test(arguments: ["/usr/local", "/home/anna/.local", "/usr"])
    func `what make install has put there is known by its list`(_ prefix: String) {
        let found = installation(prefix + "/bin/tresor", prefix + "/lib/tresor/installed.txt", Self.package)
        #expect(found == .prefix(prefix) && found.removal == ["tresor down", "make uninstall PREFIX=\(prefix)"])
    }

    @Test func `what was built and not installed has nothing to uninstall`() {
        let found = installation("/src/tresor/.build/debug/tresor", "/src/tresor/.build/lib/tresor/installed.txt")
        #expect(found == .loose(folder: "/src/tresor/.build/debug") && found.removal.isEmpty)
        #expect(installation("/usr/bin/tresor") == .loose(folder: "/usr/bin"))
    }
}
