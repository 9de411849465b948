import DiaryClient
import DiaryViews
import Tresor

/// Answers of tresor-diary.
extension DiaryScreen {
    mutating func accept(_ reply: DiaryReply, _ body: [UInt8], _ ask: Ask) -> [Effect] {
        // A lock may have come between a question and its answer; then what was asked inside means nothing.
        guard diary != nil else { return acceptAtDoor(reply, ask) }
        if case .status(let status) = reply {
            guard status.isSignedIn else { return cover() + [.endClearing] }
            diary?.note(status)
            diary?.tellDamage(of: status)
            // Words that are kept nowhere come first.
            if held == nil { diary?.tellDrafts(of: status) }
            follow(status.settings)
            return []
        }
        return diary?.accept(reply, body, ask) ?? []
    }

    /// The app chooses where it locks; a choice that was made elsewhere counts from the next key on.
    mutating func follow(_ settings: DiarySettings) {
        let point: AppLifecycle.LockPoint = settings.locksOnResign == true ? .resignActive : .background
        if lifecycle.locksOn != point { lifecycle = AppLifecycle(locksOn: point) }
    }

    mutating func refuse(_ error: DiaryError, _ ask: Ask) -> [Effect] {
        guard diary != nil else { return refuseAtDoor(error, ask) }
        switch error.code {
        case .signedOut, .notRegistered: return cover() + [.endClearing]
        case .deviceLocked:
            isDeviceLocked = true
            return cover() + [.endClearing]
        default: return diary?.refuse(error, ask) ?? []
        }
    }
}
