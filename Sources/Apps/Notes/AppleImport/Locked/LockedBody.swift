/// How the body of a locked note is sealed.
enum LockedBody {
    /// Under a passphrase: what the row says, then what a record says that waits to be applied to it.
    case passphrase([SealedObject])
    /// Under a key that only the owner's devices have.
    case device
    /// The body is not in this copy.
    case missing
    /// Of no form that we know.
    case damaged

    init(row: StoredRow, body: NoteDatabase.Body?) {
        guard let body else {
            self = .missing
            return
        }
        guard EncryptionArchive.isArchive(body.data) else {
            let own = row.lockSettings.map { $0.seal(body.data, iv: body.iv, tag: body.tag) }
            let candidates = [own, row.pending?.settings.seal(body.data)].compactMap(\.self)
            self = candidates.isEmpty ? .damaged : .passphrase(candidates)
            return
        }
        switch try? EncryptionArchive(body.data) {
        case .passphrase(let sealed) where sealed.parameters != nil: self = .passphrase([sealed])
        case .device: self = .device
        default: self = .damaged
        }
    }
}
