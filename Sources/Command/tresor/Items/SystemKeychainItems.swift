import Certificates
import FoundationEssentials
import Linux
import Localization
import Secrets
import TerminalScreen
import Wire

/// Certificates of the keychains that are made of files, as `keychain list` and `get` show them.
struct SystemKeychainItems {
    private let certificates: [SystemCertificate]

    /// Nil where that is the name of no such keychain.
    init?(named name: String?, _ item: ItemOptions) throws {
        guard let keychain = name.flatMap(SystemKeychain.init(name:)) else { return nil }
        guard item.kind == nil || item.kind == .certificate, item.namesOnlyCertificate else {
            throw Failure(
                Wire.ExitCode.notFound, localized("there are certificates in \(keychain.name), and nothing else"),
                hint: localized("look for them by --label, --issuer or --serial"))
        }
        let contents = try Self.contents(keychain)
        for file in contents.refused {
            Output.error(
                localized(
                    "tresor: warning: \(SafeText.line(file.path)) does not count: \(SafeText.line(file.description))"))
        }
        certificates = contents.certificates.filter { item.matches($0) }
    }

    private static func contents(_ keychain: SystemKeychain) throws -> SystemContents {
        do { return try keychain.read() } catch let error as LinuxError where error.isMissing {
            throw Failure(
                Wire.ExitCode.unavailable, localized("this system has no list of roots at \(TrustRoots.systemPath)"),
                hint: localized("install it (apt install ca-certificates)"))
        } catch let error as CertificateReadError {
            throw CertificateInput.failure(error, TrustRoots.systemPath)
        }
    }

    func list(json: Bool) throws {
        if json { return try Output.json(certificates.map { CertificateDocument($0) }) }
        var rows = ListRows(
            [localized("KIND"), localized("FILE"), localized("ACCOUNT"), localized("LABEL"), localized("CLASS")],
            yielding: [.dropped(4), .dropped(0), .dropped(1)])
        for one in certificates { try rows.add(["certificate", one.file, "", one.label, "always"]) }
        try rows.finish()
    }

    /// The one that matches, DER, as of any certificate.
    func print(json: Bool) throws {
        guard let first = certificates.first else {
            throw Failure(
                Wire.ExitCode.notFound, localized("no such certificate"),
                hint: localized("'tresor keychain list' shows them"))
        }
        guard certificates.count == 1 else {
            throw Failure(
                Wire.ExitCode.usage, localized("\(certificates.count) certificates match; say which one"),
                hint: localized("give --serial, which --json prints"))
        }
        if json { return try Output.json(CertificateDocument(first)) }
        try Output.secret(first.der.withSpan { try SecretBytes(copying: $0) })
    }
}

extension ItemOptions {
    /// Whether nothing is asked for that certificates of files lack.
    fileprivate var namesOnlyCertificate: Bool {
        [service, account, server, protocolName, path, tag].allSatisfy { $0 == nil } && port == nil
    }

    fileprivate func matches(_ one: SystemCertificate) -> Bool {
        (label == nil || label == one.label)
            && (issuer == nil || issuer?.bytes == one.certificate.issuerDER)
            && (serial == nil || serial?.bytes == one.certificate.serialNumber)
    }
}
