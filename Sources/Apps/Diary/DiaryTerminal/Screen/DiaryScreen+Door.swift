import DiaryClient
import DiaryViews
import TerminalScreen
import Tresor

/// Registering, signing in, and locking.
extension DiaryScreen {
    // MARK: Keys and passwords

    mutating func pressAtDoor(_ key: Key) -> [Effect] {
        switch (key, door) {
        case (.control("c"), _), (.text("q"), .locked):
            if held != nil {
                discarding = Discarding(quits: true)
                return []
            }
            return [.forgetSecrets, .quit]
        case (.enter, .recoveryKey):
            door = .locked(isAsking: true)
            message = DiaryPhrase.registered.text(in: language)
            return [.forgetSecrets, .clear]
        case (.text("q"), .arriving): return [.forgetSecrets, .quit]
        case (.enter, .locked): door = .locked(isAsking: true)
        case (_, .arriving): return [.ask(Ask(.status))]
        default: break
        }
        return []
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
        case .arriving, .recoveryKey: return [.forgetSecrets]
        }
    }

    /// Back to the first field; from there, and from the lock screen's, to where a key can quit.
    mutating func cancelSecret() -> [Effect] {
        switch door {
        case .registering(isRepeated: true): door = .registering(isRepeated: false)
        case .registering(isRepeated: false): return [.forgetSecrets, .quit]
        case .locked: door = .locked(isAsking: false)
        case .arriving, .recoveryKey: break
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
        guard status.isRegistered else {
            (isSigningIn, isBusy) = (false, false)
            if case .registering = door { return [] }
            door = .registering(isRepeated: false)
            return [.forgetSecrets, .clear]
        }
        if isSigningIn { return [.ask(Ask(.signIn, hasSecret: true))] }
        switch door {
        case .locked, .recoveryKey: return []
        case .arriving, .registering:
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
        // What is damaged is known when all heads were read; the first page does not wait for that.
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
        // Both fields begin anew, for what was typed is wiped.
        if case .registering = door { door = .registering(isRepeated: false) }
        retryAt = error.retryAfter.map { now.uptime + UInt64(max($0, 0)) * 1000 }
        switch (error.code, ask.request) {
        case (.wrongPassword, _): message = DiaryPhrase.signInFailed.text(in: language)
        case (.deviceLocked, _): message = ScreenPhrase.deviceLocked.text(in: language)
        case (.notRegistered, _): door = .registering(isRepeated: false)
        case (.alreadyRegistered, _): door = .locked(isAsking: true)
        case (_, .lock): break
        case (.unavailable, _) where isDisconnected: break
        default: message = error.sentence
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
        (door, message, isSigningIn, isBusy) = (.locked(isAsking: true), "", false, false)
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
            case .didBecomeActive: if diary == nil { effects += end(&isClearing) + [.ask(Ask(.status))] }
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
        if door == .recoveryKey { door = .locked(isAsking: true) }
        return [.forgetSecrets, .clear, .show]
    }
}
