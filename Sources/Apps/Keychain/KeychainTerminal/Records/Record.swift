import Certificates
import Localization
import Protection
import Wire

/// An item as the viewer shows it: all that is known of it without its secret.
struct Record: Equatable, Sendable {
    /// What people call it, whatever the keychain files it under.
    enum Kind: String, CaseIterable, Sendable {
        case password
        case internet = "internet password"
        case secureNote = "note"
        case code = "one-time code"
        case certificate, key, identity

        /// What it is called, for people.
        var words: String {
            switch self {
            case .password: localized("password")
            case .internet: localized("internet password")
            case .secureNote: localized("note")
            case .code: localized("one-time code")
            case .certificate: localized("certificate")
            case .key: localized("key")
            case .identity: localized("identity")
            }
        }
    }

    /// What one-time codes are made from: the item itself, or one that goes with it.
    struct Code: Equatable, Sendable {
        let reference: PersistentReference
        /// What that item demands before a code is made.
        let control: AccessControl
    }

    /// Which login codes go with, as their item says it.
    struct CodeName: Equatable, Sendable {
        let title: String
        let server: String?
    }

    /// Attributes that are put into words when somebody looks.
    struct Source: Sendable {
        let attributes: Attributes
        let certificate: DERCertificate?
        let reader: RecordReader
    }

    /// An attribute in words.
    struct Fact: Equatable, Sendable {
        let name: String
        let value: String
    }

    let reference: PersistentReference
    var kind: Kind
    /// Never empty: what it is filed under stands in for a label that is missing.
    var label: String
    /// Empty where it has none of its own.
    var givenLabel = ""
    var account = ""
    /// The service or server.
    var place = ""
    var comment = ""
    /// When it was changed, or else added, in seconds since 1970, UTC; 0 where it is not known.
    var changed: Int64 = 0
    var protectionClass: ProtectionClass?
    /// What it demands before its secret is given out.
    var control: AccessControl = []
    /// Whether it is one of the keys without which no note can be read.
    var isNotesKey = false
    /// Whether a program of ours keeps it for itself: what is deleted of that is gone for good.
    var hasNoTrash = false
    /// The keychain that it lies in; nil for the one that is always there.
    var keychain: String?
    /// Whether it stands in a file of the system's and is no item.
    var isReadOnly = false
    /// Where the facts come from, unless they are given.
    var source: Source?
    private var givenFacts: [Fact]?
    /// All that is known of it, in words.
    var facts: [Fact] {
        get { givenFacts ?? source.map { $0.reader.facts($0.attributes, certificate: $0.certificate) } ?? [] }
        set { givenFacts = newValue }
    }
    /// What its one-time codes are made from; nil where there are none.
    var code: Code?
    /// The Wi-Fi that its password is of; nil for anything else.
    var network: String?
    /// Of an item for codes: whose they are.
    var codeOf: CodeName?
    /// What stands in a certificate; nil also where that cannot be read.
    var certificate: CertificateFacts?
    /// SHA-1 of the public key, by which a certificate and its key find each other; empty where it is not known.
    var publicKeyHash: [UInt8] = []
    var isPrivateKey = false
    /// Of an identity, which is shown as its certificate: its private key.
    var privateKey: PersistentReference?

    /// Whose secret is shown and copied; nil for a certificate, which has none, and for codes, whose secret stays shut.
    var secretReference: PersistentReference? {
        switch kind {
        case .certificate, .code: nil
        case .identity: privateKey
        default: reference
        }
    }

    /// What it is called, for people: a Wi-Fi's password says so.
    var kindWords: String { network == nil ? kind.words : localized("Wi-Fi") }

    /// What a search looks at: what it is called, whose it is, what it is for, and the comment.
    var searchedText: FoldedText {
        FoldedText("\(label)\n\(account)\n\(place)\n\(comment.prefix(4000))")
    }

    init(reference: PersistentReference, kind: Kind, label: String) {
        (self.reference, self.kind, self.label) = (reference, kind, label)
    }
}

