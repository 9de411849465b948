import ArgumentParser
import Certificates
import Linux
import Localization
import Secrets
import TerminalScreen
import Tresor
import Wire

/// Certificates and private keys of a file on their way into the keychain.
///
/// All of the file is read, and looked up in the keychain, before anything is added; where an addition fails, those
/// before it are taken back.
struct CertificateImport {
    fileprivate enum Content {
        case certificate(DERCertificate)
        case key(PrivateKey)
    }

    fileprivate struct Entry {
        let content: Content
        /// What the file calls it, or else the certificate's name.
        let label: String?
        let filed: [String: FiledValue]
    }

    private var entries: [Entry] = []
    private(set) var identityCount = 0
    /// In words, what of the file is neither.
    private(set) var leftOut: [String] = []

    /// Whether this is a file for here, and no export of passwords.
    static func recognizes(_ bytes: borrowing SecretBytes) -> Bool {
        bytes.withBytes { CertificateFile.isLikely($0) }
    }

    /// - Parameter passphrase: asked for once, where something is under one.
    init(_ bytes: borrowing SecretBytes, passphrase: () throws -> SecretBytes) throws {
        if bytes.withBytes({ CertificateFile.isPKCS12($0) }) {
            let given = try passphrase()
            try add(try Self.reading { () throws(CertificateReadError) in try Self.open(bytes, given) })
        } else {
            try addBlocks(bytes, passphrase)
        }
    }

    private static func open(
        _ bytes: borrowing SecretBytes, _ passphrase: borrowing SecretBytes
    ) throws(CertificateReadError) -> PKCS12Contents {
        try bytes.withBytes { (span) throws(CertificateReadError) in try PKCS12File.open(span, with: passphrase) }
    }

    private mutating func add(_ contents: PKCS12Contents) throws {
        leftOut = contents.skipped
        try add(
            contents.certificates.map { ($0.certificate, $0.labels.friendlyName) },
            contents.keys.map { ($0.key, $0.labels.friendlyName) })
    }

    private mutating func addBlocks(_ bytes: borrowing SecretBytes, _ passphrase: () throws -> SecretBytes) throws {
        let file = try Self.reading { () throws(CertificateReadError) in
            try bytes.withBytes { (span) throws(CertificateReadError) in try CertificateFile(span) }
        }
        var keys = file.keys
        if !file.encryptedKeys.isEmpty {
            let given = try passphrase()
            for sealed in file.encryptedKeys {
                keys.append(try Self.reading { () throws(CertificateReadError) in try sealed.open(with: given) })
            }
        }
        try add(file.certificates.map { ($0, nil) }, keys.map { ($0, nil) })
    }

    /// Each once, in the order of the file, certificates first.
    private mutating func add(
        _ certificates: [(DERCertificate, String?)], _ keys: [(PrivateKey, String?)]
    ) throws {
        var known: Set<[UInt8]> = []
        for (certificate, name) in certificates where known.insert(certificate.der).inserted {
            entries.append(
                Entry(
                    content: .certificate(certificate), label: name ?? certificate.summary, filed: certificate.filed))
        }
        for (key, name) in keys where known.insert(key.publicKey).inserted {
            guard let filed = key.filed else {
                throw Failure(
                    Wire.ExitCode.usage,
                    localized("there is an Ed25519 key in it, which programs could not use; nothing was written"),
                    hint: localized(
                        "take the key out of the file, or keep it as it is: 'tresor keychain add --kind key'"))
            }
            let owner = certificates.first { $0.0.publicKey == key.publicKey }
            identityCount += owner == nil ? 0 : 1
            entries.append(Entry(content: .key(key), label: name ?? owner?.1 ?? owner?.0.summary, filed: filed))
        }
    }

    private static func reading<Result: ~Copyable>(
        _ body: () throws(CertificateReadError) -> Result
    ) throws -> Result {
        do { return try body() } catch {
            let code =
                switch error.code {
                case .damaged, .tooLarge: Wire.ExitCode.damaged
                case .outOfMemory: Wire.ExitCode.unavailable
                case .wrongPassphrase: Wire.ExitCode.authenticationFailed
                case .unrecognized, .unsupported, .legacyPKCS12, .legacyKey: Wire.ExitCode.usage
                }
            throw Failure(code, localized("\(SafeText.line(error.description)); nothing was written"), hint: error.hint)
        }
    }
}

extension CertificateImport {
    struct Report {
        var added: [ItemKind: Int] = [:]
        var duplicates: [Duplicate] = []
    }

    /// Something of the file in whose place the keychain has something.
    struct Duplicate {
        let kind: ItemKind
        let label: String?
        /// Whether what the keychain has is another of the same names.
        let isAnother: Bool

        /// - Parameter catalogue: nil for English.
        func words(in catalogue: MessageCatalogue?) -> String {
            let name = SafeText.line(label ?? localized("without name", in: catalogue))
            guard isAnother else { return localized("\(kind.name) \(name): in the keychain already", in: catalogue) }
            return localized(
                """
                \(kind.name) \(name): the keychain has ANOTHER of the same issuer and serial number; the file's was \
                not imported
                """, in: catalogue)
        }
    }

