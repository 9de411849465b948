import Linux
import NotesClient
import Resident

/// Notes that came in and are not on the disk yet: they wait for others that come at once behind them, and for nobody
/// else.
final class ImportBatch {
    private struct Open {
        let peer: NotesPeer
        let turn = Turn()
        var answers: [(reply: NotesReply, id: UInt32)] = []
    }

    private var open: Open?
    /// When the last of them came, in milliseconds since the machine started.
    private(set) var lastImport: UInt64 = 0

    /// Whether there are some, and others may join them.
    var waitsForMore: Bool { open.map { !$0.turn.isOver() } ?? false }

    /// Whether those that are there go to the disk before one of this client.
    func endsBefore(_ peer: NotesPeer) -> Bool { open.map { $0.peer !== peer || $0.turn.isOver() } ?? false }

    /// A note comes.
    func noteArrival() { lastImport = SystemClock.bootMilliseconds() }

    /// Notes of this client wait from now on, where none do yet.
    func begin(for peer: NotesPeer) {
        if open == nil { open = Open(peer: peer) }
    }

    /// Keeps an answer until the notes are on the disk.
    ///
    /// - Returns: false where none wait for that.
    func hold(_ reply: NotesReply, id: UInt32) -> Bool {
        guard open != nil else { return false }
        open?.answers.append((reply: reply, id: id))
        return true
    }

    /// Waits until the notes that came in are on the disk, and says so.
    ///
    /// - Parameter meaning: what an error means to a client.
    func end(in notebook: Notebook?, meaning: (any Error) -> NotesError) throws {
        guard let ended = open else { return }
        open = nil
        var answers = ended.answers
        do { try notebook?.endBatch() } catch {
            // What it has in memory was not done.
            let failure = meaning(error)
            answers = answers.map { (reply: .error(failure), id: $0.id) }
            notebook?.undoBatch()
        }
        for answer in answers { try ended.peer.send(.reply(answer.reply), id: answer.id) }
    }
}
