import DiaryClient
import DiaryViews
import TerminalScreen

/// What is known of words that could not be handed in: why, and when that is tried again; the words are the driver's.
struct HeldWords: Equatable, Sendable {
    let reason: String
    var count: Int
    var nextTry: UInt64

    /// Milliseconds between two attempts.
    static let interval: UInt64 = 2000
}

/// Whether what is held may go, and whether the program ends then.
struct Discarding: Equatable, Sendable {
    let quits: Bool
}

/// Last words that tresor-diary did not take at a lock: the driver holds them in locked memory, the screen says so, and
/// they are handed in at the first chance.
extension DiaryScreen {
    /// Whether an entry that is being typed vanishes with this event.
    func covers(_ event: DiaryEvent) -> Bool {
        switch event {
        case .locked, .handInDrafts: diary?.isTyping == true
        case .signedIn, .changed: false
        }
    }

    mutating func hold(_ error: DiaryError, _ count: Int) -> [Effect] {
        // The first reason is the one that counts: afterwards the diary is shut as well.
        let reason = held?.reason ?? reason(error)
        held = HeldWords(reason: reason, count: count, nextTry: now.uptime + HeldWords.interval)
        if unfinished?.hasStagedFiles == true { unfinished?.losesFiles = true }
        message = ""
        return []
    }

    private func reason(_ error: DiaryError) -> String {
        switch error.code {
        case .signedOut, .deviceLocked: ScreenPhrase.lockedTooSoon.text(in: language)
        default: String(language.text(saidInEnglish: error.english).prefix { $0 != ";" }).trimmed
        }
    }

    mutating func handedIn(_ entry: EntrySummary?) -> [Effect] {
        guard held != nil else { return [] }
        held = nil
        guard var open = diary else { return [] }
        defer { diary = open }
        guard var unfinished, let entry, open.editor == nil else {
            open.message = ScreenPhrase.draftKept.text(in: language)
            return open.reload()
        }
        self.unfinished = nil
        unfinished.draft = entry.id
        return open.resume(unfinished) + open.reload()
    }

    /// Tries again when it is time; a diary that is shut takes nothing.
    mutating func retryHeld() -> [Effect] {
        guard let due = held?.nextTry, due <= now.uptime else { return [] }
        held?.nextTry = now.uptime + HeldWords.interval
        return diary == nil ? [] : [.handInHeld]
    }

    /// What is said of it, on the lock screen and at the foot of every other one.
    var heldWords: String {
        if let discarding {
            return (discarding.quits ? ScreenPhrase.askLosing : .askDiscardingHeld).text(in: language)
        }
        guard let held else { return "" }
        let key = wantsSecret ? (isSpoken ? nil : "Esc ^B") : isSpoken ? "!" : "^B"
        return ScreenPhrase.notKept(held.reason, key, in: language)
    }

    mutating func press(_ key: Key, in discarding: Discarding) -> [Effect] {
        switch key {
        case .text(let text) where text.lowercased() == ScreenPhrase.yesKey.text(in: language): break
        case .text("n"), .text("N"), .escape, .control("c"):
            self.discarding = nil
            return []
        default: return []
        }
        (self.discarding, held, unfinished) = (nil, nil, nil)
        return [.forgetHeld] + (discarding.quits ? leave() : [])
    }
}
