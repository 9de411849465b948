import Foundation
import Testing

@testable import Tresor

@Suite struct ContainerOfAnApp {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func urls(_ container: AppContainer) -> [URL] {
        [
            container.documents, container.library, container.applicationSupport, container.caches,
            container.preferences, container.temporary,
        ]
    }

    private func write(_ url: URL) throws { try Data("x".utf8).write(to: url) }

    private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    @Test func `a new container has its folders, for its owner alone`() throws {
        let before = umask(0)
        defer { umask(before) }
        let container = try folder.open()
        for url in urls(container) { #expect(try folder.mode(url.path) == 0o700) }
        #expect(try folder.mode(folder.path + "/new") == 0o700)
        #expect(container.applicationSupport.path.hasSuffix("/org.example.diary/Library/Application Support"))
        #expect(container.temporary.path.hasSuffix("/org.example.diary/tmp"))
        #expect(container.identifier == "org.example.diary")
    }

    @Test(arguments: [
        "", "diary", ".", "..", "org..diary", ".org.diary", "org.diary.", "org/diary.x", "../org.diary", "org.di ary",
        "org.diary\0", "org.dïary", "org.diary\n", "a." + String(repeating: "b", count: 154),
    ]) func `what is no identifier makes no folder`(_ identifier: String) {
        #expect(code { _ = try folder.open(identifier) } == .invalidParameter)
        #expect(code { _ = try AppContainer.purgeCaches(of: identifier, in: folder.path) } == .invalidParameter)
        #expect((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) == [])
    }

    @Test func `what others could read is mended, and what is a link refused`() throws {
        var container: AppContainer? = try folder.open()
        let documents = try #require(container?.documents.path)
        container = nil
        chmod(documents, 0o755)
        _ = try folder.open()
        #expect(try folder.mode(documents) == 0o700)
        try FileManager.default.removeItem(atPath: documents)
        try FileManager.default.createSymbolicLink(atPath: documents, withDestinationPath: "/tmp")
        #expect(code { _ = try folder.open() } == .notPermitted)
    }

    @Test(.enabled(if: getuid() == 0, "needs root, to make a folder somebody else's"))
    func `what belongs to somebody else is refused`() throws {
        var container: AppContainer? = try folder.open()
        let caches = try #require(container?.caches.path)
        container = nil
        chown(caches, 65534, 65534)
        #expect(code { _ = try folder.open() } == .notPermitted)
        #expect(
            code { _ = try AppContainer.purgeCaches(of: "org.example.diary", in: folder.path + "/new/containers") }
                == .notPermitted)
    }

    @Test func `temporary files are gone at the next opening, and nothing else is`() throws {
        var container: AppContainer? = try folder.open()
        let all = try #require(container.map(urls)).map { $0.appending(path: "file") }
        let inner = try #require(container?.temporary.appending(path: "a/b"))
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        for url in all + [inner.appending(path: "file")] { try write(url) }
        let outside = URL(filePath: folder.path + "/outside")
        try write(outside)
        try FileManager.default.createSymbolicLink(
            at: inner.appending(path: "link"), withDestinationURL: URL(filePath: folder.path))
        container = nil
        container = try folder.open()
        #expect(all.filter { !exists($0) }.map { $0.path.hasSuffix("/tmp/file") } == [true])
        #expect(!exists(inner))
        #expect(exists(outside))
    }

    @Test func `a second process of an app takes nothing from the first`() throws {
        let first = try folder.open()
        let file = first.temporary.appending(path: "draft")
        try write(file)
        let second = try folder.open()
        #expect(exists(file))
        _ = (first.identifier, second.identifier)
    }

    @Test func `caches are purged while the app does not run, and only then`() throws {
        let parent = folder.path + "/new/containers"
        func purge() throws -> Bool { try AppContainer.purgeCaches(of: "org.example.diary", in: parent) }
        #expect(try purge())
        var container: AppContainer? = try folder.open()
        let (cache, document) = try #require(container.map { ($0.caches, $0.documents) })
        try FileManager.default.createDirectory(at: cache.appending(path: "a"), withIntermediateDirectories: true)
        for url in [cache.appending(path: "a/b"), document.appending(path: "c")] { try write(url) }
        #expect(try !purge())
        #expect(exists(cache.appending(path: "a/b")))
        withExtendedLifetime(container) {}
        container = nil
        // A program that another test is just starting holds our descriptors for a moment, and the lock with them.
        var isPurged = false
        for _ in 0..<500 where !isPurged {
            isPurged = try purge()
            if !isPurged { usleep(10_000) }
        }
        #expect(isPurged)
        #expect(try FileManager.default.contentsOfDirectory(atPath: cache.path) == ["CACHEDIR.TAG"])
        #expect(exists(document.appending(path: "c")))
    }

    @Test func `backup programs are told of caches and temporary files by the tag that they know`() throws {
        let container = try folder.open()
        for url in [container.caches, container.temporary] {
            let tag = try String(contentsOf: url.appending(path: "CACHEDIR.TAG"), encoding: .utf8)
            #expect(tag == "Signature: 8a477f597d28d172789f06886806bc55\n")
        }
        #expect(!exists(container.documents.appending(path: "CACHEDIR.TAG")))
    }

    @Test func `an error tells neither path nor identifier`() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/new", withIntermediateDirectories: true)
        try write(URL(filePath: folder.path + "/new/containers"))
        do {
            _ = try folder.open()
            Issue.record("a container inside a file")
        } catch let error as TresorError {
            let told = "\(error.description) \(error.cause ?? "")"
            #expect(!told.contains("containers") && !told.contains("diary"))
        }
    }
}
