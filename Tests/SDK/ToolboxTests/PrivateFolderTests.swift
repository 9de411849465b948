import Foundation
import Glibc
import Linux
import Testing

/// Folders for what an editor or an import may see, in places where others can put things, too.
@Suite struct PrivateFolderTests {
    /// A place as /dev/shm is: everybody's.
    private func place() throws -> String {
        let path = NSTemporaryDirectory() + "tresor-place-" + PrivateFolder.randomName()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        chmod(path, 0o1777)
        return path
    }

    /// A borrowed folder cannot be lent to the macros' closures.
    private func isRefused(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch { return error is LinuxError }
    }

    @Test func `a folder is made for this user alone, under another name each time, and leaves nothing`() throws {
        let place = try place()
        defer { try? FileManager.default.removeItem(atPath: place) }
        let first = try PrivateFolder(in: place, "edit")
        let second = try PrivateFolder(in: place, "edit")
        let (path, other) = (first.path, second.path)
        #expect(path != other)
        let status = try #require(try FileSystem.status(path))
        #expect(status.isDirectory && status.mode == 0o700 && status.owner == getuid())
        try first.write(Array("heron".utf8), as: "note.md")
        #expect(try FileSystem.status(path + "/note.md")?.mode == 0o600)
        let text = try first.read("note.md", limit: 100)
        #expect(text == Array("heron".utf8))
        #expect(isRefused { _ = try first.read("note.md", limit: 4) })
        #expect(isRefused { try first.write([1], as: "note.md") }, "somebody else has put it there")
        first.wipe()
        second.wipe()
        #expect(try FileSystem.names(in: place) == [])
    }

    @Test(arguments: ["folder", "link", "file"])
    func `what somebody has put under the name is not taken`(kind: String) throws {
        let place = try place()
        defer { try? FileManager.default.removeItem(atPath: place) }
        let trap = place + "/edit-known"
        switch kind {
        case "folder":
            mkdir(trap, 0o777)
            if getuid() == 0 { chown(trap, 65_534, 65_534) }
        case "link":
            mkdir(place + "/theirs", 0o777)
            symlink(place + "/theirs", trap)
        default: _ = FileManager.default.createFile(atPath: trap, contents: nil)
        }
        #expect(isRefused { _ = try PrivateFolder(in: place, "edit", name: "known") })
        if kind == "link" { #expect(try FileSystem.names(in: place + "/theirs") == []) }
    }

    @Test func `links and pipes that a program has left are not read`() throws {
        let place = try place()
        defer { try? FileManager.default.removeItem(atPath: place) }
        let folder = try PrivateFolder(in: place, "edit")
        try Data("other".utf8).write(to: URL(fileURLWithPath: place + "/other"))
        symlink(place + "/other", folder.path + "/link")
        mkfifo(folder.path + "/pipe", 0o600)
        #expect(isRefused { _ = try folder.read("link", limit: 100) })
        #expect(isRefused { _ = try folder.read("pipe", limit: 100) })
        folder.wipe()
        #expect(try String(contentsOfFile: place + "/other", encoding: .utf8) == "other", "a link is not followed")
        #expect(try FileSystem.names(in: place) == ["other"])
    }

    @Test func `what is in folders within is overwritten, too`() throws {
        let place = try place()
        defer { try? FileManager.default.removeItem(atPath: place) }
        let folder = try PrivateFolder(in: place, "import")
        try FileManager.default.createDirectory(atPath: folder.path + "/a/b", withIntermediateDirectories: true)
        try Data(repeating: 7, count: 3 << 20).write(to: URL(fileURLWithPath: folder.path + "/a/b/file"))
        // Somebody who has it open sees what becomes of it.
        let kept = try FileDescriptor.open(folder.path + "/a/b/file", O_RDONLY)
        folder.wipe()
        #expect(try kept.read(count: 4 << 20, at: 0).allSatisfy { $0 == 0 })
        #expect(try FileSystem.names(in: place) == [])
    }
}
