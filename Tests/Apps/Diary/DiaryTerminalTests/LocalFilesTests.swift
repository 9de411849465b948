import Foundation
import TerminalScreen
import Testing

@testable import DiaryTerminal

/// The files of this computer, as the driver reads and writes them.
@Suite final class LocalFilesTests {
    private let folder = NSTemporaryDirectory() + "diary-files-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: folder + "/deep", withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    }

    private func read(_ name: String) -> String? {
        FileManager.default.contents(atPath: folder + "/" + name).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a file is saved once, for its owner alone, and nothing is written over`() throws {
        do {
            let file = try SavedFile(folder + "/out.jpg")
            file.append(Array("first ".utf8))
            file.append(Array("second".utf8))
            try file.finish()
        }
        #expect(read("out.jpg") == "first second")
        let mode = try FileManager.default.attributesOfItem(atPath: folder + "/out.jpg")[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(throws: FileFailure.exists) { try SavedFile(self.folder + "/out.jpg") }
        #expect(read("out.jpg") == "first second")
    }

    @Test func `of a file that did not come whole nothing is left`() throws {
        do {
            let file = try SavedFile(folder + "/half.jpg")
            file.append(Array("half".utf8))
            #expect(read("half.jpg") == "half")
        }
        #expect(read("half.jpg") == nil)
    }

    @Test func `links, folders and folders that are not there are no place to save to`() throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/link", withDestinationPath: folder + "/elsewhere")
        #expect(throws: FileFailure.exists) { try SavedFile(self.folder + "/link") }
        #expect(throws: FileFailure.exists) { try SavedFile(self.folder + "/deep") }
        #expect(throws: FileFailure.notAFile) { try SavedFile(self.folder + "/deep/") }
        #expect(throws: FileFailure.unwritable) { try SavedFile(self.folder + "/none/out.jpg") }
        #expect(read("elsewhere") == nil)
    }

    @Test func `a file is sent part by part, an empty one as one empty part, and nothing but a file`() throws {
        try write("one", "abc")
        try write("empty", "")
        let file = try StagedFile(folder + "/one")
        #expect(try file.next() == Array("abc".utf8) && file.next() == nil)
        let empty = try StagedFile(folder + "/empty")
        #expect(try empty.next() == [] && empty.next() == nil)
        #expect(throws: FileFailure.notAFile) { try StagedFile(self.folder + "/deep") }
        #expect(throws: FileFailure.absent) { try StagedFile(self.folder + "/none") }
        #expect(throws: FileFailure.notAFile) { try StagedFile("/dev/zero") }
    }

    @Test func `Tab knows files, folders and links to folders`() throws {
        try write("lake.jpg", "")
        try FileManager.default.createSymbolicLink(atPath: folder + "/way", withDestinationPath: folder + "/deep")
        #expect(TypedPath.complete(folder + "/l").path == folder + "/lake.jpg")
        #expect(TypedPath.complete(folder + "/w").path == folder + "/way/")
        #expect(TypedPath.complete(folder + "/").choices == ["deep/", "lake.jpg", "way/"])
        #expect(TypedPath.complete(folder + "/none/x") == TypedPath.Completion(folder + "/none/x", among: []))
        #expect(TypedPath.complete("~").path.hasPrefix("~/"))
    }
}
