import AppleImport
import ArgumentParser
import Linux
import Localization
import MarkdownFolder
import NotesClient
import ResidentClient
import Secrets
import TerminalScreen
import Wire

/// A file of a note that is coming in.
struct IncomingFile {
    enum Content {
        case file(String)
        case bytes([UInt8])
    }

    let new: NewAttachment
    let content: Content

    /// Stages it for the note that follows.
    fileprivate func send(for source: String, over connection: NotesConnection) throws {
        let request = NotesRequest.importAttachment(source: source, new)
        switch content {
        case .file(let path): _ = try FileUpload.send(path, as: request, over: connection)
        case .bytes(let bytes):
            // Parts are counted, not bytes: an empty file has one part.
            var parts = stride(from: 0, through: max(0, bytes.count - 1), by: MessageFrame.bodyPart).makeIterator()
            try connection.ask(request, hasBody: true) {
                parts.next().map { Array(bytes[$0..<min(bytes.count, $0 + MessageFrame.bodyPart)]) }
            } receive: { _ in
            }
        }
    }
}

/// Hands notes over one by one, and keeps count of what becomes of them.
final class NoteIntake {
    let options: NotesOptions
    var report: ImportReport
    /// Nil in a dry run.
    private(set) var connection: NotesConnection?
    private let interruption: InterruptionWatch
    /// Whether a passphrase was asked for in vain: it is not asked for at each note again.
    private var isShut = false
    /// Notes that were sent, in order, and whose answers are still to come.
    private var underWay: [Sent] = []
    private var bytesUnderWay = 0

    private struct Sent {
        let id: UInt32
        let head: ImportedNoteHead
        let markdown: String
        let reopen: () throws -> Bool
    }

    /// So many, and bytes of them, go ahead of their answers: what comes together goes to the disk together.
    private static let (mostUnderWay, mostBytesUnderWay) = (64, 256 << 10)

    /// Of the exported notes that came in: two files that name one note must not become one.
    private var exported: Set<String> = []

    /// From here on a signal ends the program between two notes, so that its caller can put things in order.
    init(_ options: NotesOptions, isDryRun: Bool) throws {
        self.options = options
        report = ImportReport(isDryRun: isDryRun)
        connection = isDryRun ? nil : try options.connect()
        interruption = try InterruptionWatch(localized("the import"))
    }

    func run(count: Int, _ body: (Int) throws -> Void) throws {
        var bar = ProgressBar()
        defer { bar.clear() }
        do {
            for index in 0..<count {
                try interruption.goOn()
                bar.show(index, of: count)
                try body(index)
            }
            try takeAnswers(leaving: 0)
        } catch {
            bar.clear()
            let done = report.added + report.updated + report.merged + report.conflicting.count
            if done > 0 {
                Output.error(
                    localized(
                        done, one: "1 note had come in before; a second run goes on from there",
                        many: "\(done) notes had come in before; a second run goes on from there"))
            }
            throw error
        }
    }

    /// Sends a note, its files first.
    ///
    /// What is wrong with this note alone goes into the report.
    ///
    /// - Parameter reopen: called once where no session is open; true when one is afterwards.
    func take(
        _ head: ImportedNoteHead, _ markdown: String, _ files: [IncomingFile],
        reopen: @escaping () throws -> Bool = { false }
    ) throws {
        report.read += 1
        guard connection != nil else { return }
        var head = head
        head.attachmentCount = files.count
        if let id = head.id, !exported.insert(id).inserted {
            head.id = nil
            let remark = localized("Another file names the same note: this one is a copy, and a note of its own.")
            report.add(problem: remark, in: head.title ?? "")
        }
        if files.isEmpty { return try sendAhead(head, markdown, reopen) }
        // A note waits for its files, and what is behind it for the note.
        try takeAnswers(leaving: 0)
        try settle(head) {
            try takeReopened(reopen) { try send(head, markdown, files) }
        }
    }

    /// Asks once more, where a session has been opened for it.
    private func takeReopened(
        _ reopen: () throws -> Bool, _ body: () throws -> ImportOutcome
    ) throws -> ImportOutcome {
        do { return try body() } catch let error as NotesError where error.code == .noteLocked {
            guard !isShut, try reopen() else {
                isShut = true
                throw error
            }
            return try body()
        }
    }

    private func sendAhead(
        _ head: ImportedNoteHead, _ markdown: String, _ reopen: @escaping () throws -> Bool
    ) throws {
        guard let connection else { return }
        let size = markdown.utf8.count
        if size > Self.mostBytesUnderWay { try takeAnswers(leaving: 0) }
        let id = try connection.begin(.importNote(head), body: Array(markdown.utf8))
        underWay.append(Sent(id: id, head: head, markdown: markdown, reopen: reopen))
        bytesUnderWay += size
        guard underWay.count >= Self.mostUnderWay || bytesUnderWay >= Self.mostBytesUnderWay else { return }
        try takeAnswers(leaving: Self.mostUnderWay / 2)
    }

    /// Takes the answers of notes that were sent, the first ones first.
    private func takeAnswers(leaving count: Int) throws {
        var shut: [Sent] = []
        while underWay.count > count || (bytesUnderWay >= Self.mostBytesUnderWay && !underWay.isEmpty),
            let connection
        {
            let sent = underWay.removeFirst()
            bytesUnderWay -= sent.markdown.utf8.count
            try settle(sent.head) {
                do { return try outcome(connection.finish(sent.id).reply) } catch let error as NotesError
                    where error.code == .noteLocked && !isShut
                {
                    shut.append(sent)
                    return nil
                }
            }
        }
        // A session can be opened for them once nothing else is under way.
        guard !shut.isEmpty else { return }
        try takeAnswers(leaving: 0)
        for sent in shut {
            try settle(sent.head) {
                try takeReopened(sent.reopen) { try send(sent.head, sent.markdown, []) }
            }
        }
    }

    /// Counts what became of a note; what is wrong with it alone goes into the report.
    ///
    /// - Parameter outcome: nil where it is not known yet.
    private func settle(_ head: ImportedNoteHead, _ outcome: () throws -> ImportOutcome?) throws {
        do { if let outcome = try outcome() { report.count(outcome, of: head) } } catch let error as NotesError {
            // These are about all notes.
            guard ![.unavailable, .deviceLocked, .cannotWrite].contains(error.code) else { throw error }
            report.refuse(head.title ?? "", error.message, error.code)
        } catch let error as Failure {
            report.refuse(head.title ?? "", localized("an attachment cannot be read: \(error.message)"), .damaged)
        } catch let error as LinuxError {
            report.refuse(head.title ?? "", localized("an attachment cannot be read: \(error)"), .damaged)
        }
    }

    private func outcome(_ reply: NotesReply) throws -> ImportOutcome {
        guard case .imported(let outcome) = reply else { throw NotesConnection.unexpected }
        return outcome
    }

    private func send(_ head: ImportedNoteHead, _ markdown: String, _ files: [IncomingFile]) throws -> ImportOutcome {
        guard let connection else { throw NotesConnection.unexpected }
        do {
            for file in files { try file.send(for: head.source, over: connection) }
            return try outcome(connection.ask(.importNote(head), body: Array(markdown.utf8)).reply)
        } catch {
            // Files that wait for their note are forgotten with the connection, also one that came in half.
            if !files.isEmpty { self.connection = try options.connect() }
            throw error
        }
    }
}