    /// Adds what the keychain does not have, all of it or nothing.
    func run(into keychain: Keychain, _ protectionClass: ProtectionClass?, isDryRun: Bool) async throws -> Report {
        var report = Report()
        var missing: [Entry] = []
        for entry in entries {
            if let duplicate = try await entry.duplicate(in: keychain) {
                report.duplicates.append(duplicate)
            } else {
                missing.append(entry)
            }
        }
        var added: [PersistentReference] = []
        do {
            for entry in missing {
                if !isDryRun {
                    added.append(
                        try await keychain.add(
                            entry.kind, entry.attributes(protectionClass), secret: try entry.secret()))
                }
                report.added[entry.kind, default: 0] += 1
            }
        } catch {
            for reference in added { try? await keychain.remove(ItemQuery(reference)) }
            throw error
        }
        return report
    }
}

extension CertificateImport.Entry {
    fileprivate var kind: ItemKind {
        switch content {
        case .certificate: .certificate
        case .key: .key
        }
    }

    /// As it lies in the keychain, where Apple's interface finds it: DER, or the form of X9.63 or PKCS#1.
    fileprivate func secret() throws -> SecretBytes {
        switch content {
        case .certificate(let certificate): try certificate.der.withSpan { try SecretBytes(copying: $0) }
        case .key(let key): try key.externalForm()
        }
    }

    fileprivate func attributes(_ protectionClass: ProtectionClass?) -> ItemAttributes {
        var attributes = ItemAttributes()
        for (name, value) in filed { attributes.file(value, under: name) }
        attributes.label = label
        attributes.protectionClass = protectionClass
        return attributes
    }

    /// What the keychain has in its place; nil where there is nothing.
    fileprivate func duplicate(in keychain: Keychain) async throws -> CertificateImport.Duplicate? {
        var name = ItemAttributes()
        for code in ["ctyp", "issr", "slnr", "kcls", "klbl", "type"] {
            if let value = filed[code] { name.file(value, under: code) }
        }
        let query = ItemQuery(kind, name)
        do {
            _ = try await keychain.find(query)
            guard case .certificate = content else { return .init(kind: kind, label: label, isAnother: false) }
            let isSame = try await keychain.read(query).equals(try secret())
            return .init(kind: kind, label: label, isAnother: !isSame)
        } catch let error as TresorError where error.code == .notFound { return nil }
    }
}

extension ItemAttributes {
    fileprivate mutating func file(_ value: FiledValue, under name: String) {
        guard let code = AttributeCode(name) else { return }
        switch value {
        case .number(let number): values[code] = .number(number)
        case .data(let bytes): values[code] = .data(bytes)
        case .text(let text): values[code] = .string(text)
        }
    }
}

extension ImportItems {
    /// The file's certificates and keys instead of passwords.
    func importCertificates(_ bytes: borrowing SecretBytes) async throws {
        guard !skipBad else {
            throw Failure(Wire.ExitCode.usage, localized("--skip-bad is for exports of passwords; nothing was written"))
        }
        let plan = try CertificateImport(bytes) {
            guard passphrase.isApart(fromInput: file == "-") else {
                throw Failure(
                    Wire.ExitCode.usage, localized("file and passphrase can't both come from standard input"),
                    hint: localized("give the passphrase with --passphrase-fd"))
            }
            return try passphrase.read(localized("Passphrase of the file"))
        }
        // Certificates have that class where none is said, as documented; private keys never.
        warnOfAlways()
        let report = try await plan.run(into: try Keychain(), protectionClass?.value, isDryRun: dryRun)
        if json {
            try Output.json(CertificateImportDocument(report, of: plan, isDryRun: dryRun))
        } else if !Manner.isQuiet || dryRun || !report.duplicates.isEmpty || !plan.leftOut.isEmpty {
            try tell(report, of: plan)
        }
        guard report.duplicates.isEmpty else { throw ArgumentParser.ExitCode(Wire.ExitCode.duplicate) }
    }

    private func tell(_ report: CertificateImport.Report, of plan: CertificateImport) throws {
        try Output.words(
            dryRun
                ? localized("certificates and keys, dry run: nothing was written")
                : localized("certificates and keys"))
        let kinds = [ItemKind.certificate, .key].compactMap { kind in report.added[kind].map { "\(kind.name) \($0)" } }
        let count = report.added.values.reduce(0, +)
        try Output.words(
            kinds.isEmpty
                ? localized("added \(count)") : localized("added \(count): \(kinds.joined(separator: ", "))"))
        try Output.words(localized("identities in the file \(plan.identityCount)"))
        try Output.words(localized("duplicates \(report.duplicates.count)"))
        for duplicate in report.duplicates { try Output.words("  " + duplicate.words(in: Localization.catalogue)) }
        for part in plan.leftOut { try Output.words(localized("left out: \(SafeText.line(translated(part)))")) }
    }
}
