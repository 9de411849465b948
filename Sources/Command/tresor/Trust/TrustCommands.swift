import ArgumentParser
import Certificates
import FoundationEssentials
import Linux
import Localization
import NotesClient
import Secrets
import TerminalScreen
import Wire

struct TrustCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: localized("Check certificates against what this machine trusts and your own roots."),
        subcommands: [VerifyCertificate.self, ListRoots.self])
}

struct VerifyCertificate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: localized("Look for a chain from a certificate to a trusted root, and say why there is none."),
        discussion: localized(
            """
            Files are PEM or DER. Of several certificates in CERT the first is checked; the others may stand between \
            it and a root. Roots are those of the keychains System Roots and System, and those that installed profiles \
            call roots ('tresor trust roots'). Nothing is fetched, and whether a certificate was revoked is not asked. \
            Exit codes: 0 trusted, 7 not trusted, 8 a file is damaged, 64 no certificate in a file.
            """))

    @Argument(help: ArgumentHelp(localized("The file with the certificate.")), completion: .file())
    var certificate: String
    @Option(
        help: ArgumentHelp(localized("A file with certificates that may stand between it and a root; may be repeated."))
    )
    var chain: [String] = []
    @Option(help: ArgumentHelp(localized("A file with further trusted roots; may be repeated.")))
    var ca: [String] = []
    @Option(
        help: ArgumentHelp(localized("The DNS name or address of the TLS server that the certificate shall be for.")))
    var host: String?
    @Option(help: ArgumentHelp(localized("Check for this moment, as 2026-12-31 or 2026-12-31T23:59:59Z, not for now.")))
    var at: String?
    @Flag(
        help: ArgumentHelp(
            localized("Trust only what --ca gives: neither System Roots, nor System, nor roots of profiles.")))
    var noSystemRoots = false
    @Flag(help: ArgumentHelp(localized("As JSON.")))
    var json = false

    func run() async throws {
        let purpose = try self.purpose()
        let date = try Moment.parse(at)
        let own = try CertificateInput.certificates(certificate)
        let intermediates = try Array(own.dropFirst()) + chain.flatMap { try CertificateInput.certificates($0) }
        let authorities = try ca.flatMap { try CertificateInput.certificates($0) }
        let system = noSystemRoots ? SystemTrust.none : try SystemInput.trust()
        let profiles = await noSystemRoots ? ProfileInputRoots() : ProfileInputRoots.read()
        let evaluation = try CertificateInput.evaluation(
            system, authorities + profiles.certificates, intermediates, own[0])
        let verdict = await evaluation.evaluate(own[0], for: purpose, at: date)
        let report = TrustReport(verdict, system, profiles, host: host, date)
        if !report.trusted || profiles.damagedCount > 0 { profiles.explain() }
        if json { try Output.json(report) } else { for line in report.lines { try Output.words(line) } }
        guard report.trusted else { throw ArgumentParser.ExitCode(Wire.ExitCode.notPermitted) }
    }

    private func purpose() throws -> TrustPurpose {
        guard let host else { return .any }
        guard let name = ServerName(host) else {
            throw Failure(
                Wire.ExitCode.usage, localized("that is no server's name: give a DNS name or an address, without port"),
                hint: localized("names in other scripts are given as xn--…"))
        }
        return .tlsServer(name)
    }
}

struct ListRoots: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roots",
        abstract: localized("Count the roots that this machine trusts, keychain by keychain; list them with --json."),
        discussion: localized(
            """
            System Roots is the system's list of authorities. System is what the administrator deployed in \
            /etc/tresor/certificates and /usr/local/share/ca-certificates. Deployed files count only if root alone \
            can change them; those that do not count are named on standard error, with the reason. Profiles are those \
            that you have installed ('tresor profile list'): what they call a root is trusted until they are removed.
            """))

    @Flag(help: ArgumentHelp(localized("All of them, as JSON.")))
    var json = false

    func run() async throws {
        let system = try SystemInput.trust()
        let profiles = await ProfileInputRoots.read()
        profiles.explain()
        guard json else {
            return try (SystemInput.lines(system) + profiles.lines).forEach { try Output.words($0) }
        }
        try Output.json(system.anchors.map { CertificateDocument($0) } + profiles.documents)
    }
}

/// `--at`.
private enum Moment {
    /// A date without a time is its first second in UTC.
    static func parse(_ text: String?) throws -> Date {
        guard let text else { return Date() }
        let full = text.utf8.count == 10 ? text + "T00:00:00Z" : text
        guard let date = try? Date(full, strategy: .iso8601) else {
            throw Failure(
                Wire.ExitCode.usage, localized("--at takes a moment such as 2026-12-31 or 2026-12-31T23:59:59Z"))
        }
        return date
    }
}

/// Reads files of certificates; in locked memory, since a key may stand beside them.
enum CertificateInput {
    /// At least one.
    static func certificates(_ path: String) throws -> [DERCertificate] {
        let bytes = try read(path)
        let file: CertificateFile
        do {
            file = try bytes.withBytes { (bytes) throws(CertificateReadError) in try CertificateFile(bytes) }
        } catch { throw failure(error, path) }
        guard !file.certificates.isEmpty else {
            throw Failure(Wire.ExitCode.usage, localized("\(SafeText.line(path)): there is no certificate in it"))
        }
        return file.certificates
    }

    static func evaluation(
        _ system: SystemTrust, _ more: [DERCertificate], _ intermediates: [DERCertificate], _ leaf: DERCertificate
    ) throws -> TrustEvaluation {
        do { return try TrustEvaluation(system, adding: more, intermediates: intermediates, for: leaf) } catch {
            throw Failure(Wire.ExitCode.usage, error.description)
        }
    }

    private static func read(_ path: String) throws -> SecretBytes {
        do {
            let file = try FileDescriptor.open(path, FileFlags.readFollowing)
            return SecretBytes(try SecretInput.readAll(file.raw, limit: CertificateFile.byteLimit))
        } catch let error as LinuxError where error.isTooLarge {
            throw Failure(
                Wire.ExitCode.damaged, localized("\(SafeText.line(path)): more than 1 MiB, which no certificates are"))
        } catch let error as LinuxError {
            throw Failure(
                Wire.ExitCode.usage, localized("the file cannot be read: \(SafeText.line(error.description))"))
        }
    }

    static func failure(_ error: CertificateReadError, _ path: String) -> Failure {
        let code =
            switch error.code {
            case .damaged, .tooLarge: Wire.ExitCode.damaged
            case .outOfMemory: Wire.ExitCode.unavailable
            case .unrecognized, .unsupported, .legacyPKCS12, .legacyKey, .wrongPassphrase: Wire.ExitCode.usage
            }
        return Failure(code, "\(SafeText.line(path)): \(SafeText.line(error.description))", hint: error.hint)
    }
}
