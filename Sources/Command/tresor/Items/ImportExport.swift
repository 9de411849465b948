import ArgumentParser
import KeychainFormats
import Linux
import Localization
import Secrets
import TerminalScreen
import Tresor
import Wire

struct ImportItems: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: localized(
            "Import passwords from another program's export, or certificates and keys from PEM or PKCS#12."),
        discussion: localized(
            """
            CSV exports of Firefox, Chrome, Edge, Bitwarden, 1Password and KeePassXC are told apart by their header; \
            Bitwarden's unencrypted JSON and KeePass's XML by how they begin. Certificates and private keys come \
            from PEM, DER and PKCS#12 files, whose passphrase is asked for or read \
            from --passphrase-fd; one that has its key in the file is an identity. They are added all or none.

             All rows, or entries, are checked before anything is written; one bad row, and \
            nothing is, unless --skip-bad is given. What the keychain has already stays as it is and is reported. \
            Exit codes: 4 when there are duplicates, 6 for a wrong passphrase, 8 for a damaged file, 64 for bad rows \
            or an unknown header. Delete an export afterwards: it holds every password in the clear.
            """))

    @Argument(help: ArgumentHelp(localized("The file; - is standard input.")), completion: .file())
    var file: String
    @Flag(help: ArgumentHelp(localized("Report what would be done, and write nothing.")))
    var dryRun = false
    @Flag(help: ArgumentHelp(localized("Import the good rows, and report the bad ones.")))
    var skipBad = false
    @Option(
        name: .customLong("class"),
        help: ArgumentHelp(
            localized("When the new items can be read; whenUnlocked where it is not said, always for certificates.")))
    var protectionClass: ClassName?
    @Flag(help: ArgumentHelp(localized("Report as JSON.")))
    var json = false
    @OptionGroup var passphrase: PassphraseOptions

    func run() async throws {
        let bytes = try ImportInput.read(file)
        let format = bytes.withBytes { KeychainFormat($0) }
        // A private key may stand in an export of passwords.
        if format == nil, CertificateImport.recognizes(bytes) { return try await importCertificates(bytes) }
        let plan = try ImportInput.plan(bytes, format)
        if !skipBad { try refuseBadRows(plan.badRows) }
        warnOfAlways()
        var options = CSVImport.Options()
        options.skipsBadRows = skipBad
        options.isDryRun = dryRun
        options.protectionClass = protectionClass?.value
        let report = try await importing(plan, options)
        try tell(report, plan.format)
        guard report.duplicates.isEmpty else { throw ArgumentParser.ExitCode(Wire.ExitCode.duplicate) }
    }

    private func tell(_ report: CSVImportReport, _ format: CSVFormat) throws {
        if json { return try Output.json(ImportDocument(report, format, isDryRun: dryRun)) }
        let isClean = report.duplicates.isEmpty && report.skipped.isEmpty && report.leftOut.isEmpty && !dryRun
        for line in ImportText.lines(report, format, isDryRun: dryRun) {
            try isClean ? Output.done(line) : Output.words(line)
        }
    }

    /// Once for a whole file, before anything is written.
    func warnOfAlways() {
        guard protectionClass?.value.availability == .always else { return }
        Output.remark(localized("warning: class always is readable whenever this machine runs, locked or not"))
    }

    private func importing(
        _ plan: borrowing CSVImport, _ options: CSVImport.Options
    ) async throws -> CSVImportReport {
        var bar = ProgressBar()
        var done = 0
        defer { bar.clear() }
        do {
            return try await plan.run(into: try Keychain(), options) { count, total in
                done = count
                bar.show(count, of: total)
            }
        } catch {
            bar.clear()
            if done > 0 && !options.isDryRun {
                Output.error(
                    localized(
                        "at least \(done) of \(plan.itemCount) items were done; a second run takes them for duplicates")
                )
            }
            throw error
        }
    }

    private func refuseBadRows(_ rows: [CSVError]) throws {
        guard !rows.isEmpty else { return }
        rows.prefix(20).forEach { Output.error($0.description) }
        if rows.count > 20 { Output.error(localized("and \(rows.count - 20) more")) }
        throw Failure(
            Wire.ExitCode.usage,
            localized(
                rows.count, one: "\(rows.count) bad row; nothing was written",
                many: "\(rows.count) bad rows; nothing was written"),
            hint: localized("import the others with --skip-bad"))
    }
}

