import SQLite

/// What is read of the whole database before the first note: where each note and attachment is, folders, accounts.
struct StoreIndex {
    struct Note {
        let key: Int64
        let body: Int64?
        let account: Int64?
        let isLocked: Bool
    }

    private struct Folder {
        let parent: Int64?
        let title: String
        let isTrash: Bool
    }

    private struct Account {
        let identifier: String
        let name: String
    }

    /// In the order in which Notes made them.
    private(set) var notes: [Note] = []
    /// The rows of attachments, by their identifiers.
    private(set) var attachments: [String: Int64] = [:]
    private var folders: [Int64: Folder] = [:]
    private var accounts: [Int64: Account] = [:]
    private var accountsInUse: Set<Int64> = []

    private static let deepestFolder = 100
    private static let trashType: Int64 = 1

    init(_ database: NoteDatabase) throws(AppleImportError) {
        let bodies = try database.bodyKeys()
        try database.forEach([database.entities.account], [.identifier, .name]) { key, values in
            let identifier = values[0].text ?? "account-\(key)"
            accounts[key] = Account(identifier: identifier, name: values[1].text ?? identifier)
        }
        try database.forEach([database.entities.folder], [.parent, .title, .folderType]) { key, values in
            folders[key] = Folder(
                parent: values[0].integer, title: values[1].text ?? "",
                isTrash: values[2].integer == Self.trashType)
        }
        try database.forEach([database.entities.note], [.account, .isLocked]) { key, values in
            let account = values[0].integer
            notes.append(
                Note(
                    key: key, body: bodies[key], account: account,
                    isLocked: (values[1].integer ?? 0) != 0))
            if let account { accountsInUse.insert(account) }
        }
        try database.forEach(database.entities.attachments, [.identifier, .isMarkedForDeletion]) { key, values in
            guard let identifier = values[0].text else { return }
            // A removed row gives way to one that is in use.
            let isRemoved = (values[1].integer ?? 0) != 0
            if !isRemoved || attachments[identifier] == nil { attachments[identifier] = key }
        }
    }

    func accountIdentifier(_ key: Int64?) -> String {
        key.flatMap { accounts[$0]?.identifier } ?? accounts.min { $0.key < $1.key }?.value.identifier ?? "unknown"
    }

    /// The folders from the outermost to number `folder`, behind the account where notes are in several.
    ///
    /// Recently Deleted is no folder of a note: the database does not say where the note was before, and one that is
    /// restored is not to come to stand in a folder of that name.
    func path(folder: Int64?, account: Int64?) -> [String] {
        var titles: [String] = []
        var seen: Set<Int64> = []
        var next = folder
        while let key = next, let folder = folders[key], seen.count < Self.deepestFolder, seen.insert(key).inserted {
            if !folder.title.isEmpty, !folder.isTrash { titles.append(folder.title) }
            next = folder.parent
        }
        if accountsInUse.count > 1, let account = account.flatMap({ accounts[$0] }) { titles.append(account.name) }
        return titles.reversed()
    }

    /// Whether the folder is Recently Deleted.
    func isTrash(_ folder: Int64?) -> Bool { folder.flatMap { folders[$0]?.isTrash } ?? false }
}
