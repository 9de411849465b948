import Checkout
import Foundation
import Testing

/// Compares a text with docs/screens/diary.
///
/// With `TRESOR_WRITE_SCREENS=1` in the environment the file is written instead; look at it before you commit.
func expectGolden(_ text: String, _ name: String) throws {
    let folder = Checkout.root.appendingPathComponent("docs/screens/diary")
    let file = folder.appendingPathComponent(name + ".txt")
    if ProcessInfo.processInfo.environment["TRESOR_WRITE_SCREENS"] == "1" {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try (text + "\n").write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try text + "\n" == String(contentsOf: file, encoding: .utf8))
}
