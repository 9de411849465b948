import Envelopes
import KeyEnvelopes
import Linux
import Localization
package import Secrets

/// A database of Apple Notes, opened for import.
///
/// Nothing is written next to the original: a private copy is read, and removed in the end.
///
///     let store = try AppleNoteStore(path: folder, scratch: privateFolder)
///     for group in store.lockGroups { _ = try store.unlock(group, with: passphrase) }
///     for index in 0..<store.noteCount { let note = try store.note(at: index) }
package final class AppleNoteStore {
    /// The notes that each passphrase opens; asked for before the notes are read.
    package let lockGroups: [LockGroup]
    /// How many notes there are, deleted ones included.
    package var noteCount: Int { index.notes.count }

    let database: NoteDatabase
    let index: StoreIndex
    let keyring = LockKeyring()
    let files: ContainerFiles
    let locks: LockIndex
    private var copy: ScratchCopy?

    /// Copies and opens a database.
    ///
    /// - Parameters:
    ///   - path: a NoteStore.sqlite, or the folder `group.com.apple.notes` that holds one beside `Accounts`.
    ///   - scratch: a private, empty folder that exists.
    package init(path: String, scratch: String) throws(AppleImportError) {
        let (folder, source) = try Self.locate(path)
        let copy = try ScratchCopy(of: source, in: scratch)
        database = try NoteDatabase(path: copy.path)
        self.copy = consume copy
        index = try StoreIndex(database)
        locks = try LockIndex(database, index)
        lockGroups = locks.groups
        files = ContainerFiles(root: folder)
    }

    deinit { close() }

    /// Overwrites and removes the private copy; no note can be read after it.
    package func close() {
        database.close()
        copy = nil
    }

    /// Tries a passphrase on the notes of a group.
    ///
    /// - Returns: whether it opens them; if so, ``note(at:)`` gives their text from now on.
    package func unlock(
        _ group: LockGroup, with passphrase: borrowing SecretBytes
    ) throws(AppleImportError) -> Bool {
        do {
            guard try keyring.unlock(group.parameters, with: passphrase, proofs: locks.proofs(group.parameters)) else {
                return false
            }
            if group.format == .v1 {
                for parameters in locks.further { try keyring.add(parameters, from: passphrase) }
            }
            return true
        } catch {
            guard error == .memory else { return false }
            throw AppleImportError(
                .unreadable,
                localized("There is no locked memory left for the key. Raise the limit (ulimit -l) and try again."))
        }
    }

    /// The database's folder and file for what the user named.
    private static func locate(_ path: String) throws(AppleImportError) -> (folder: String, file: String) {
        let status: FileSystem.Status?
        do { status = try FileSystem.status(path) } catch {
            throw AppleImportError(.unreadable, localized("The file or folder cannot be read: \(error)."))
        }
        guard let status else { throw AppleImportError(.unreadable, localized("There is no such file or folder.")) }
        guard status.isDirectory else { return (FileSystem.directory(of: path), path) }
        let file = path + "/NoteStore.sqlite"
        guard let found = try? FileSystem.status(file), found.isRegular else {
            throw AppleImportError(
                .notNotes,
                localized(
                    """
                    There is no NoteStore.sqlite here. A Mac has it in \
                    ~/Library/Group Containers/group.com.apple.notes.
                    """))
        }
        return (path, file)
    }
}
