import Foundation
import Testing

@testable import Tresor

@Suite struct BackupOfAContainer {
    private let folder: TestFolder
    private let container: AppContainer
    private let database: URL

    init() throws {
        folder = try TestFolder()
        container = try folder.open()
        database = container.applicationSupport.appending(path: "diary.sqlite")
        try Data("x".utf8).write(to: database)
    }

    @Test func `caches and temporary files stay out of backups`() throws {
        #expect(try container.excludedFromBackup() == ["Library/Caches", "tmp"])
        #expect(try container.isExcludedFromBackup(container.caches.appending(path: "CACHEDIR.TAG")))
        #expect(try !container.isExcludedFromBackup(database))
    }

    @Test func `a file is left out by choice, and the choice can be taken back`() throws {
        try container.excludeFromBackup(database)
        #expect(try container.isExcludedFromBackup(database))
        #expect(
            try container.excludedFromBackup() == [
                "Library/Application Support/diary.sqlite", "Library/Caches", "tmp",
            ])
        try container.includeInBackup(database)
        try container.includeInBackup(database)
        #expect(try container.excludedFromBackup() == ["Library/Caches", "tmp"])
    }

    @Test func `the choice goes with a file that is renamed, and is kept after a new opening`() throws {
        try container.excludeFromBackup(database)
        let renamed = container.documents.appending(path: "kept.sqlite")
        try FileManager.default.moveItem(at: database, to: renamed)
        let again = try folder.open()
        #expect(try again.isExcludedFromBackup(renamed))
        #expect(try again.excludedFromBackup().contains("Documents/kept.sqlite"))
    }

    @Test func `a folder takes with it what lies in it`() throws {
        let inner = container.documents.appending(path: "photos/2026")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: inner.appending(path: "a.jpg"))
        try container.excludeFromBackup(inner.appending(path: "a.jpg"))
        try container.excludeFromBackup(container.documents.appending(path: "photos"))
        try Data("y".utf8).write(to: inner.appending(path: "b.jpg"))
        #expect(try container.isExcludedFromBackup(inner.appending(path: "a.jpg")))
        #expect(try container.isExcludedFromBackup(inner.appending(path: "b.jpg")), "by the folder alone")
        #expect(try container.excludedFromBackup() == ["Documents/photos", "Library/Caches", "tmp"])
    }

    @Test func `the whole container can be left out`() throws {
        try container.excludeFromBackup(URL(filePath: container.path))
        #expect(try container.excludedFromBackup() == ["."])
        #expect(try container.isExcludedFromBackup(database))
    }

    @Test func `other programs read the choice by its common name`() throws {
        try container.excludeFromBackup(database)
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/python3")
        python.arguments = [
            "-c", "import os, sys; print(os.getxattr(sys.argv[1], 'user.xdg.robots.backup'))",
            database.path,
        ]
        let output = Pipe()
        python.standardOutput = output
        try python.run()
        python.waitUntilExit()
        #expect(
            String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                == "b'false'\n")
    }

    @Test func `nothing outside the container is marked, by no way`() throws {
        let outside = URL(filePath: folder.path + "/outside")
        try Data("x".utf8).write(to: outside)
        let link = container.documents.appending(path: "link")
        try FileManager.default.createSymbolicLink(
            at: link, withDestinationURL: URL(filePath: folder.path))
        let dots = URL(filePath: container.documents.path + "/../../../../outside")
        for url in [outside, link, link.appending(path: "outside"), dots] {
            #expect(code { try container.excludeFromBackup(url) } == .invalidParameter)
            #expect(code { _ = try container.isExcludedFromBackup(url) } == .invalidParameter)
        }
        #expect(
            code { try container.excludeFromBackup(container.documents.appending(path: "none")) }
                == .notFound)
        #expect(try container.excludedFromBackup() == ["Library/Caches", "tmp"])
    }

    @Test func `pipes, sockets and links are no obstacle to the list`() throws {
        #expect(mkfifo(container.documents.appending(path: "pipe").path, 0o600) == 0)
        try FileManager.default.createSymbolicLink(
            at: container.documents.appending(path: "loop"), withDestinationURL: container.documents)
        #expect(try container.excludedFromBackup() == ["Library/Caches", "tmp"])
    }
}
