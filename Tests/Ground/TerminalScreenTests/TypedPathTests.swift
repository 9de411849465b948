import Foundation
import TerminalScreen
import Testing

/// Paths that are typed, and the files that they name.
@Suite struct TypedPathTests {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "typed-path-\(UUID().uuidString)/"
        try FileManager.default.createDirectory(atPath: folder + "inner", withIntermediateDirectories: true)
        for name in ["one.txt", "other", ".hidden"] { try Data("there".utf8).write(to: url(name)) }
    }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: folder + name) }
    private func content(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url(name)), as: UTF8.self)
    }

    @Test func `Tab goes as far as there is one way, and then lists the others`() {
        #expect(TypedPath.complete(folder + "on").path == folder + "one.txt")
        #expect(TypedPath.complete(folder + "in").path == folder + "inner/")
        let several = TypedPath.complete(folder + "o")
        #expect(several.path == folder + "o" && several.choices == ["one.txt", "other"])
        #expect(TypedPath.complete(folder).choices == ["inner/", "one.txt", "other"])
        #expect(TypedPath.complete(folder + ".h").path == folder + ".hidden")
        #expect(TypedPath.complete(folder + "none/x") == TypedPath.Completion(path: folder + "none/x", choices: []))
    }

    @Test func `a file that is there stays, unless another one is to go for it, and then until that is whole`() throws {
        #expect(throws: PersonsFileFailure.exists) { _ = try FileToKeep(folder + "other", replaces: false) }
        #expect(throws: PersonsFileFailure.notAFile) { _ = try FileToKeep(folder + "inner", replaces: true) }
        #expect(throws: PersonsFileFailure.unwritable) { _ = try FileToKeep(folder + "none/x", replaces: false) }
        do {
            let unfinished = try FileToKeep(folder + "other", replaces: true)
            unfinished.append(Array("half".utf8))
            #expect(try content("other") == "there")
        }
        #expect(try content("other") == "there")
        let file = try FileToKeep(folder + "other", replaces: true)
        file.append(Array("new ".utf8))
        file.append(Array("text".utf8))
        try file.finish()
        #expect(try content("other") == "new text")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 4, "nothing else is left")
    }

    @Test func `a file goes out in parts, and what is no file does not`() throws {
        let file = try FileToSend(folder + "one.txt", partSize: 3)
        #expect(try file.next() == Array("the".utf8) && file.next() == Array("re".utf8) && file.next() == nil)
        #expect(throws: PersonsFileFailure.absent) { _ = try FileToSend(folder + "none", partSize: 3) }
        #expect(throws: PersonsFileFailure.notAFile) { _ = try FileToSend(folder + "inner", partSize: 3) }
        try Data().write(to: url("empty"))
        let empty = try FileToSend(folder + "empty", partSize: 3)
        #expect(try empty.next() == [] && empty.next() == nil)
    }

    @Test func `a name from elsewhere is one that a file system takes, with an ending behind it`() throws {
        for title in ["字", "é\u{301}", "👩‍👩‍👧‍👦", "x"] {
            let name = TypedPath.fileName(String(repeating: title, count: 200), otherwise: "note") + ".md"
            #expect(name.unicodeScalars.first == title.unicodeScalars.first && name.count > 20)
            let file = try FileToKeep(folder + name, replaces: false)
            try file.finish()
            #expect(try content(name).isEmpty)
        }
    }
}
