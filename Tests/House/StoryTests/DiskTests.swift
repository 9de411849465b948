import Conformance
import Foundation
import Linux
import Secrets
import Testing
import Wire

/// What the files of a home give away: nothing that was said, and nothing that was deleted.
@Suite(.serialized) struct Disk {
    private let marker = "ndl" + Identifier.makeRandom().description.prefix(12)

    private func hits(_ needle: Data, _ state: Data) -> Bool { state.range(of: needle) != nil }

    @Test func `no secret, label, account or passcode stands in any file`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.setPasscode(marker + "-passcode")
        for number in 0..<50 {
            try device.run(
                "keychain", "add", "--service", "\(marker)-s\(number)", "--account", "\(marker)-a", "--label",
                "\(marker)-l", input: Data("\(marker)-secret".utf8))
        }
        try device.run("keychain", "update", "--service", "\(marker)-s1", input: Data("\(marker)-new".utf8))
        #expect(!hits(Data(marker.utf8), try device.state()))
        try device.perform(.lock)
        try device.stop()
        let state = try device.state()
        #expect(!hits(Data(marker.utf8), state) && !hits(Data(marker.utf16.flatMap { [UInt8($0), 0] }), state))
        // The control: what is in the files is found.
        #expect(hits(Data("SQLite format 3".utf8), state))
    }

    @Test func `of a deleted item no ciphertext, key or tag is left within a second`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        for number in 0..<20 {
            try device.run("keychain", "add", "--service", "s\(number)", input: Data("value".utf8))
        }
        try device.stop()
        let columns = try recorded(device.home.database)
        #expect(columns.count > 100)
        let before = try device.state()
        for bytes in columns { #expect(hits(bytes, before)) }
        try device.start()
        for number in 0..<20 { try device.run("keychain", "delete", "--service", "s\(number)") }
        Thread.sleep(forTimeInterval: 1)
        let after = try device.state()
        for bytes in columns { #expect(!hits(bytes, after)) }
    }

    @Test func `what a lock reports as locked has no replaced secret in the files`() throws {
        let device = try LiveDevice(lettingTestIn: false)
        try device.setPasscode()
        try device.run("keychain", "add", "--service", "s", input: Data("old".utf8))
        try device.stop()
        let columns = try recorded(device.home.database, of: "secret, row_key")
        try device.start()
        try device.unlock()
        try device.run("keychain", "update", "--service", "s", input: Data("new".utf8))
        try device.perform(.lock)
        let after = try device.state()
        for bytes in columns { #expect(!hits(bytes, after)) }
    }

    /// The sealed bytes of every row, read while the daemon is down.
    private func recorded(
        _ path: String, of columns: String = "metadata, metadata_key, row_key, secret, primary_tag"
    ) throws -> [Data] {
        let database = StoppedDatabase(path: path)
        let rows = try database.rows("SELECT \(columns) FROM item")
        let tags = columns.contains("tag") ? try database.rows("SELECT tag FROM tag") : []
        return (rows + tags).joined().compactMap { Hexadecimal.decode($0) }.map { Data($0) }
    }
}
