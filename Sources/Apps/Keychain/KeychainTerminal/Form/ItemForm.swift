import Protection
import TerminalScreen
import Wire

/// The page on which an item is added, or changed: names in lines, and the rest to choose from.
struct ItemForm: Sendable {
    enum Field: String, Sendable { case kind, name, label, account, place, comment, protectionClass, secret }

    /// What a new item may be.
    enum NewKind: String, CaseIterable, Codable, Sendable {
        case password, internet, note

        var name: String {
            switch self {
            case .password: Record.Kind.password.words
            case .internet: Record.Kind.internet.words
            case .note: Record.Kind.secureNote.words
            }
        }
    }

    /// What follows from a key.
    enum Outcome: Equatable, Sendable { case stays, isDone, isLeft }

    /// The item that is changed; nil for a new one.
    let record: Record?
    /// The keychain in which a new item shall lie; nil for the one that is always there.
    private let keychain: String?
    let fields: [Field]
    private(set) var selected = 0
    private(set) var kind = NewKind.password
    private var isKindChosen = false
    private var texts: [Field: TypedLine] = [:]
    private(set) var protectionClass: ProtectionClass
    private(set) var secret: Draft.Secret

    /// The form for a new item.
    init(newIn keychain: String?) {
        (record, self.keychain) = (nil, keychain)
        fields = [.name, .kind, .account, .comment, .protectionClass, .secret]
        (protectionClass, secret) = (.whenUnlocked, .typed)
        for field in [Field.name, .account, .comment] { texts[field] = TypedLine() }
    }

    /// The form for what is there.
    init(changing record: Record) {
        (self.record, keychain) = (record, nil)
        protectionClass = record.protectionClass ?? .whenUnlocked
        secret = .kept
        let isPassword = record.kind == .password || record.kind == .internet
        var fields: [Field] = [.label]
        if isPassword { fields += [.account, .place] }
        if isPassword || record.kind == .secureNote { fields.append(.comment) }
        fields.append(.protectionClass)
        if isPassword || record.kind == .secureNote { fields.append(.secret) }
        // A line is no place for a text of several.
        self.fields = fields.filter { field in !Self.text(field, of: record).contains(where: \.isNewline) }
        for field in self.fields where field != .protectionClass && field != .secret {
            texts[field] = TypedLine(Self.text(field, of: record))
        }
    }

    /// The form as a lock found it, of the item as it is now.
    ///
    /// - Parameter record: the item that is changed; nil for a new one.
    init(_ held: HeldForm, of record: Record?) {
        self = record.map { ItemForm(changing: $0) } ?? ItemForm(newIn: held.keychain)
        for field in fields {
            if texts[field] != nil, let text = held.texts[field.rawValue] { texts[field] = TypedLine(text) }
        }
        (kind, isKindChosen, secret) = (held.kind, held.isKindChosen, held.secret)
        protectionClass = held.protectionClass.flatMap { ProtectionClass(code: $0) } ?? protectionClass
        selected = fields.firstIndex { $0.rawValue == held.field } ?? 0
    }

    /// What of it is kept over a lock.
    var held: HeldForm {
        var held = HeldForm(record?.reference, at: field.rawValue)
        held.keychain = keychain
        for (field, line) in texts where record.map({ line.text != Self.text(field, of: $0) }) ?? !line.isEmpty {
            held.texts[field.rawValue] = line.text
        }
        (held.kind, held.isKindChosen, held.secret) = (kind, isKindChosen, secret)
        if protectionClass != record?.protectionClass ?? .whenUnlocked { held.protectionClass = protectionClass.code }
        return held
    }

    private static func text(_ field: Field, of record: Record) -> String {
        switch field {
        case .label: record.givenLabel
        case .account: record.account
        case .place: record.place
        case .comment: record.comment
        case .kind, .name, .protectionClass, .secret: ""
        }
    }

    var field: Field { fields[selected] }

    /// The line that is being typed; nil where something is chosen.
    var line: TypedLine? { texts[field] }

    /// What stands beside a field's name.
    func value(of field: Field) -> String {
        switch field {
        case .kind: kind.name
        case .protectionClass: Words.long(protectionClass)
        case .secret: secret.name
        case .name, .label, .account, .place, .comment: texts[field]?.text ?? ""
        }
    }

    /// Whether something would be lost if it were left.
    var isTouched: Bool {
        guard let record else { return texts.values.contains { !$0.isEmpty } }
        return draft(of: record) != nil
    }

