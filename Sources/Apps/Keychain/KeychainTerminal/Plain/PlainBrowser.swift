import Certificates
import Localization
import TerminalScreen
import Tresor

/// The keychain in lines of words, for screen readers: what is said, what is asked, and what follows from each line.
///
/// It does no I/O, and no secret is ever in here.
struct PlainBrowser: Sendable {
    enum Input: Sendable {
        case started(isLocked: Bool)
        /// What was typed, without its line feed.
        case line(String)
        /// A passcode, or an item's own password, lies in the driver's hands.
        case secretEntered
        case listed(Listing)
        /// The secret was said, or a code.
        case said
        /// What was to be said or copied makes one-time codes.
        case isSeed(Reading)
        case copied(Bool)
        case notCopied(CopyRefusal)
        case removed
        /// Whether a new secret was typed twice alike.
        case typedTwice(isSame: Bool)
        /// An item was added or changed; the words say what was made for it, if anything was.
        case saved(Draft, words: String)
        /// What was typed into a form before the lock.
        case formGiven(HeldForm)
        /// It could not be held.
        case formLost
        case refused(TresorError, Effect)
        /// Whoever sits there has unlocked the device here.
        case deviceUnlocked
        case passcodeRefused(String)
        /// The device was locked, by whatever.
        case locked
        /// The device was unlocked by something else.
        case unlocked
        case connectionLost
    }

    enum Effect: Equatable, Sendable {
        /// Lines to print.
        case say(String)
        case list
        /// - typed: what was typed just now and goes with it; nil for nothing.
        case read(Reading, typed: TypedProof?)
        /// - isForGood: of what a program of ours keeps for itself, which has no trash.
        case remove([PersistentReference], isForGood: Bool)
        /// Hold what was typed as a new secret.
        case holdTyped
        /// Say whether what was typed is the new secret once more.
        case compareTyped
        /// Add an item, or change one, with the new secret that is held where it was typed.
        case save(Draft, typed: TypedProof?)
        /// Hold what was typed into a form until the device is unlocked.
        case holdForm(HeldForm)
        /// Give that back.
        case giveForm
        /// Unlock the device by what was just typed.
        case unlockDevice
        case lockDevice
        case quit
    }

    /// What the next line is.
    enum Expectation: Sendable {
        case command
        case passcode
        case proof(TypedProof, Pending)
        /// Something of an item that is added or changed.
        case form(PlainForm)
        /// Whether the secret is to be said aloud.
        case revealing(Record)
        case deletion(Record)
    }

    var expectation = Expectation.command
    var isLocked = false
    /// Everything that can be read; nil until it is asked for.
    var listing: Listing?
    /// The list that was read last; its numbers stay as they are until a list is read again.
    var records: [Record] = []
    /// How many of them have been read.
    var readCount = 0
    /// What was listed: a kind, and words.
    var place = PlainPlace()
    var formerPlaces: [PlainPlace] = []
    /// The item that was opened last.
    var opened: Record?
    /// Whether the next listing is to be read.
    var isListWanted = false
    /// Whether tresord does not run.
    var isDaemonGone = false
    /// Whose secret was asked for.
    var wanted: Record?
    /// A form that is being saved, until its owner has proved to be there.
    var saving: PlainForm?
    /// What a lock has left of a form.
    var waiting = WaitingForm.none

    /// So many items are read at once.
    static let pageSize = 20

    /// What stands before the caret.
    var prompt: String {
        switch expectation {
        case .command: isLocked ? PlainSaying.lockedPrompt : localized("Keychain, or help: ")
        case .passcode: PlainSaying.passcodePrompt
        case .proof(.passcode, _), .proof(.passcodeAndFinger, _), .proof(.finger, _): PlainSaying.passcodePrompt
        case .proof(.itemPassword, _): localized("Password of the item, not shown; an empty line cancels: ")
        case .revealing, .deletion: PlainSaying.yesOrNo
        case .form(let form): form.prompt
        }
    }

    /// Whether the next line must be neither shown nor made a string.
    var wantsSecret: Bool {
        switch expectation {
        case .passcode, .proof: true
        case .form(let form): form.wantsSecret
        case .command, .revealing, .deletion: false
        }
    }

    mutating func handle(_ input: Input) -> [Effect] {
        switch input {
        case .started(let isLocked): return isLocked ? lock() + askForPasscode() : begin()
        case .line(let line): return hear(line)
        case .secretEntered: return sendSecret()
        case .listed(let listing): return accept(listing)
        case .said:
            wanted = nil
            return []
        case .isSeed(let reading): return makeCode(of: reading)
        case .copied(let isDone):
            wanted = nil
            return [.say(isDone ? PlainSaying.copied : PlainSaying.notCopied)]
        case .notCopied(let refusal):
            wanted = nil
            return [.say(refusal.words)]
        case .removed: return [.say(localized("Done.")), .list]
        case .typedTwice(let isSame): return compared(isSame: isSame)
        case .saved(let draft, let words): return saved(draft, words)
        case .formGiven(let held): return reopen(held)
        case .formLost:
            waiting = .none
            return [.say(localized("The form that was open could not be kept over the lock. Nothing was changed."))]
        case .refused(let error, let effect): return refuse(error, effect)
        case .deviceUnlocked: return begin()
        case .passcodeRefused(let reason): return [.say(reason)] + askForPasscode()
        case .locked: return isLocked && !isDaemonGone ? [] : lock()
        case .unlocked: return unlockedElsewhere()
        case .connectionLost: return loseConnection()
        }
    }

