import Localization
import Protection
import TerminalScreen
import Wire

/// An item that is added or changed line by line; its secret is the driver's.
struct PlainForm: Sendable {
    enum Step: String, Sendable { case kind, label, account, place, secret, again }

    /// The item that is changed; nil for a new one.
    let record: Record?
    private(set) var step: Step
    private var kind = ItemForm.NewKind.password
    private var texts: [Step: String] = [:]
    private var secret: Draft.Secret
    /// Whether a saving was refused, so that an empty line stands for the answer about the secret as well.
    private var isAskedAgain = false
    private(set) var isComplete = false

    /// Words that are no secret where one is typed.
    static let secretWords = ["generate", "words", "cancel"]

    /// - Parameter label: what the new item may be called; empty for nothing.
    init(newCalled label: String) {
        (record, step, secret) = (nil, .kind, .typed)
        texts[.label] = label
    }

    /// For what is there.
    init(changing record: Record) {
        (self.record, step, secret) = (record, .label, .kept)
        texts = [.label: record.givenLabel, .account: record.account, .place: record.place]
        step = steps[0]
    }

    /// The form as a lock found it, of the item as it is now.
    ///
    /// - Parameter record: the item that is changed; nil for a new one.
    init(_ held: HeldForm, of record: Record?) {
        self = record.map { PlainForm(changing: $0) } ?? PlainForm(newCalled: "")
        kind = held.kind
        for (name, text) in held.texts {
            if let step = Step(rawValue: name) { texts[step] = text }
        }
        step = steps.first { $0.rawValue == held.field } ?? step
    }

    /// What of it is kept over a lock.
    var held: HeldForm {
        // The first of two secrets is wiped.
        var held = HeldForm(record?.reference, at: step == .again ? Step.secret.rawValue : step.rawValue)
        held.kind = kind
        let former = record.map { PlainForm(changing: $0).texts } ?? [:]
        for (step, text) in texts where text != former[step] { held.texts[step.rawValue] = text }
        return held
    }

    private var isNote: Bool { record.map { $0.kind == .secureNote } ?? (kind == .note) }

    /// What is asked for, in this order.
    private var steps: [Step] {
        guard let record else {
            return isNote ? [.kind, .label, .secret] : [.kind, .label, .account, .place, .secret]
        }
        let isPassword = record.kind == .password || record.kind == .internet
        let steps: [Step] = isPassword ? [.label, .account, .place, .secret] : isNote ? [.label, .secret] : [.label]
        // A line is no place for a text of several.
        return steps.filter { $0 == .label || texts[$0]?.contains(where: \.isNewline) != true }
    }

    // MARK: Questions

    var prompt: String {
        switch step {
        case .kind: localized("Kind: password, internet password or note; an empty line is \(kind.name): ")
        case .label: Self.question(localized("Label"), text(of: .label))
        case .account: Self.question(localized("Account"), text(of: .account))
        case .place: Self.question(isOfServer ? localized("Server") : localized("Service"), text(of: .place))
        case .secret where keepsAnswer:
            isNote
                ? localized("Text, not shown; an empty line keeps your answer: ")
                : localized("Secret, not shown; generate or words makes one, an empty line keeps your answer: ")
        case .secret where isNote:
            record == nil ? localized("Text, not shown: ") : localized("Text, not shown; an empty line keeps it: ")
        case .secret where record == nil: localized("Secret, not shown; generate or words makes one: ")
        case .secret: localized("Secret, not shown; generate or words makes one, an empty line keeps it: ")
        case .again: localized("The same once more, not shown: ")
        }
    }

    /// Whether what is typed next must be neither shown nor made a string.
    var wantsSecret: Bool { step == .secret || step == .again }

    /// Whether the driver still needs the new secret that it holds.
    var holdsSecret: Bool { step == .again || (isAskedAgain && secret == .typed) }

    /// Whether an empty line stands for what was answered about the secret before.
    private var keepsAnswer: Bool {
        switch secret {
        case .kept: false
        case .typed: isAskedAgain
        case .made, .words: isAskedAgain && !isNote
        }
    }

    private var isOfServer: Bool { record.map { $0.kind == .internet } ?? (kind == .internet) }

