import DiaryClient
import Linux
import NotesClient
import Resident
import ResidentClient
import Wire

/// The siblings that tell when what widgets show of them changes.
final class WidgetSources {
    /// What one of them has told.
    enum News {
        case changed(WidgetSource)
        case diary(isOpen: Bool)
    }

    private let notes: SourceWatch<NotesMessages>
    private let diary: SourceWatch<DiaryMessages>

    init(home: Home) {
        notes = SourceWatch(.notes(home), .follow)
        diary = SourceWatch(.diary(home), .follow)
    }

    /// To poll; each is -1 where there is no connection.
    var descriptors: (notes: Int32, diary: Int32) { (notes: notes.descriptor, diary: diary.descriptor) }

    /// Whether the source tells of changes now; those that never tell do.
    func tells(_ source: WidgetSource) -> Bool {
        switch source {
        case .notes: notes.isConnected
        case .diary: diary.isConnected
        case .keychain, .device, .program: true
        }
    }

    /// Connects to those that are shown, where they serve.
    ///
    /// - Parameter now: milliseconds since the machine started.
    /// - Returns: false where the diary is shown and does not serve.
    func connect(_ sources: [WidgetSource], now: UInt64) -> Bool {
        let isDiaryThere = !sources.contains(.diary) || diary.connect(now: now)
        if sources.contains(.notes) { _ = notes.connect(now: now) }
        return isDiaryThere
    }

    /// Reads what is there.
    ///
    /// - Parameter isReadable: whether each descriptor is.
    func takeNews(isReadable: (notes: Bool, diary: Bool)) -> [News] {
        (isReadable.notes && notes.isConnected ? notesNews() : [])
            + (isReadable.diary && diary.isConnected ? diaryNews() : [])
    }

    private func notesNews() -> [News] {
        notes.takeNews().compactMap { news -> News? in
            switch news {
            // What was changed before it listened it was not told.
            case .reply, .event: .changed(.notes)
            case .ended: nil
            }
        }
    }

    private func diaryNews() -> [News] {
        diary.takeNews().compactMap { news -> News? in
            switch news {
            case .reply(.status(let status)): .diary(isOpen: status.isSignedIn)
            case .event(.signedIn): .diary(isOpen: true)
            case .event(.changed): .changed(.diary)
            case .event(.locked), .ended: .diary(isOpen: false)
            case .reply, .event(.handInDrafts): nil
            }
        }
    }
}
