import Linux
import Localization
import NotesClient
import Protection
import Resident
import ResidentClient
import Secrets
import Tresor
import Wire

/// The notebook, open where the device's lock permits it.
final class NotebookAccess {
    private let home: Home
    private let clocks: ResidentClocks
    private let daemon: DaemonLink
    /// Over which the device was asked to lock.
    private var lockLink: DaemonLink?
    private(set) var deviceState: LockState
    /// Nil where nobody could open it yet.
    private(set) var notebook: Notebook?

    init(home: Home, clocks: ResidentClocks, deviceState: LockState) throws {
        self.home = home
        self.clocks = clocks
        self.deviceState = deviceState
        daemon = try DaemonLink(home)
        // What a crash left is seen to before anybody asks; where the notebook does not open, its requests say why.
        if deviceState != .beforeFirstUnlock { _ = try? opened() }
    }

    func take(_ state: LockState) {
        deviceState = state
        if state == .unlocked { _ = try? opened() }
    }

    /// Opens it where it is not open yet.
    ///
    /// - Throws: `NotesError`, `deviceLocked` among them.
    func opened() throws -> Notebook {
        if let notebook { return notebook }
        do {
            let opened = try opener.open()
            for mended in opened.records.mended { Log.note(mended) }
            notebook = opened
            return opened
        } catch {
            let meaning = NotesError(error)
            if meaning.code != .deviceLocked { Log.error("the notebook did not open", error) }
            throw meaning
        }
    }

    private var opener: NotebookOpener { NotebookOpener(home: home, daemon: daemon, clocks: clocks) }

    func close() {
        notebook?.close()
        notebook = nil
    }

    /// Changes settings, the class of the notes among them.
    func change(_ changes: NotesSettings) throws {
        let notebook = try opened()
        try notebook.settings.change(changes) { name in try opener.changeClass(of: notebook, to: name) }
    }

    /// Checks the device's passcode, as the first secret of a request.
    func verifyPasscode(_ secrets: borrowing MessageSecrets) throws {
        guard secrets.count == 2 else { throw NotesError(.invalid, marked("the request lacks its new passphrase")) }
        switch secrets.first {
        case .some(let passcode): try daemon.verifyPasscode(passcode)
        case .none: throw NotesError(.invalid, marked("the request lacks the device's passcode"))
        }
    }

    /// What is open here is of files that have no name any more: it goes as at any lock, and so does all else.
    func lockReplaced() {
        guard lockLink == nil else { return }
        lockLink = try? DaemonLink(home)
        try? lockLink?.beginLock()
    }
}
