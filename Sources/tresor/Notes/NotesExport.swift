import ArgumentParser
import Linux
import MarkdownFolder
import NotesClient
import ResidentClient
import TerminalScreen
import Wire

struct NotesExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write notes as a folder of Markdown files.",
        discussion: """
            The files are plain text, those of locked notes too. If locked notes are shut, their passphrase is asked \
            for once; an empty line leaves them out. The folder is made, or is there and empty: nothing is ever \
            overwritten. 'tresor notes import markdown' reads it back. Notes in the trash are not exported. Exit \
            codes: 5 when locked notes were left out, 8 when damaged ones were.
            """)

    @OptionGroup var options: NotesOptions
    @OptionGroup var passphrase: PassphraseOptions
    @Argument(help: "The folder to make.", completion: .directory)
    var target: String
    @Option(help: "Only notes of this folder, and those in it.")
    var folder: String?

    func run() throws {
        let connection = try options.connect()
        var notes = try connection.allNotes(in: folder)
        var writer: MarkdownFolderWriter
        do { writer = try MarkdownFolderWriter(target) } catch { throw Failure(error) }
        Output.error("warning: the exported files are plain text, for whoever gets to see them")
        if notes.contains(where: { !$0.isOpen }), try opensSession(connection) {
            notes = try connection.allNotes(in: folder)
        }
        let report = try export(notes, over: connection, to: &writer)
        try report.print(json: options.json)
        if let code = report.exitCode { throw ArgumentParser.ExitCode(code) }
    }

    /// Asks for the passphrase once; a wrong one leaves locked notes out.
    private func opensSession(_ connection: NotesConnection) throws -> Bool {
        guard let given = try passphrase.readOptional("Passphrase of locked notes") else { return false }
        do {
            try connection.ask(.unlock(id: nil), secrets: MessageSecrets(given))
            return true
        } catch let error as NotesError where error.code == .wrongPassphrase || error.code == .invalid {
            Output.error("\(error.message); locked notes are left out")
            if let hint = error.hint { Output.error("  hint: \(SafeText.line(hint))") }
            return false
        }
    }

    private func export(
        _ notes: [NoteSummary], over connection: NotesConnection, to writer: inout MarkdownFolderWriter
    ) throws -> ExportReport {
        var report = ExportReport()
        var bar = ProgressBar()
        defer { bar.clear() }
        for (index, note) in notes.enumerated() {
            bar.show(index, of: notes.count)
            guard note.isOpen else {
                report.shut.append(note.id)
                continue
            }
            do {
                report.attachments += try Self.export(note.id, over: connection, to: &writer)
                report.exported += 1
            } catch let error as NotesError where error.code == .noteLocked {
                report.shut.append(note.id)
            } catch let error as NotesError where error.code == .damaged {
                report.damaged.append(note.id)
            } catch let error as NotesError where error.code == .notFound {
                // Deleted since it was listed.
                continue
            } catch let error as MarkdownFolderError { throw Failure(error) }
        }
        return report
    }

    /// - Returns: how many attachments came along.
    private static func export(
        _ id: String, over connection: NotesConnection, to writer: inout MarkdownFolderWriter
    ) throws -> Int {
        let (reply, body) = try connection.ask(.show(id: id))
        guard case .note(let note) = reply else { throw NotesConnection.unexpected }
        let attachments = note.attachmentCount > 0 ? try connection.attachments(of: id) : []
        try writer.write(note, markdown: String(decoding: body, as: UTF8.self), attachments) { attachment, append in
            let request = NotesRequest.attachment(id: id, attachment: attachment.id, isThumbnail: false)
            try connection.ask(request, hasBody: false, send: { nil }, receive: append)
        }
        return attachments.count
    }
}

extension NotesConnection {
    /// All notes that are not in the trash.
    fileprivate func allNotes(in folder: String?) throws -> [NoteSummary] {
        var notes: [NoteSummary] = []
        while true {
            let filter = NoteFilter(folder: folder, offset: notes.count, limit: 200)
            guard case .list(let page) = try ask(.list(filter)).reply else { throw Self.unexpected }
            notes += page.notes
            if page.notes.isEmpty || notes.count >= page.total { return notes }
        }
    }

    fileprivate func attachments(of id: String) throws -> [AttachmentSummary] {
        guard case .attachments(let all) = try ask(.attachments(id: id)).reply else { throw Self.unexpected }
        return all
    }
}

/// What an export wrote, and what it left out.
private struct ExportReport: Encodable {
    var exported = 0
    var attachments = 0
    /// Identities of locked notes that stayed shut.
    var shut: [String] = []
    /// Identities of notes that cannot be decoded.
    var damaged: [String] = []

    var exitCode: Int32? {
        if !damaged.isEmpty { return Wire.ExitCode.damaged }
        return shut.isEmpty ? nil : Wire.ExitCode.locked
    }

    func print(json: Bool) throws {
        if json { return try Output.json(self) }
        try Output.line("exported \(exported) \(exported == 1 ? "note" : "notes"), attachments \(attachments)")
        if !shut.isEmpty { try Output.line("locked, left out \(shut.count)") }
        for id in shut { try Output.line("  \(id)") }
        if !damaged.isEmpty { try Output.line("damaged, left out \(damaged.count); they are kept") }
        for id in damaged { try Output.line("  \(id)") }
    }
}

extension Failure {
    /// A folder of Markdown that cannot be read or written.
    init(_ error: MarkdownFolderError) {
        let code =
            switch error.code {
            case .notFound, .notMarkdown, .unreadable, .tooLarge, .notEmpty: Wire.ExitCode.usage
            case .cannotWrite: Wire.ExitCode.cannotWrite
            }
        self.init(code, SafeText.line(error.message))
    }
}
