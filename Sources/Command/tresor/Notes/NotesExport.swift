import ArgumentParser
import Linux
import Localization
import MarkdownFolder
import NoteFormats
import NotesClient
import ResidentClient
import TerminalScreen
import Wire

struct NotesExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: localized("Write notes as a folder of Markdown files, or for another program."),
        discussion: localized(
            """
            The files are plain text, those of locked notes too. If locked notes are shut, their passphrase is asked \
            for once; an empty line leaves them out. The folder is made, or is there and empty: nothing is ever \
            overwritten. With --format, or by the target's ending: html is a folder of pages, enex a file for \
            Evernote, jex one for Joplin, standard-notes (.json) a backup for Standard Notes, which has no place for \
            attachments. 'tresor notes import' reads each back. Notes in the trash are not exported. What cannot be \
            read is left out and named: a note whose head or text is damaged, a file alone where only that is. Exit \
            codes: 5 when locked notes were left out, 8 when anything damaged was.
            """))

    @OptionGroup var options: NotesOptions
    @OptionGroup var passphrase: PassphraseOptions
    @Argument(help: ArgumentHelp(localized("The folder or file to make.")), completion: .file())
    var target: String
    @Option(help: ArgumentHelp(localized("Only notes of this folder, and those in it.")))
    var folder: String?
    @Option(help: ArgumentHelp(localized("What to write: markdown, html, enex, jex or standard-notes.")))
    var format: FormatChoice?

    func run() throws {
        let connection = try options.connect()
        var notes = try connection.all(NoteFilter(folder: folder, limit: .max))
        let writer = try NotesTarget(target, format?.format ?? NoteFormat(writing: target))
        Output.remark(localized("warning: the exported files are plain text, for whoever gets to see them"))
        if notes.contains(where: { !$0.isOpen }), try opensSession(connection) {
            notes = try connection.all(NoteFilter(folder: folder, limit: .max))
        }
        let report: ExportReport
        do {
            report = try export(notes, over: connection, to: writer)
            try writer.finish()
        } catch {
            writer.abandon()
            throw error
        }
        try report.print(json: options.json)
        if let code = report.exitCode { throw ArgumentParser.ExitCode(code) }
    }

    /// Asks for the passphrase once; a wrong one leaves locked notes out.
    private func opensSession(_ connection: NotesConnection) throws -> Bool {
        guard let given = try passphrase.readOptional(localized("Passphrase of locked notes")) else { return false }
        do {
            try connection.ask(.unlock(id: nil), secrets: MessageSecrets(given))
            return true
        } catch let error as NotesError where error.code == .wrongPassphrase || error.code == .invalid {
            Output.error(localized("\(error.description); locked notes are left out"))
            if let hint = error.hint { Output.error(localized("  hint: \(SafeText.line(hint))")) }
            return false
        }
    }

    private func export(
        _ notes: [NoteSummary], over connection: NotesConnection, to writer: NotesTarget
    ) throws -> ExportReport {
        var report = ExportReport()
        var bar = ProgressBar()
        defer { bar.clear() }
        let interruption = try InterruptionWatch(localized("the export"))
        for (index, note) in notes.enumerated() {
            try interruption.goOn()
            bar.show(index, of: notes.count)
            if let damage = note.damage {
                report.damaged.append(ExportReport.Damaged(id: note.id, title: note.title, parts: damage))
                continue
            }
            guard note.isOpen else {
                report.shut.append(note.id)
                continue
            }
            do {
                let written = try Self.export(note.id, over: connection, to: writer, interruption)
                report.attachments += written.taken
                report.attachmentsLeftOut += written.all - written.taken
                report.damagedFiles += written.damaged.map {
                    ExportReport.DamagedFile(note: note.id, title: note.title, file: $0.name, id: $0.id)
                }
                report.exported += 1
                if written.lacksOrigin {
                    report.lackOrigin.append(ExportReport.Damaged(id: note.id, title: note.title, parts: [.origin]))
                }
            } catch let error as NotesError where error.code == .noteLocked {
                report.shut.append(note.id)
            } catch let error as NotesError where error.code == .damaged {
                report.damaged.append(ExportReport.Damaged(id: note.id, title: note.title, parts: [.text]))
            } catch let error as NotesError where error.code == .notFound {
                // Deleted since it was listed.
                continue
            }
        }
        return report
    }

    /// - Returns: how many attachments could have come along, how many did, and those that are damaged; and whether its
    ///   front matter is.
    private static func export(
        _ id: String, over connection: NotesConnection, to writer: NotesTarget, _ interruption: InterruptionWatch
    ) throws -> (all: Int, taken: Int, damaged: [AttachmentSummary], lacksOrigin: Bool) {
        let (reply, body) = try connection.ask(.show(id: id))
        guard case .note(let note) = reply else { throw NotesConnection.unexpected }
        var attachments = note.attachmentCount > 0 ? try connection.attachments(of: id) : []
        let text = String(decoding: body, as: UTF8.self)
        var damaged = attachments.filter { $0.isDamaged == true }
        attachments.removeAll { $0.isDamaged == true }
        while true {
            var unread: AttachmentSummary?
            do {
                let taken = try writer.write(note, markdown: text, attachments) { attachment, append in
                    let request = NotesRequest.attachment(id: id, attachment: attachment.id, isThumbnail: false)
                    do {
                        try connection.ask(request, hasBody: false, send: { nil }) { part in
                            try interruption.goOn()
                            try append(part)
                        }
                    } catch let error as NotesError where error.code == .damaged {
                        unread = attachment
                        throw error
                    }
                }
                let lacksOrigin = note.damage?.contains(.origin) == true
                return (all: attachments.count, taken: taken, damaged: damaged, lacksOrigin: lacksOrigin)
            } catch let error as NotesError where error.code == .damaged {
                // The text, and the other files, come without it. Of what was written nothing is left.
                guard let unread else { throw error }
                damaged.append(unread)
                attachments.removeAll { $0.id == unread.id }
            }
        }
    }
}

