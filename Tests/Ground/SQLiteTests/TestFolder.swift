import Foundation

/// A folder that goes with its test.
final class TestFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "tresor-sqlite-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