    private mutating func hear(_ line: String) -> [Effect] {
        switch expectation {
        case .command: return obey(line)
        case .passcode, .proof:
            (expectation, wanted) = (.command, nil)
            return [.say(PlainSaying.cancelled)]
        case .form(let form): return fill(form, line)
        case .revealing(let record):
            expectation = .command
            return PlainSaying.isYes(line) ? read(record, .show) : [.say(localized("It stays hidden."))]
        case .deletion(let record):
            expectation = .command
            guard PlainSaying.isYes(line) else { return [.say(PlainSaying.unchanged)] }
            return [.remove(listing?.removal(of: record) ?? [record.reference], isForGood: record.hasNoTrash)]
        }
    }

    private mutating func sendSecret() -> [Effect] {
        if case .form(let form) = expectation { return secretTyped(form) }
        defer { expectation = .command }
        switch expectation {
        case .passcode: return [.unlockDevice]
        case .proof(let proof, .read(let reading)): return [.read(reading, typed: proof)]
        case .proof(let proof, .save(let draft)): return [.save(draft, typed: proof)]
        case .command, .revealing, .deletion, .form: return []
        }
    }

    // MARK: The device

    private mutating func begin() -> [Effect] {
        (isLocked, isDaemonGone, isListWanted) = (false, false, true)
        return [.list]
    }

    mutating func askForPasscode() -> [Effect] {
        expectation = .passcode
        return []
    }

    /// Nothing of any item remains here; what was printed before is the terminal's.
    private mutating func lock() -> [Effect] {
        let form = forgetAll()
        isLocked = true
        guard waiting == .held else { return form + [.say(PlainSaying.deviceLocked)] }
        return form + [.say(localized("The device is locked. What was typed of an item waits for the unlock."))]
    }

    private mutating func unlockedElsewhere() -> [Effect] {
        isDaemonGone = false
        guard isLocked else { return [] }
        isLocked = false
        if case .passcode = expectation { expectation = .command }
        return [.say(localized("The device is unlocked. Type list for the items."))] + (waiting == .held ? [.list] : [])
    }

    /// Nobody vouches for the device, and nobody unlocks it.
    private mutating func loseConnection() -> [Effect] {
        guard !isDaemonGone else { return [] }
        let form = forgetAll()
        (isLocked, isDaemonGone) = (true, true)
        let waits = waiting == .held ? [localized("What was typed of an item waits for the unlock.")] : []
        return form + [.say(([DaemonAbsence.plainWords] + waits).joined(separator: "\n"))]
    }

    // MARK: Secrets

    static var seedIsKept: String {
        localized("This secret makes one-time codes, and is not said here; code says a code.")
    }

    mutating func read(_ record: Record, _ purpose: Reading.Purpose) -> [Effect] {
        if purpose == .showCode || purpose == .copyCode {
            guard let code = record.code else { return [.say(localized("There is no one-time code beside it."))] }
            wanted = record
            return [.read(Reading(reference: code.reference, purpose: purpose), typed: nil)]
        }
        guard let reference = record.secretReference else {
            return [.say(localized("A certificate has no secret; tresor keychain get prints its bytes."))]
        }
        wanted = record
        return [.read(Reading(reference: reference, purpose: purpose), typed: nil)]
    }

    /// A secret that says by itself that it makes codes is treated as one, wherever it lies.
    private mutating func makeCode(of reading: Reading) -> [Effect] {
        guard var record = wanted else { return [] }
        record.code = Record.Code(reference: reading.reference, control: record.control)
        return [.say(Self.seedIsKept)] + read(record, reading.purpose == .copy ? .copyCode : .showCode)
    }

    private mutating func refuse(_ error: TresorError, _ effect: Effect) -> [Effect] {
        let pending: Pending
        let typed: TypedProof?
        switch effect {
        case .read(let reading, let given): (pending, typed) = (.read(reading), given)
        case .save(let draft, let given): (pending, typed) = (.save(draft), given)
        default:
            wanted = nil
            return [.say(error.sentence)]
        }
        guard error.code == .presenceRequired || error.code == .authenticationFailed else {
            return refuse(error, pending)
        }
        if case .save(let draft) = pending, draft.control.isFingerAlone {
            return [.say(localized("This item demands a finger, which is not asked for here: tresor edit does."))]
        }
        guard !pending.control(wanted).isFingerAlone else {
            wanted = nil
            return [
                .say(localized("This item demands a finger, which is not asked for here: tresor keychain get does."))
            ]
        }
        guard let proof = TypedProof.next(after: error, typed) else { return refuse(error, pending) }
        expectation = .proof(proof, pending)
        // That something is asked for, the prompt says itself.
        return error.code == .presenceRequired ? [] : [.say(error.sentence)]
    }

    /// Nothing that is typed helps.
    private mutating func refuse(_ error: TresorError, _ pending: Pending) -> [Effect] {
        if case .save = pending { return refuseSaving(error) }
        wanted = nil
        return [.say(error.sentence)]
    }
}

/// What is listed.
struct PlainPlace: Equatable, Sendable {
    var filter = Filter.all
    var words = ""

    var title: String { words.isEmpty ? filter.title : localized("Found") }

    func records(of listing: Listing) -> [Record] {
        let sought = SoughtWords(words)
        return filter.records(of: listing).filter { sought.areIn($0.searchedText) }
    }
}
