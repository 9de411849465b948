import AppleImport
import Foundation
import SQLite

/// A group container with a small database in the form that Core Data gives it, and a private place beside.
final class StoreFixture {
    static let notes = 11
    static let accounts = 13
    static let folders = 14
    static let attachments = 4
    static let inlineAttachments = 8
    static let media = 10

    let root: URL
    /// The one behind ``database``.
    private let connection: Database
    private var lastBody: Int64 = 0

    /// Columns under the numbers of macOS 12.
    private static let columns = [
        "ZISPASSWORDPROTECTED INTEGER", "ZMARKEDFORDELETION INTEGER", "ZISPINNED INTEGER", "ZACCOUNT INTEGER",
        "ZACCOUNT4 INTEGER", "ZACCOUNT5 INTEGER", "ZFOLDER INTEGER", "ZPARENT INTEGER", "ZFOLDERTYPE INTEGER",
        "ZMEDIA INTEGER", "ZCREATIONDATE TIMESTAMP", "ZCREATIONDATE3 TIMESTAMP", "ZMODIFICATIONDATE1 TIMESTAMP",
        "ZIDENTIFIER VARCHAR", "ZTITLE VARCHAR", "ZTITLE1 VARCHAR", "ZTITLE2 VARCHAR", "ZNAME VARCHAR",
        "ZTYPEUTI VARCHAR", "ZTYPEUTI1 VARCHAR", "ZALTTEXT VARCHAR", "ZURLSTRING VARCHAR", "ZFILENAME VARCHAR",
        "ZGENERATION1 VARCHAR", "ZFALLBACKIMAGEGENERATION VARCHAR", "ZPASSWORDHINT VARCHAR",
        "ZCRYPTOITERATIONCOUNT INTEGER", "ZCRYPTOSALT BLOB", "ZCRYPTOWRAPPEDKEY BLOB",
        "ZCRYPTOINITIALIZATIONVECTOR BLOB", "ZCRYPTOTAG BLOB", "ZASSETCRYPTOINITIALIZATIONVECTOR BLOB",
        "ZASSETCRYPTOTAG BLOB", "ZENCRYPTEDVALUESJSON BLOB", "ZUNAPPLIEDENCRYPTEDRECORD BLOB", "ZMERGEABLEDATA1 BLOB",
    ]

    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("apple-import-\(UUID().uuidString)")
        for name in ["container", "scratch"] {
            try FileManager.default.createDirectory(
                at: root.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        connection = try Database(root.path + "/container/NoteStore.sqlite")
        try connection.transaction {
            try connection.execute(
                """
                CREATE TABLE Z_PRIMARYKEY
                    (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                INSERT INTO Z_PRIMARYKEY VALUES (4, 'ICAttachment', 2, 0), (8, 'ICInlineAttachment', 2, 0),
                    (10, 'ICMedia', 2, 0), (11, 'ICNote', 2, 0), (13, 'ICAccount', 12, 0), (14, 'ICFolder', 12, 0);
                CREATE TABLE ZICNOTEDATA (Z_PK INTEGER PRIMARY KEY, ZNOTE INTEGER,
                    ZCRYPTOINITIALIZATIONVECTOR BLOB, ZCRYPTOTAG BLOB, ZDATA BLOB);
                CREATE TABLE ZICCLOUDSYNCINGOBJECT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER,
                    \(Self.columns.joined(separator: ", ")));
                """)
        }
        try add(1, Self.accounts, ["ZIDENTIFIER": "LocalAccount", "ZNAME": "On My Mac"])
        try add(2, Self.folders, ["ZIDENTIFIER": "Default", "ZTITLE2": "Notes", "ZACCOUNT5": 1])
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    var container: URL { root.appendingPathComponent("container") }
    var scratch: URL { root.appendingPathComponent("scratch") }
    var database: URL { container.appendingPathComponent("NoteStore.sqlite") }

    func open() throws -> AppleNoteStore { try AppleNoteStore(path: container.path, scratch: scratch.path) }

    /// The only note there is.
    func note() throws -> ImportedNote { try open().note(at: 0) }

    func add(_ key: Int64, _ entity: Int, _ values: [String: (any DatabaseValueConvertible)?]) throws {
        let values = values.sorted { $0.key < $1.key }
        let names = (["Z_PK", "Z_ENT"] + values.map(\.key)).joined(separator: ", ")
        let marks = Array(repeating: "?", count: values.count + 2).joined(separator: ", ")
        let others: [DatabaseValue] = values.map { $0.value?.databaseValue ?? DatabaseValue.null }
        let cells: [DatabaseValue] = [.integer(key), .integer(Int64(entity))] + others
        try connection.execute("INSERT INTO ZICCLOUDSYNCINGOBJECT (\(names)) VALUES (\(marks))", cells)
    }

    /// Adds a note in the default folder, with what `values` say otherwise.
    func addNote(
        _ key: Int64, body: [UInt8]?, iv: [UInt8]? = nil, tag: [UInt8]? = nil,
        _ values: [String: (any DatabaseValueConvertible)?] = [:]
    ) throws {
        var all: [String: (any DatabaseValueConvertible)?] = [
            "ZIDENTIFIER": "NOTE-\(key)", "ZFOLDER": 2, "ZACCOUNT4": 1, "ZCREATIONDATE3": 0.5,
            "ZMODIFICATIONDATE1": 86400.0,
        ]
        all.merge(values) { $1 }
        try add(key, Self.notes, all)
        lastBody += 1
        try connection.execute("INSERT INTO ZICNOTEDATA VALUES (?, ?, ?, ?, ?)", [lastBody, key, iv, tag, body])
    }

    func addNote(_ key: Int64, _ runs: [BodyFixture.Run], _ values: [String: (any DatabaseValueConvertible)?] = [:])
        throws
    {
        try addNote(key, body: BodyFixture.body(runs), values)
    }

    func set(_ key: Int64, _ column: String, _ bytes: [UInt8]) throws {
        try connection.execute("UPDATE ZICCLOUDSYNCINGOBJECT SET \(column) = ? WHERE Z_PK = ?", [bytes, key])
    }

    func execute(_ sql: String) throws { try connection.execute(sql) }

    /// Puts a file below the account's folder.
    func addFile(_ path: String, _ bytes: [UInt8]) throws {
        let url = container.appendingPathComponent("Accounts/LocalAccount/" + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    func namesInScratch() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: scratch.path) }
}
