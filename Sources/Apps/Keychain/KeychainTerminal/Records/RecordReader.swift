import Certificates
import Codecs
import Localization
import Protection
import Secrets
import TimeZones
import Tresor
import Wire

/// Turns attributes into what people read.
struct RecordReader {
    /// By how many seconds the clock in whose time dates are written is ahead of UTC, at a second since 1970.
    let offset: @Sendable (Int64) -> Int

    /// In the time of whoever runs this program.
    static var local: RecordReader {
        let rules = TimeZoneDatabase.local
        return RecordReader { rules?.offset(at: $0) ?? 0 }
    }

    /// - Parameter certificate: what the item holds, where it is a certificate that could be read.
    func record(
        _ reference: PersistentReference, _ attributes: Attributes, certificate: DERCertificate? = nil
    ) -> Record {
        var record = Record(reference: reference, kind: Self.kind(reference.kind, attributes), label: "")
        record.givenLabel = attributes.string(.label) ?? ""
        record.comment = attributes.string(.comment) ?? ""
        record.changed = (attributes.date(.modificationDate) ?? attributes.date(.creationDate) ?? 0) / 1_000_000
        record.account = attributes.string(.account) ?? ""
        record.place = attributes.string(.service) ?? attributes.string(.server) ?? ""
        record.protectionClass = attributes.string(.protectionClass).flatMap { ProtectionClass(code: $0) }
        record.control = AccessControl(rawValue: UInt32(truncatingIfNeeded: attributes.number(.accessControl) ?? 0))
        record.keychain = attributes.string(AttributeCode.keychain)
        record.hasNoTrash = attributes.string(.accessGroup)?.hasPrefix(AccessGroup.ourPrefix) == true
        record.isNotesKey = attributes.string(.accessGroup) == AccessGroup.notes
        record.certificate = certificate.map { CertificateFacts($0) }
        let names = [
            record.givenLabel, record.place, certificate?.summary, attributes.string(.applicationTag),
            record.account,
        ]
        record.label = names.compactMap(\.self).first { !$0.isEmpty } ?? localized("Without a name")
        if reference.kind == .certificate {
            record.publicKeyHash = certificate?.publicKeyHash ?? Self.bytes(attributes[.publicKeyHash])
        } else if reference.kind == .key {
            record.publicKeyHash = Self.bytes(attributes[.applicationLabel])
            record.isPrivateKey = attributes.number(.keyClass) == 1
        }
        if reference.kind == .password { record.network = WiFiItem.network(attributes) }
        if let code = OneTimeCodeAccount(Item(reference, attributes)) {
            record.kind = .code
            record.codeOf = Record.CodeName(title: code.title, server: code.server)
            record.code = Record.Code(reference: reference, control: record.control)
        }
        // Of thousands of items one page is looked at, and so their facts are put into words when they are.
        record.source = Record.Source(attributes: attributes, certificate: certificate, reader: self)
        return record
    }

    /// What is known of an item, in words.
    func facts(_ attributes: Attributes, certificate: DERCertificate?) -> [Record.Fact] {
        var facts = certificate.map { self.facts(of: $0) } ?? []
        facts += self.facts(of: attributes, isRead: certificate != nil)
        if let keychain = attributes.string(AttributeCode.keychain) {
            facts.append(Record.Fact(name: localized("Keychain"), value: keychain))
        }
        return facts
    }

    /// Day and time by the reader's clock.
    ///
    /// - Parameter seconds: since 1970, UTC.
    func date(_ seconds: Int64) -> String { ReadableDate.long(wall: seconds + Int64(offset(seconds))) }

    private static func kind(_ kind: ItemKind, _ attributes: Attributes) -> Record.Kind {
        switch kind {
        case .password: isSecureNote(attributes) ? .secureNote : .password
        case .internetPassword: .internet
        case .certificate: .certificate
        case .key: .key
        }
    }

    /// Apple's keychain marks secure notes by the type `note`; imports of ours, and Apple's too, by the description.
    private static func isSecureNote(_ attributes: Attributes) -> Bool {
        attributes.number(.type) == noteType || attributes.string(.descriptionText) == noteDescription
    }

    /// The letters `note`.
    static let noteType: Int64 = 0x6E6F_7465
    static let noteDescription = "secure note"

    private static func bytes(_ value: AttributeValue?) -> [UInt8] {
        switch value {
        case .data(let bytes): bytes
        case .string(let text): Array(text.utf8)
        default: []
        }
    }

    // MARK: Facts

    func facts(of certificate: DERCertificate) -> [Record.Fact] {
        let read = CertificateFacts(certificate)
        return [
            Record.Fact(name: localized("Subject"), value: read.subject),
            Record.Fact(name: localized("Issuer"), value: read.issuer),
            Record.Fact(name: localized("Serial number"), value: read.serialNumber),
            Record.Fact(name: localized("Valid from"), value: date(read.notBefore)),
            Record.Fact(name: localized("Valid until"), value: date(read.notAfter)),
            Record.Fact(name: "SHA-256", value: read.fingerprint),
        ]
    }

