import DiaryClient
import DiaryViews
import TerminalScreen
import Tresor

/// Registering, signing in, and locking.
extension DiaryScreen {
    // MARK: Keys and passwords

    mutating func pressAtDoor(_ key: Key) -> [Effect] {
        switch (key, door) {
        case (_, .daemonGone(var absence)):
            let leaves = absence.leaves(with: key)
            door = .daemonGone(absence)
            return leaves ? leaveDoor() : []
        case (.control("c"), _), (.text("q"), .locked), (.text("q"), .deviceLocked): return leaveDoor()
        case (.enter, .recoveryKey):
            door = shutDoor
            message = DiaryPhrase.registered.text(in: language)
            return [.forgetSecrets, .clear]
        case (.text("q"), .arriving): return [.forgetSecrets, .quit]
        case (.enter, .locked): door = .locked(isAsking: true)
        case (.enter, .deviceLocked): door = .deviceLocked(isAsking: true)
        case (_, .arriving): return [.ask(Ask(.status))]
        default: break
        }
        return []
    }

    private mutating func leaveDoor() -> [Effect] {
        guard held == nil else {
            discarding = Discarding(quits: true)
            return []
        }
        return [.forgetSecrets, .quit]
    }

    mutating func takeSecret() -> [Effect] {
        guard wantsSecret else { return [.forgetSecrets] }
        message = ""
        switch door {
        case .registering(isRepeated: false):
            door = .registering(isRepeated: true)
            return [.keepSecret]
        case .registering(isRepeated: true): return [.compareSecrets]
        case .locked:
            if let retryAt, retryAt > now.uptime { return [.forgetSecrets] }
            (isSigningIn, isBusy) = (true, true)
            // Somebody may be signed in already; whether this password is right is told by a sign-in alone.
            return [.show, .ask(Ask(.status))]
        case .deviceLocked:
            if let retryAt, retryAt > now.uptime { return [.forgetSecrets] }
            isBusy = true
            return [.show, .unlockDevice]
        case .arriving, .recoveryKey, .daemonGone: return [.forgetSecrets]
        }
    }

    // MARK: The device

    /// What is seen of a diary that is shut.
    private var shutDoor: Door {
        if isDaemonGone { return .daemonGone(DaemonAbsence()) }
        return isDeviceLocked ? .deviceLocked(isAsking: true) : .locked(isAsking: true)
    }

    /// Nobody can open anything until tresord is started; a recovery key stays, for it is shown only once.
    mutating func loseDaemon() -> [Effect] {
        guard !isDaemonGone else { return [] }
        (isDaemonGone, isDeviceLocked) = (true, true)
        guard diary == nil else { return cover() + [.endClearing] }
        guard door != .recoveryKey else { return [] }
        door = shutDoor
        (isSigningIn, isBusy, retryAt, message) = (false, false, nil, "")
        return [.forgetSecrets, .clear]
    }

    /// It runs, and what was said without it counts no more.
    mutating func findDaemon(isDeviceLocked isLocked: Bool) -> [Effect] {
        if isDaemonGone { (isDaemonGone, isDisconnected) = (false, false) }
        return look(isDeviceLocked: isLocked)
    }

    /// A locked device comes before everything else at the door; what was typed for another field is wiped.
    mutating func look(isDeviceLocked isLocked: Bool) -> [Effect] {
        isDeviceLocked = isLocked
        guard diary == nil else { return [] }
        switch door {
        case .locked where isLocked, .registering where isLocked, .daemonGone where isLocked:
            door = .deviceLocked(isAsking: true)
        // Whether somebody has registered is asked again.
        case .deviceLocked where !isLocked, .daemonGone: door = .arriving
        case .arriving, .recoveryKey, .locked, .registering, .deviceLocked: return []
        }
        (isSigningIn, isBusy, retryAt, message) = (false, false, nil, "")
        return [.forgetSecrets, .clear] + (isLocked ? [] : [.ask(Ask(.status))])
    }

    mutating func endUnlock(_ outcome: UnlockOutcome) -> [Effect] {
        guard case .deviceLocked = door else { return [.forgetSecrets] }
        isBusy = false
        switch outcome {
        case .unlocked: return look(isDeviceLocked: false)
        case .wrongPasscode(let seconds):
            retryAt = seconds.map { now.uptime + UInt64(max($0, 0)) * 1000 }
            message = ScreenPhrase.wrongPasscode.text(in: language)
        case .failed(let reason): message = reason
        }
        return [.forgetSecrets]
    }

    /// Back to the first field; from there, and from the lock screen's, to where a key can quit.
    mutating func cancelSecret() -> [Effect] {
        switch door {
        case .registering(isRepeated: true): door = .registering(isRepeated: false)
        case .registering(isRepeated: false): return [.forgetSecrets, .quit]
        case .locked: door = .locked(isAsking: false)
        case .deviceLocked: door = .deviceLocked(isAsking: false)
        case .arriving, .recoveryKey, .daemonGone: break
        }
        return [.forgetSecrets]
    }

    mutating func compare(_ comparison: SecretComparison) -> [Effect] {
        guard door == .registering(isRepeated: true) else { return [.forgetSecrets] }
        switch comparison {
        case .same:
            isBusy = true
            return [.show, .ask(Ask(.register(allowsPasscode: false), hasSecret: true))]
        case .different: message = DiaryPhrase.passwordsDiffer.text(in: language)
        case .empty: message = ScreenPhrase.emptyPassword.text(in: language)
        }
        door = .registering(isRepeated: false)
        return [.forgetSecrets]
    }

    // MARK: Answers at the door

