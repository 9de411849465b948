import Foundation

/// Where this checkout lies, for tests that read its files or run its programs.
public enum Checkout {
    /// The folder of Package.swift.
    public static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        while folder.path != "/",
            !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path)
        {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// The folder of the programs under test: what `make test` staged, else the debug build.
    public static let programs =
        ProcessInfo.processInfo.environment["TRESOR_TEST_PROGRAMS"] ?? root.appendingPathComponent(".build/debug").path
}
