import Certificates
import Protection
import Secrets
import TerminalScreen
import Tresor
import Wire

@testable import KeychainTerminal

/// A viewer in front of a keychain that the test makes up: what the driver does, without terminal, daemon and time.
struct Stage {
    var screen: BrowserScreen
    var listing: Listing
    var now = Moment(uptime: 1000, date: Stage.noon)
    /// The references whose secret is given only with the right passcode.
    var guarded: Set<PersistentReference> = []
    var isPasscodeRight = true
    /// The references whose secret is given only with the password of the item's own.
    var withPassword: Set<PersistentReference> = []
    var isItemPasswordRight = true
    /// Those of the guarded for which the passcode was given, and not used up.
    private var proven: Set<PersistentReference> = []
    var way = ClipboardWay.terminal
    /// What the keychains made of files hold.
    var system: [SystemKeychain: Listing] = [:]
    /// Whether the driver holds a secret.
    private(set) var holdsSecret = false
    private(set) var secretRows = 1
    private(set) var effects: [Effect] = []
    private(set) var hasQuit = false
    /// Whether the driver holds the digits of a code, and a new secret.
    private(set) var holdsCode = false
    private(set) var holdsTyped = false
    /// What the device answers to the passcode; nil where it unlocks.
    var unlocking: (error: TresorError, tries: WrongTries?)?
    /// Whether a new secret is typed the same way twice.
    var isTypedAlike = true
    /// Why nothing is added or changed; nil where it is.
    var refusesDraft: TresorError?
    /// How long codes are good, in milliseconds.
    var codeTime: UInt64 = 20_000
    /// References whose secret says that it makes codes.
    var seeds: Set<PersistentReference> = []
    private(set) var drafts: [Draft] = []
    /// What the driver holds of a form, and whether there is memory for it.
    private(set) var heldForm: HeldForm?
    var hasMemory = true
    /// Modules on a side of the QR code of any secret.
    var squareSide = 29

    /// 2026-11-22 12:00 UTC.
    static let noon: Int64 = 1_795_348_800

    init(
        _ listing: Listing = .sample, columns: Int = 80, rows: Int = 24, state: LockState = .unlocked,
        order: RecordOrder = .added
    ) {
        self.listing = listing
        screen = BrowserScreen(columns: columns, rows: rows, order: order)
        feed(.lockState(state))
    }

    var text: String { screen.frame().text }

    mutating func forget() { effects = [] }

    mutating func feed(_ input: Input) {
        var queue = screen.handle(input, at: now)
        while !queue.isEmpty {
            let effect = queue.removeFirst()
            effects.append(effect)
            switch effect {
            case .list: queue += screen.handle(.listed(listing), at: now)
            case .listSystem(let keychain):
                queue += screen.handle(.systemListed(keychain, system[keychain] ?? Listing()), at: now)
            case .read(let reading, let typed): queue += screen.handle(answer(reading, typed), at: now)
            case .remove(let references, _):
                listing.records.removeAll { references.contains($0.reference) }
                queue += screen.handle(.removed, at: now)
            case .copyShown: queue += screen.handle(.copied(way), at: now)
            case .forgetSecret: holdsSecret = false
            case .forgetCode: holdsCode = false
            case .holdTyped: holdsTyped = true
            case .forgetTyped: holdsTyped = false
            case .holdForm(let form):
                heldForm = hasMemory ? form : nil
                if !hasMemory { queue += screen.handle(.formLost, at: now) }
            case .giveForm: queue += screen.handle(heldForm.map { .formGiven($0) } ?? .formLost, at: now)
            case .forgetForm: heldForm = nil
            case .compareTyped: queue += screen.handle(.typedTwice(isSame: isTypedAlike), at: now)
            case .unlock:
                if let unlocking {
                    queue += screen.handle(.notUnlocked(unlocking.error, unlocking.tries), at: now)
                } else {
                    queue += screen.handle(.unlocked, at: now) + screen.handle(.lockState(.unlocked), at: now)
                }
            case .save(let draft, let typed): queue += screen.handle(answer(draft, typed), at: now)
            case .measure: queue += screen.handle(.measured(rows: secretRows), at: now)
            case .quit: hasQuit = true
            case .clear, .clearClipboard, .suspend, .draw: break
            }
        }
    }

    private mutating func answer(_ reading: Reading, _ typed: TypedProof?) -> Input {
        let effect = Effect.read(reading, typed: typed)
        let reference = reading.reference
        if guarded.contains(reference) && !proven.contains(reference) {
            guard let typed, typed != .itemPassword else {
                return .refused(TresorError(.presenceRequired, "presence"), effect)
            }
            guard isPasscodeRight else {
                return .refused(
                    TresorError(.authenticationFailed, "wrong passcode", retryAfter: .seconds(60)), effect)
            }
            proven.insert(reference)
        }
        if withPassword.contains(reference) {
            guard typed == .itemPassword else {
                return .refused(TresorError(KeychainError(.authenticationFailed, .itemPasswordRequired)), effect)
            }
            guard isItemPasswordRight else {
                return .refused(TresorError(KeychainError(.authenticationFailed, .wrongItemPassword)), effect)
            }
        }
        proven.remove(reference)
        switch reading.purpose {
        case .show, .copy, .showSquare:
            if seeds.contains(reference) { return .isSeed(reading) }
            if case .showSquare = reading.purpose {
                holdsSecret = true
                return .squareHeld(reading, side: squareSide)
            }
            guard reading.purpose == .show else { return .copied(way) }
            holdsSecret = true
            return .secretHeld(reading)
        case .showCode:
            holdsCode = true
            return .codeHeld(reading, until: now.uptime + codeTime)
        case .copyCode: return .copied(way)
        }
    }

