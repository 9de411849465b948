import DiaryClient
import Secrets
import Zones

/// Photos of entries that nobody has looked at yet.
final class PhotoQueue {
    private let desk: PhotoDesk
    private let session: DiarySession
    /// Whether photos that a former image of this program had not looked at were asked for.
    private var hasOldOnes = false
    /// Those that are to be looked at, so that none is twice.
    private var queued: Set<Identifier> = []

    init(desk: PhotoDesk, session: DiarySession) {
        self.desk = desk
        self.session = session
    }

    /// How many are still to be looked at; those of a former image of this program once they are in the queue.
    var count: Int { hasOldOnes ? queued.count : session.journal?.entries.waitingPhotos().count ?? 0 }

    /// Another journal is open.
    func beginAnew() { hasOldOnes = false }

    /// Has those looked at that a former image of this program has left, once the journal knows them.
    func takeOldOnes(_ whenStored: @escaping () -> Void) {
        guard !hasOldOnes, session.journal?.isLoading == false else { return }
        hasOldOnes = true
        take(whenStored: whenStored)
    }

    /// Has photos looked at that nobody has looked at yet: of one entry, or of all.
    ///
    /// - Parameter whenStored: called for each, when the entry has its small picture.
    func take(of entry: Identifier? = nil, whenStored: @escaping () -> Void) {
        guard let journal = session.journal else { return }
        for (entry, photo) in journal.entries.waitingPhotos(of: entry) where queued.insert(photo.id).inserted {
            desk.look(at: photo.original, in: journal.store.assets) { [weak self] look in
                self?.queued.remove(photo.id)
                guard let look, let journal = self?.session.journal else { return }
                do {
                    try journal.entries.take(look, of: photo.id, in: entry)
                    whenStored()
                } catch {
                    Log.error("a small picture could not be stored", error)
                }
            }
        }
    }
}