struct ExportItems: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: localized("Write all passwords as a CSV file in KeePassXC's format."),
        discussion: localized(
            """
            The file holds every password in the clear. It is made with mode 0600; a file that exists is never \
            overwritten. Certificates and keys are not exported.
            """))

    @Argument(
        help: ArgumentHelp(localized("The file to make; - is standard output.")), completion: .file(extensions: ["csv"])
    )
    var file: String
    @OptionGroup var passcode: PasscodeOptions

    func run() async throws {
        let keychain = try Keychain()
        let source = try passcode.source()
        let context = passcode.context(source, finger: nil)
        Output.remark(localized("warning: the export holds every password in the clear, for whoever gets it"))
        let report =
            file == "-"
            ? try await write(keychain, context) { try StandardStream.output.write($0) }
            : try await writeFile(keychain, context)
        try describe(report)
    }

    private func writeFile(
        _ keychain: Keychain, _ context: AuthenticationContext
    ) async throws -> CSVExport.Report {
        // The status fails first where the daemon does, so that no empty file is left.
        _ = try await keychain.status()
        // Half of it would stay in the clear.
        let interruption = try InterruptionWatch(localized("the export"))
        let output = try create()
        do {
            let report = try await write(keychain, context) { bytes in
                try interruption.goOn()
                return try output.writeAll(bytes)
            }
            try output.sync()
            return report
        } catch {
            try? FileSystem.remove(file)
            throw error
        }
    }

    private func create() throws -> FileDescriptor {
        do {
            return try FileDescriptor.open(file, FileFlags.create, mode: 0o600)
        } catch {
            throw Failure(
                Wire.ExitCode.cannotWrite, localized("the export was not written: \(error)"),
                hint: localized("a file that exists is never overwritten; choose another name"))
        }
    }

    private func write(
        _ keychain: Keychain, _ context: AuthenticationContext, to output: (RawSpan) throws -> Bool
    ) async throws -> CSVExport.Report {
        var bar = ProgressBar()
        defer { bar.clear() }
        return try await CSVExport(keychain).write(
            context: context, progress: { bar.show($0, of: $1) },
            to: { bytes in
                guard try output(bytes) else {
                    throw Failure(Wire.ExitCode.unavailable, localized("nobody reads the output any more"))
                }
            })
    }

    private func describe(_ report: CSVExport.Report) throws {
        Output.remark(localized("exported \(report.items) items in \(report.rows) rows"))
        if !report.leftOut.isEmpty {
            let names = report.leftOut.sorted { $0.key < $1.key }.map { "\(translated($0.key)) \($0.value)" }
            Output.remark(localized("not carried over, by items: \(names.joined(separator: ", "))"))
        }
        if report.fingers > 0 {
            Output.error(
                localized(
                    """
                    \(report.fingers) items open by a finger alone and were left out; they are kept. At a terminal it \
                    is asked for
                    """))
        }
        if report.ownPasswords > 0 {
            Output.error(
                localized(
                    """
                    \(report.ownPasswords) items have a password of their own and were left out; they are kept. \
                    'tresor keychain get' asks for it
                    """))
        }
        for item in report.damagedItems {
            let names = [item.service ?? item.server ?? item.label, item.account].compactMap(\.self)
            Output.error(localized("damaged: \(SafeText.line(names.joined(separator: ", ")))"))
        }
        guard report.damaged == 0 else {
            throw Failure(
                Wire.ExitCode.damaged,
                localized("\(report.damaged) items cannot be decoded and were left out; they are kept"),
                hint: localized("'tresor status' lists them"))
        }
    }
}

/// A bar on the terminal's error stream, drawn once the work has taken half a second, and at most ten times a second.
struct ProgressBar {
    private let isShown = Terminal.isTerminal(2) && !Manner.isQuiet
    private var next = ContinuousClock.now + .milliseconds(500)
    private var isDrawn = false

    mutating func show(_ done: Int, of total: Int) {
        guard isShown, total > 0, ContinuousClock.now >= next else { return }
        next = ContinuousClock.now + .milliseconds(100)
        isDrawn = true
        let filled = min(30, 30 * done / total)
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 30 - filled)
        _ = try? StandardStream.error.write("\r[\(bar)] " + localized("\(done) of \(total)"))
    }

    /// Takes the bar away.
    mutating func clear() {
        guard isDrawn else { return }
        isDrawn = false
        _ = try? StandardStream.error.write("\r\u{1b}[K")
    }
}
