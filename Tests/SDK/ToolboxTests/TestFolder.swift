import Foundation
import Testing

@testable import Tresor

/// A folder for containers, which goes away with its owner.
final class TestFolder {
    let path: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "/containers.XXXXXX").utf8CString)
        path = String(cString: try #require(mkdtemp(&template)))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func open(_ identifier: String = "org.example.diary") throws -> AppContainer {
        try AppContainer(identifier, in: path + "/new/containers")
    }

    func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }
}

/// The code of the error that `body` throws; nil when it throws none.
func code(_ body: () throws -> Void) -> TresorError.Code? {
    do {
        try body()
        return nil
    } catch { return (error as? TresorError)?.code }
}