    // MARK: Keys

    mutating func press(_ key: Key) -> Outcome {
        switch key {
        case .escape, .control("c"): return .isLeft
        case .control("s"): return .isDone
        case .enter where selected == fields.count - 1: return .isDone
        case .enter, .tab, .down: selected = min(selected + 1, fields.count - 1)
        case .up, .backTab: selected = max(selected - 1, 0)
        case .pageUp: selected = 0
        case .pageDown: selected = fields.count - 1
        default: type(key)
        }
        return .stays
    }

    private mutating func type(_ key: Key) {
        guard var line = texts[field] else { return choose(key) }
        line.type(key)
        texts[field] = line
        guard field == .name, !isKindChosen else { return }
        kind = Self.isHost(line.text) ? .internet : .password
    }

    private mutating func choose(_ key: Key) {
        let step: Int
        switch key {
        case .right, .text(" "): step = 1
        case .left: step = -1
        default: return
        }
        switch field {
        case .kind:
            kind = Self.turned(kind, by: step)
            isKindChosen = true
        case .protectionClass: protectionClass = Self.turned(protectionClass, by: step)
        case .secret:
            repeat { secret = Self.turned(secret, by: step) } while !secrets.contains(secret)
        default: break
        }
    }

    private var secrets: [Draft.Secret] {
        guard let record else { return kind == .note ? [.typed] : [.typed, .made, .words] }
        return record.kind == .secureNote ? [.kept, .typed] : Draft.Secret.allCases
    }

    private static func turned<Choice: CaseIterable & Equatable>(_ one: Choice, by step: Int) -> Choice {
        let all = Array(Choice.allCases)
        let index = all.firstIndex(of: one) ?? 0
        return all[(index + step + all.count) % all.count]
    }

    /// Whether a name is a server's, such as `shop.example.com`.
    private static func isHost(_ name: String) -> Bool {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let last = labels.last, last.count > 1, last.allSatisfy(\.isLetter) else {
            return false
        }
        return labels.allSatisfy { label in
            !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
        }
    }

    // MARK: What it asks for

    /// What is to be done; nil where nothing would be different, or a new item has no name.
    var draft: Draft? { record.map { draft(of: $0) } ?? newDraft }

    private var newDraft: Draft? {
        let name = texts[.name]?.text ?? ""
        guard !name.isEmpty else { return nil }
        var draft = Draft(kind: kind == .internet ? .internetPassword : .password)
        draft.attributes[kind == .internet ? .server : .service] = .string(name)
        draft.attributes[.label] = .string(name)
        for (field, code) in [(Field.account, AttributeCode.account), (.comment, .comment)] {
            guard let text = texts[field]?.text, !text.isEmpty else { continue }
            draft.attributes[code] = .string(text)
        }
        if kind == .note {
            draft.attributes[.descriptionText] = .string(RecordReader.noteDescription)
            draft.attributes[.type] = .number(RecordReader.noteType)
        }
        draft.attributes[.protectionClass] = .string(protectionClass.code)
        if let keychain { draft.attributes[.keychain] = .string(keychain) }
        draft.secret = secrets.contains(secret) ? secret : .typed
        draft.host = name
        return draft
    }

    private func draft(of record: Record) -> Draft? {
        var draft = Draft(target: record.reference, kind: record.reference.kind)
        for (field, line) in texts where line.text != Self.text(field, of: record) {
            guard let code = Self.code(of: field, record) else { continue }
            draft.attributes[code] = .string(line.text)
        }
        if protectionClass != record.protectionClass ?? .whenUnlocked {
            draft.attributes[.protectionClass] = .string(protectionClass.code)
        }
        draft.secret = secret
        draft.host = texts[.place]?.text ?? record.place
        draft.control = record.control
        return draft.attributes.isEmpty && secret == .kept ? nil : draft
    }

    private static func code(of field: Field, _ record: Record) -> AttributeCode? {
        switch field {
        case .label: .label
        case .account: .account
        case .place: record.kind == .internet ? .server : .service
        case .comment: .comment
        case .kind, .name, .protectionClass, .secret: nil
        }
    }
}

extension ItemForm: Equatable {
    /// Where the cursor stands in a line is no part of it.
    static func == (one: ItemForm, other: ItemForm) -> Bool {
        one.record == other.record && one.fields == other.fields && one.selected == other.selected
            && one.fields.allSatisfy { one.value(of: $0) == other.value(of: $0) }
    }
}
