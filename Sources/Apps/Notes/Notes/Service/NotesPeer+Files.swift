import Localization
import NotesClient
import Secrets

extension NotesPeer {
    /// An editor that began before a file was attached or taken out by somebody else undoes neither.
    ///
    /// - Returns: whether the text is another than came.
    func addFilesOfOthers(to request: Request, _ notebook: Notebook) throws -> Bool {
        let (id, files): (String, [String]?)
        switch request.request {
        case .edit(let edited, _, let named): (id, files) = (edited, named)
        case .keepDraft(let edited, _): (id, files) = (edited, nil)
        default: return false
        }
        let note = try notebook.find(id)
        let named = try files?.map { file in
            guard let file = Identifier(file) else {
                throw NotesError(.invalid, marked("a file is named by 32 hex digits"))
            }
            return file
        }
        guard let seen = named ?? seenFiles[note],
            let text = try notebook.attachments.withPresentFiles(request.body, of: note, seen: seen)
        else { return false }
        request.body = text
        return true
    }
}
