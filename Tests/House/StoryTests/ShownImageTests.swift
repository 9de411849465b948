import Foundation
import Linux
import Testing
import WidgetClient
import Wire

/// Entries of pictures in files, when streams and whoever looks for orphans meet.
@Suite final class ShownImageTests {
    private let home: Home
    private let folder: String
    private var images: ShownImages { ShownImages(home) }
    private var entries: [String] { (try? FileSystem.names(in: home.widgetsFolder + "/images")) ?? [] }

    init() throws {
        let folder = "/dev/shm/tresor-images-\(UUID().uuidString)"
        try FileSystem.makeDirectories(folder)
        chmod(folder, 0o700)
        self.folder = folder
        home = try Home(environment: { $0 == "TRESOR_HOME" ? folder : nil }, user: CurrentProcess.user)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Holds a claim until it is told to let go.
    private final class Holder {
        private var file: FileDescriptor?
        init(_ file: consuming FileDescriptor) { self.file = consume file }
        func release() { file = nil }
    }

    @Test func `a claim is none on an entry that was removed while it waited`() throws {
        let picture = folder + "/widget.png"
        let first = Holder(try images.claim(picture))
        let entry = home.widgetsFolder + "/images/" + (try #require(entries.first))
        let (claimed, looked) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread { [home] in
            let second = try? ShownImages(home).claim(picture)
            claimed.signal()
            looked.wait()
            _ = second
        }
        usleep(100_000)
        try FileSystem.remove(entry)
        first.release()
        #expect(claimed.wait(timeout: .now() + 10) == .success)
        #expect(entries.count == 1, "the stream's picture is known to whoever looks for orphans")
        try FileSystem.replace(picture, with: [1])
        try images.removeOrphans()
        #expect(try FileSystem.status(picture) != nil, "it runs")
        looked.signal()
    }

    @Test func `a picture goes with its stream, and whose stream runs stays until a lock`() throws {
        let (left, kept) = (folder + "/left.png", folder + "/kept.png")
        for path in [left, kept] { try FileSystem.replace(path, with: [1]) }
        let stream = Holder(try images.claim(left))
        let other = Holder(try images.claim(kept))
        #expect(throws: WidgetError.self) { _ = try images.claim(kept) }
        stream.release()
        try images.removeOrphans()
        #expect(try FileSystem.status(left) == nil)
        #expect(try FileSystem.status(kept) != nil)
        try images.removeOrphans(evenHeld: true)
        #expect(try FileSystem.status(kept) == nil)
        #expect(entries.count == 1)
        other.release()
    }

    @Test func `an entry that somebody has filled before names its picture all the same`() throws {
        let picture = folder + "/widget.png"
        Holder(try images.claim(picture)).release()
        let entry = home.widgetsFolder + "/images/" + (try #require(entries.first))
        try FileSystem.replace(entry, with: [UInt8](repeating: 65, count: 5000))
        let stream = Holder(try images.claim(picture))
        try FileSystem.replace(picture, with: [1])
        stream.release()
        try images.removeOrphans()
        #expect(try FileSystem.status(picture) == nil)
    }

    @Test func `who writes entries has no other files removed by that`() throws {
        let open = folder + "/open"
        try FileSystem.makeDirectories(open)
        chmod(open, 0o755)
        let disk = NSTemporaryDirectory() + "tresor-\(UUID().uuidString)"
        try FileSystem.makeDirectories(disk)
        chmod(disk, 0o700)
        defer { try? FileManager.default.removeItem(atPath: disk) }
        var others = [folder + "/diary.txt", open + "/photo.png"]
        if try !FileSystem.isInMemory(disk) { others.append(disk + "/photo.png") }
        for path in others {
            try FileSystem.replace(path, with: [1])
            Holder(try images.claim(path)).release()
        }
        try images.removeOrphans(evenHeld: true)
        for path in others { #expect(try FileSystem.status(path) != nil, "\(path)") }
        #expect(entries == [])
    }
}
