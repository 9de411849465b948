import DiaryClient
import Resident
import ResidentClient
import Secrets

// What is asked of the program and at the door.
extension DiaryService {
    /// - Returns: whether the request was one of these, and is answered.
    func answerAtDoor(_ request: DiaryPeer.Request, to peer: DiaryPeer) throws -> Bool {
        switch request.request {
        case .status: try peer.send(.status(try status), id: request.id)
        case .subscribe:
            try admitWindow(peer)
            peer.isSubscribed = true
            // The one that was lost is back.
            if autoLock.awaitsWindow { peer.wasInside = true }
            try peer.send(.done, id: request.id)
        case .follow:
            try admitWindow(peer)
            peer.isFollower = true
            try peer.send(.status(try session.openingStatus(locksIn: locksIn)), id: request.id)
        case .touch: try peer.send(.status(try status), id: request.id)
        case .stop:
            stop()
            try peer.send(.done, id: request.id)
        case .lock:
            // Also where nothing is open: the end of the connection is what says that it is done.
            wantsToLock = true
            peer.hasAskedToLock = true
            try peer.send(.done, id: request.id)
        case .handedIn:
            peer.hasHandedIn = true
            try peer.send(.done, id: request.id)
        case .signIn:
            let wasOpen = session.journal != nil
            try session.signIn(request.secrets)
            if !wasOpen { photos.beginAnew() }
            peer.hasProven = true
            autoLock.touch(hasProven: true)
            // Nothing is read for it: whoever came in wants to see the first page.
            try peer.send(.status(try session.openingStatus(locksIn: locksIn)), id: request.id)
            if !wasOpen { tell(.signedIn, except: peer) }
        case .register, .resetByRecoveryKey, .resetByPasscode, .renewRecoveryKey:
            var secrets = MessageSecrets(try session.admit(request))
            try peer.pipe.send(DiaryReply.done, id: request.id, secrets: secrets, body: .none)
            secrets = MessageSecrets()
        case .changePassword:
            try session.changePassword(request.secrets)
            try peer.send(.done, id: request.id)
        case .allowPasscode(let isAllowed):
            try session.allowPasscode(isAllowed, request.secrets)
            try peer.send(.done, id: request.id)
        case .erase:
            try erase()
            try peer.send(.done, id: request.id)
        default: return false
        }
        return true
    }

    private func erase() throws {
        try session.requireUnlockedDevice()
        desk.forgetAll()
        // Whatever was open is gone with this image, when the answer is on its way.
        wantsToLock = session.journal != nil
        try session.erase()
    }

    var status: DiaryStatus {
        get throws { try session.status(locksIn: locksIn, waitingPhotos: photos.count) }
    }
}