extension Record.Source: Equatable {
    /// Whose words they become is no part of them.
    static func == (one: Record.Source, other: Record.Source) -> Bool {
        one.attributes == other.attributes && one.certificate == other.certificate
    }
}

/// Items that the lock state shuts: how many there are is all that is known.
struct LockedGroup: Equatable, Sendable {
    let kind: ItemKind
    /// Nil where it is not known.
    let protectionClass: ProtectionClass?
    let count: Int
}

/// What the keychain holds, as far as it can be read now.
struct Listing: Equatable, Sendable {
    var records: [Record] = []
    var locked: [LockedGroup] = []
    /// Items that cannot be decoded; they are kept.
    var damaged = 0
    /// The owner's keychains by name, first the one that is always there; empty where they are not told.
    var keychains: [String] = []
    /// What is to be said of it; empty for nothing.
    var note = ""
    /// When it was read, in seconds since 1970, UTC.
    var date: Int64 = 0
    /// Whether more of it is on its way.
    var isPartial = false

    /// Certificates together with their private keys, joined by the hash of the public key.
    var identities: [Record] {
        let keys = Dictionary(
            records.filter { $0.isPrivateKey && !$0.publicKeyHash.isEmpty }.map { ($0.publicKeyHash, $0) },
            uniquingKeysWith: { first, _ in first })
        return records.compactMap { certificate in
            guard certificate.kind == .certificate, let key = keys[certificate.publicKeyHash] else { return nil }
            var identity = certificate
            identity.kind = .identity
            identity.privateKey = key.reference
            identity.control = key.control
            identity.facts.append(Record.Fact(name: localized("Private key"), value: key.label))
            // What can be revealed of an identity is its key, and that may be shut when the certificate is not.
            identity.protectionClass = key.protectionClass
            if let keyClass = key.protectionClass {
                identity.facts.append(Record.Fact(name: localized("Key readable"), value: Words.long(keyClass)))
            }
            return identity
        }
    }

    /// What goes when a record is deleted: of an identity the key too, unless another certificate is of that key.
    func removal(of record: Record) -> [PersistentReference] {
        guard let key = record.privateKey else { return [record.reference] }
        let certificates = records.filter { $0.kind == .certificate && $0.publicKeyHash == record.publicKeyHash }
        return certificates.count > 1 ? [record.reference] : [record.reference, key]
    }
}

/// Which records the list shows.
enum Filter: CaseIterable, Equatable, Sendable {
    case all, passwords, secureNotes, certificates, keys, identities

    var title: String {
        switch self {
        case .all: localized("All")
        case .passwords: localized("Passwords")
        case .secureNotes: localized("Secure notes")
        case .certificates: localized("Certificates")
        case .keys: localized("Keys")
        case .identities: localized("Identities")
        }
    }

    /// What is typed for it where the list is asked for in words, in every language.
    var typed: String {
        switch self {
        case .all: "all"
        case .passwords: "passwords"
        case .secureNotes: "secure notes"
        case .certificates: "certificates"
        case .keys: "keys"
        case .identities: "identities"
        }
    }

    func records(of listing: Listing) -> [Record] {
        switch self {
        case .all: listing.records
        case .passwords: listing.records.filter { [.password, .internet, .code].contains($0.kind) }
        case .secureNotes: listing.records.filter { $0.kind == .secureNote }
        case .certificates: listing.records.filter { $0.kind == .certificate }
        case .keys: listing.records.filter { $0.kind == .key }
        case .identities: listing.identities
        }
    }

    /// Whether items of this kind may belong here: what is shut may be anything of its kind.
    func mayShow(_ kind: ItemKind) -> Bool {
        switch self {
        case .all: true
        case .passwords: kind == .password || kind == .internetPassword
        case .secureNotes: kind == .password
        case .certificates: kind == .certificate
        case .keys: kind == .key
        case .identities: kind == .certificate || kind == .key
        }
    }
}