    mutating func acceptAtDoor(_ reply: DiaryReply, _ ask: Ask) -> [Effect] {
        switch (ask.request, reply) {
        // What tresor-diary still says without tresord is about a device that is none any more.
        case (_, .status) where isDaemonGone: return []
        case (.status, .status(let status)): return arrive(status)
        case (.signIn, .status(let status)): return open(status)
        case (_, .entry(let entry)) where ask.keepsDraft: unfinished?.draft = entry.id
        default: break
        }
        return []
    }

    private mutating func arrive(_ status: DiaryStatus) -> [Effect] {
        if isDisconnected {
            isDisconnected = false
            message = ""
        }
        if isDeviceLocked {
            if case .deviceLocked = door { return [] }
            door = .deviceLocked(isAsking: true)
            (isSigningIn, isBusy) = (false, false)
            return [.forgetSecrets, .clear]
        }
        guard status.isRegistered else {
            (isSigningIn, isBusy) = (false, false)
            if case .registering = door { return [] }
            door = .registering(isRepeated: false)
            return [.forgetSecrets, .clear]
        }
        if isSigningIn { return [.ask(Ask(.signIn, hasSecret: true))] }
        switch door {
        case .locked, .recoveryKey: return []
        case .arriving, .registering, .deviceLocked, .daemonGone:
            door = .locked(isAsking: true)
            return [.forgetSecrets, .clear]
        }
    }

    private mutating func open(_ status: DiaryStatus) -> [Effect] {
        (isSigningIn, isBusy, retryAt, message) = (false, false, nil, "")
        // A report of the focus may have been lost while the password was typed.
        lifecycle = AppLifecycle(locksOn: .background)
        follow(status.settings)
        var opened = OpenDiary(
            Surroundings(
                size: ScreenSize(columns: columns, rows: rows), language: language, zone: zone,
                drawsPictures: drawsPictures, isSpoken: isSpoken, now: now))
        opened.note(status)
        var effects = opened.load()
        // What is damaged is known when all heads were read; the first page is drawn before, and does not wait for it.
        if held == nil, unfinished == nil { effects.append(.show) }
        effects.append(.ask(Ask(.status)))
        if held != nil {
            // What was being written goes on when all of it is there.
            effects.append(.handInHeld)
        } else {
            if let unfinished { effects += opened.resume(unfinished) }
            unfinished = nil
        }
        diary = opened
        return [.forgetSecrets, .clear] + effects
    }

    mutating func refuseAtDoor(_ error: DiaryError, _ ask: Ask) -> [Effect] {
        // What was asked inside, before a lock, means nothing any more.
        guard Self.isOfTheDoor(ask.request) else { return [] }
        (isSigningIn, isBusy) = (false, false)
        guard !isDaemonGone else { return [.forgetSecrets] }
        // Both fields begin anew, for what was typed is wiped.
        if case .registering = door { door = .registering(isRepeated: false) }
        retryAt = error.retryAfter.map { now.uptime + UInt64(max($0, 0)) * 1000 }
        switch (error.code, ask.request) {
        case (.wrongPassword, _): message = DiaryPhrase.signInFailed.text(in: language)
        case (.deviceLocked, _): return look(isDeviceLocked: true)
        case (.notRegistered, _): door = .registering(isRepeated: false)
        case (.alreadyRegistered, _): door = .locked(isAsking: true)
        case (_, .lock): break
        case (.unavailable, _) where isDisconnected: break
        default: message = error.sentence(in: language)
        }
        return [.forgetSecrets]
    }

    private static func isOfTheDoor(_ request: DiaryRequest) -> Bool {
        switch request {
        case .status, .signIn, .register, .lock: true
        default: false
        }
    }

    // MARK: Locking

    /// The lock screen, at once; of the diary nothing remains, in the state or on the terminal.
    ///
    /// Whoever calls this ends with ``Effect/endClearing``.
    mutating func cover() -> [Effect] {
        // First it is covered, then what was typed is handed in: that may take a moment.
        let words = diary?.lastWords() ?? []
        if let diary { unfinished = diary.unfinished }
        diary = nil
        door = shutDoor
        (message, isSigningIn, isBusy) = ("", false, false)
        return [.beginClearing, .forgetSecrets, .clear, .show] + words
    }

    mutating func lockNow() -> [Effect] { cover() + [.ask(Ask(.lock)), .endClearing] }

    /// What was opened here is shut with the screen: every start asks for the password.
    mutating func leave() -> [Effect] { (diary == nil ? [.forgetSecrets] : lockNow()) + [.quit] }

    /// Does what follows from where the terminal stands now.
    mutating func live(_ event: AppLifecycle.Event) -> [Effect] {
        var effects: [Effect] = []
        var isClearing = false
        for action in lifecycle.handle(event) {
            switch action {
            case .coverScreen:
                guard diary != nil else {
                    if event == .focusLost { break }
                    effects += hideDoor()
                    break
                }
                effects += cover()
                isClearing = true
            case .lockNow: if isClearing { effects.append(.ask(Ask(.lock))) }
            case .stop: effects += end(&isClearing) + [.suspend]
            case .end: effects += end(&isClearing) + [.quit]
            case .willResignActive, .didEnterBackground, .allowSleep, .willEnterForeground: break
            case .didBecomeActive:
                if diary == nil { effects += end(&isClearing) + [.lookAtDevice, .ask(Ask(.status))] }
            }
        }
        return effects + end(&isClearing)
    }

    private func end(_ isClearing: inout Bool) -> [Effect] {
        defer { isClearing = false }
        return isClearing ? [.endClearing] : []
    }

    /// In the background not even half a password or a recovery key remains.
    private mutating func hideDoor() -> [Effect] {
        if case .registering = door { door = .registering(isRepeated: false) }
        if door == .recoveryKey { door = shutDoor }
        return [.forgetSecrets, .clear, .show]
    }
}