    private mutating func answer(_ draft: Draft, _ typed: TypedProof?) -> Input {
        if let target = draft.target, guarded.contains(target), typed == nil {
            return .refused(TresorError(.presenceRequired, "presence"), .save(draft, typed: typed))
        }
        if let refusesDraft { return .refused(refusesDraft, .save(draft, typed: typed)) }
        drafts.append(draft)
        guard let target = draft.target else {
            listing.add(draft.kind, draft.attributes.values)
            return .saved(draft, listing.records[listing.records.count - 1].reference, words: "")
        }
        return .saved(draft, target, words: "")
    }

    mutating func press(_ keys: Key...) { for key in keys { feed(.key(key)) } }

    mutating func type(_ text: String) { for scalar in text.unicodeScalars { feed(.key(.text(String(scalar)))) } }

    mutating func pass(milliseconds: UInt64) {
        now.uptime += milliseconds
        feed(.tick)
    }

    mutating func hold(rows: Int) { secretRows = rows }
}

extension Listing {
    static let reader = RecordReader { _ in 3600 }

    static func reference(_ kind: ItemKind, _ number: UInt64) -> PersistentReference {
        PersistentReference(kind: kind, item: Identifier(high: 0, low: number))
    }

    mutating func add(_ kind: ItemKind, _ values: [AttributeCode: AttributeValue]) {
        var attributes = Attributes()
        attributes[.protectionClass] = .string(ProtectionClass.whenUnlocked.code)
        attributes[.accessGroup] = .string("user")
        attributes[.creationDate] = .date((Stage.noon - 86_400) * 1_000_000)
        for (code, value) in values { attributes[code] = value }
        records.append(Self.reader.record(Self.reference(kind, UInt64(records.count + 1)), attributes))
    }

    /// - Parameter days: from now to its end.
    mutating func addCertificate(_ name: String, days: Int64, keyHash: [UInt8] = []) {
        add(
            .certificate,
            [
                .label: .string(name), .publicKeyHash: .data(keyHash),
                .protectionClass: .string(ProtectionClass.always.code),
            ])
        let facts = CertificateFacts(
            subject: "CN=\(name)", issuer: "CN=Example CA", serialNumber: "0a1b",
            fingerprint: String(repeating: "ab", count: 32), notBefore: Stage.noon - 300 * 86_400,
            notAfter: Stage.noon + days * 86_400)
        records[records.count - 1].certificate = facts
        records[records.count - 1].facts =
            [
                Record.Fact(name: "Subject", value: facts.subject), Record.Fact(name: "Issuer", value: facts.issuer),
                Record.Fact(name: "Valid until", value: Self.reader.date(facts.notAfter)),
                Record.Fact(name: "SHA-256", value: facts.fingerprint),
            ] + records[records.count - 1].facts
    }

    /// Two passwords, one of them of a server, a note, three certificates and a key that belongs to one of them.
    static var sample: Listing {
        var listing = Listing(date: Stage.noon)
        listing.add(
            .password,
            [.label: .string("Mail"), .account: .string("anna@example.org"), .service: .string("mail.example")])
        listing.add(
            .internetPassword,
            [
                .server: .string("shop.example"), .account: .string("anna"), .port: .number(8443),
                .path: .string("/basket"), .protocolType: .string("htps"),
                .accessControl: .number(1),
                .protectionClass: .string(ProtectionClass.whenPasscodeSetThisDeviceOnly.code),
                .comment: .string("The shop that sends\nthe tea."),
            ])
        listing.add(
            .password,
            [
                .label: .string("Safe in the cellar"), .service: .string("Safe in the cellar"),
                .descriptionText: .string("secure note"),
                .protectionClass: .string(ProtectionClass.whenUnlockedThisDeviceOnly.code),
            ])
        listing.addCertificate("www.example", days: 200, keyHash: [1, 2, 3])
        listing.addCertificate("old.example", days: -2)
        listing.addCertificate("soon.example", days: 12)
        listing.add(
            .key,
            [
                .label: .string("Key of www.example"), .keyClass: .number(1), .applicationLabel: .data([1, 2, 3]),
                .keySize: .number(256),
                .protectionClass: .string(ProtectionClass.afterFirstUnlock.code),
            ])
        return listing
    }

    /// The item for codes beside a login, as imports and `code add` name it.
    mutating func addCode(for title: String, account: String, control: Int64 = 0) {
        add(
            .password,
            [
                .label: .string(title + " (one-time code)"), .service: .string(title + " (one-time code)"),
                .account: .string(account), .descriptionText: .string("one-time code"),
                .accessControl: .number(control),
            ])
    }

    /// Two certificates as a keychain made of files gives them.
    static func ofFiles(_ keychain: SystemKeychain) -> Listing {
        var listing = Listing(date: Stage.noon)
        listing.addCertificate("Example Root", days: 3000)
        listing.addCertificate("Old Root", days: -3)
        for index in listing.records.indices {
            listing.records[index].isReadOnly = true
            listing.records[index].keychain = keychain.name
            listing.records[index].place = "/etc/tresor/certificates/\(index).crt"
        }
        return listing
    }

    /// What is left of it while the device is locked.
    static var whileLocked: Listing {
        var listing = sample
        listing.records.removeAll { $0.protectionClass?.availability == .whenUnlocked }
        listing.locked = [
            LockedGroup(kind: .password, protectionClass: .whenUnlocked, count: 1),
            LockedGroup(kind: .password, protectionClass: .whenUnlockedThisDeviceOnly, count: 1),
            LockedGroup(kind: .internetPassword, protectionClass: .whenPasscodeSetThisDeviceOnly, count: 1),
        ]
        return listing
    }
}

extension SecretBytes {
    init(text: String) throws { self = try Array(text.utf8).withSpan { try SecretBytes(copying: $0) } }
}