    /// - Parameter isRead: whether the facts of the certificate itself stand there already.
    private func facts(of attributes: Attributes, isRead: Bool) -> [Record.Fact] {
        var facts: [Record.Fact] = []
        for known in Self.names {
            guard let value = attributes[known.code] else { continue }
            if isRead && Self.fromCertificate.contains(known.code) { continue }
            let text = text(value, known.code)
            if !text.isEmpty { facts.append(Record.Fact(name: known.name, value: text)) }
        }
        let uses = AttributeWords.uses(attributes)
        if !uses.isEmpty { facts.append(Record.Fact(name: localized("May"), value: uses)) }
        // What else there is are codes of the keychain's own, which say nothing to people.
        return facts
    }

    private func text(_ value: AttributeValue, _ code: AttributeCode) -> String {
        switch (code, value) {
        case (.protectionClass, .string(let text)): ProtectionClass(code: text).map { Words.long($0) } ?? text
        case (.accessControl, .number(let number)):
            Words.control(AccessControl(rawValue: UInt32(truncatingIfNeeded: number)))
        case (.synchronizable, .number(let number)):
            number == 1 ? localized("to the owner's other devices") : localized("never")
        case (.keyClass, .number(let number)): Self.keyClass(number)
        case (.port, .number(0)), (.protocolType, .number(0)), (.invisible, .number(0)), (.negative, .number(0)): ""
        case (.protocolType, .string(let code)): AttributeWords.protocolName(code) ?? ""
        case (.protocolType, .number(let number)):
            AttributeWords.protocolName(AttributeWords.letters(number)) ?? ""
        case (.authenticationType, .string(let code)): AttributeWords.authentication(code) ?? ""
        case (.authenticationType, .data(let bytes)):
            AttributeWords.authentication(String(decoding: bytes, as: UTF8.self)) ?? ""
        case (.type, .number(let number)): AttributeWords.keyType(number) ?? ""
        case (.invisible, .number), (.negative, .number): localized("yes")
        case (_, .string(let text)): text
        case (_, .number(let number)): String(number)
        case (_, .date(let microseconds)): date(microseconds / 1_000_000)
        case (.applicationLabel, .data(let bytes)), (.publicKeyHash, .data(let bytes)), (.issuer, .data(let bytes)),
            (.subject, .data(let bytes)), (.serialNumber, .data(let bytes)), (.subjectKeyID, .data(let bytes)):
            Hexadecimal.encode(bytes)
        case (_, .data(let bytes)): String(validating: bytes, as: UTF8.self) ?? Hexadecimal.encode(bytes)
        }
    }

    private static func keyClass(_ number: Int64) -> String {
        switch number {
        case 0: localized("public")
        case 1: localized("private")
        case 2: localized("symmetric")
        default: String(number)
        }
    }

    /// Attributes that repeat what stands in the certificate.
    private static let fromCertificate: Set<AttributeCode> = [.issuer, .subject, .serialNumber]

    private static var names: [(code: AttributeCode, name: String)] {
        [
            (.label, localized("Label")), (.account, localized("Account")), (.service, localized("Service")),
            (.server, localized("Server")), (.port, localized("Port")),
            (.protocolType, localized("Protocol")), (.path, localized("Path")),
            (.securityDomain, localized("Security domain")),
            (.authenticationType, localized("Authentication")), (.descriptionText, localized("Description")),
            (.comment, localized("Comment")),
            (.generic, localized("Generic")), (.alias, localized("Alias")), (.subject, localized("Subject (DER)")),
            (.issuer, localized("Issuer (DER)")),
            (.serialNumber, localized("Serial number")), (.subjectKeyID, localized("Subject key id")),
            (.publicKeyHash, localized("Public key hash")),
            (.certificateType, localized("Certificate type")), (.certificateEncoding, localized("Encoding")),
            (.keyClass, localized("Key class")),
            (.applicationLabel, localized("Key label")), (.applicationTag, localized("Tag")),
            (.type, localized("Type")), (.keySize, localized("Key size")),
            (.effectiveKeySize, localized("Effective size")), (.startDate, localized("Start")),
            (.endDate, localized("End")),
            (.protectionClass, localized("Readable")), (.accessControl, localized("Demands")),
            (.accessGroup, localized("Access group")),
            (.synchronizable, localized("Travels")), (.creationDate, localized("Added")),
            (.modificationDate, localized("Changed")),
            (.invisible, localized("Invisible")), (.negative, localized("No password")), (.token, localized("Token")),
            (.viewHint, localized("View")),
        ]
    }
}