extension NotesConnection {
    fileprivate func attachments(of id: String) throws -> [AttachmentSummary] {
        guard case .attachments(let all) = try ask(.attachments(id: id)).reply else { throw Self.unexpected }
        return all
    }
}

/// Where notes are written to: a folder of Markdown, or what another program reads.
private final class NotesTarget {
    private var folder: MarkdownFolderWriter?
    private var archive: NoteArchiveWriter?

    init(_ path: String, _ format: NoteFormat) throws {
        try Self.explained {
            if format == .markdown {
                folder = try MarkdownFolderWriter(path)
            } else {
                archive = try NoteArchiveWriter(path, format)
            }
        }
    }

    /// - Returns: how many attachments came along.
    func write(
        _ note: NoteSummary, markdown: String, _ attachments: [AttachmentSummary], load: AttachmentLoad
    ) throws -> Int {
        try Self.explained {
            if let archive { return try archive.write(note, markdown: markdown, attachments, load: load) }
            try folder?.write(note, markdown: markdown, attachments, load: load)
            return attachments.count
        }
    }

    /// Waits until all of it is on the disk.
    func finish() throws {
        try Self.explained {
            try folder?.finish()
            try archive?.finish()
        }
    }

    func abandon() { archive?.abandon() }

    private static func explained<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as MarkdownFolderError { throw Failure(error) } catch let error
            as NoteFormatError
        { throw Failure(error) }
    }
}

/// What an export wrote, and what it left out.
private struct ExportReport: Encodable {
    var exported = 0
    var attachments = 0
    /// What the format has no place for.
    var attachmentsLeftOut = 0
    /// Identities of locked notes that stayed shut.
    var shut: [String] = []
    /// Notes that cannot be read.
    var damaged: [Damaged] = []
    /// Files that cannot be read, of notes that came without them.
    var damagedFiles: [DamagedFile] = []
    /// Imported notes that came without the front matter of their source, which cannot be read.
    var lackOrigin: [Damaged] = []

    struct Damaged: Encodable {
        let id: String
        /// Empty where it is not known.
        let title: String
        let parts: [NotePart]
    }

    struct DamagedFile: Encodable {
        let note: String
        let title: String
        /// Its name; empty where it is not known.
        let file: String
        let id: String
    }

    var exitCode: Int32? {
        if !damaged.isEmpty || !damagedFiles.isEmpty || !lackOrigin.isEmpty { return Wire.ExitCode.damaged }
        return shut.isEmpty ? nil : Wire.ExitCode.locked
    }

    func print(json: Bool) throws {
        if json { return try Output.json(self) }
        guard !Manner.isQuiet || exitCode != nil || attachmentsLeftOut > 0 else { return }
        try Output.words(
            localized(
                exported, one: "exported \(exported) note, attachments \(attachments)",
                many: "exported \(exported) notes, attachments \(attachments)"))
        if attachmentsLeftOut > 0 {
            try Output.words(localized("attachments left out \(attachmentsLeftOut): this format has none"))
        }
        if !shut.isEmpty { try Output.words(localized("locked, left out \(shut.count)")) }
        for id in shut { try Output.line("  \(id)") }
        if !damaged.isEmpty { try Output.words(localized("damaged, left out \(damaged.count); they are kept")) }
        for note in damaged {
            let parts = note.parts.map(\.words).joined(separator: ", ")
            try Output.words("  \(note.id)  \(Self.words(note.title)): \(parts)")
        }
        if !damagedFiles.isEmpty {
            try Output.words(localized("files, damaged, left out \(damagedFiles.count); they are kept"))
        }
        for lost in damagedFiles {
            let file = lost.file.isEmpty ? localized("a file whose name cannot be read") : SafeText.line(lost.file)
            try Output.words("  \(lost.note)  \(Self.words(lost.title)): \(file)")
        }
        if !lackOrigin.isEmpty {
            try Output.words(
                localized("front matter of a source, damaged, left out \(lackOrigin.count); the notes came without it"))
        }
        for note in lackOrigin { try Output.words("  \(note.id)  \(Self.words(note.title))") }
    }

    private static func words(_ title: String) -> String {
        title.isEmpty ? localized("without a title") : SafeText.line(title)
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