    /// What stands there where nothing is typed.
    private func text(of step: Step) -> String {
        texts[step] ?? (step == .place && record == nil ? texts[.label] ?? "" : "")
    }

    private static func question(_ name: String, _ text: String) -> String {
        text.isEmpty
            ? "\(name): "
            : localized("\(name), now \(SafeText.line(text)); an empty line keeps it, - empties it: ")
    }

    // MARK: Answers

    /// Takes a line.
    ///
    /// - Returns: what is wrong with it; nil where it goes on.
    mutating func take(_ line: String) -> String? {
        switch step {
        case .kind:
            guard let chosen = chosenKind(line) else { return localized("Say password, internet password or note.") }
            kind = chosen
        case .label where record == nil && (Self.answer(line) ?? text(of: .label)).isEmpty:
            return localized("It needs a label.")
        case .label, .account, .place: texts[step] = Self.answer(line) ?? texts[step]
        case .secret:
            switch line {
            case "" where keepsAnswer: break
            case "" where record != nil: secret = .kept
            case "generate" where !isNote: secret = .made
            case "words" where !isNote: secret = .words
            default:
                return isNote
                    ? localized("Type a text, or cancel.") : localized("Type a secret, generate, words, or cancel.")
            }
        case .again: return compared(isSame: false)
        }
        goOn()
        return nil
    }

    /// What a line says of a text: nothing for an empty one, and of dashes alone one less, so that one empties it.
    private static func answer(_ line: String) -> String? {
        guard !line.isEmpty else { return nil }
        return line.allSatisfy { $0 == "-" } ? String(line.dropFirst()) : line
    }

    private func chosenKind(_ line: String) -> ItemForm.NewKind? {
        switch line.lowercased() {
        case "": kind
        case "internet": .internet
        default: ItemForm.NewKind.allCases.first { $0.name == line.lowercased() }
        }
    }

    private mutating func goOn() {
        let steps = steps
        guard let index = steps.firstIndex(of: step), index + 1 < steps.count else {
            isComplete = true
            return
        }
        step = steps[index + 1]
    }

    /// The secret was typed once, and is asked for once more.
    mutating func typed() {
        // Another one is no answer before it was typed twice.
        (secret, isAskedAgain) = (.typed, false)
        step = .again
    }

    /// The form once more, after a saving that was refused: each of its answers is offered.
    var askedAgain: PlainForm {
        var form = self
        (form.isComplete, form.isAskedAgain) = (false, true)
        form.step = steps[0]
        return form
    }

    /// - Returns: what is wrong; nil where both were the same.
    mutating func compared(isSame: Bool) -> String? {
        guard isSame else {
            step = .secret
            return localized("The two differ; type it anew.")
        }
        isComplete = true
        return nil
    }

    // MARK: What it asks for

    /// What is to be done; nil where nothing would be different.
    var draft: Draft? { record.map { draft(of: $0) } ?? newDraft }

    private var newDraft: Draft {
        var draft = Draft(kind: kind == .internet ? .internetPassword : .password)
        let place = text(of: .place)
        draft.attributes[kind == .internet ? .server : .service] = .string(place)
        draft.attributes[.label] = .string(text(of: .label))
        if !text(of: .account).isEmpty { draft.attributes[.account] = .string(text(of: .account)) }
        if kind == .note {
            draft.attributes[.descriptionText] = .string(RecordReader.noteDescription)
            draft.attributes[.type] = .number(RecordReader.noteType)
        }
        draft.attributes[.protectionClass] = .string(ProtectionClass.whenUnlocked.code)
        (draft.secret, draft.host) = (secret, place)
        return draft
    }

    private func draft(of record: Record) -> Draft? {
        var draft = Draft(target: record.reference, kind: record.reference.kind)
        let former: [(step: Step, text: String, code: AttributeCode)] = [
            (.label, record.givenLabel, .label), (.account, record.account, .account),
            (.place, record.place, isOfServer ? .server : .service),
        ]
        for one in former where text(of: one.step) != one.text {
            draft.attributes[one.code] = .string(text(of: one.step))
        }
        (draft.secret, draft.host, draft.control) = (secret, text(of: .place), record.control)
        return draft.attributes.isEmpty && secret == .kept ? nil : draft
    }
}
