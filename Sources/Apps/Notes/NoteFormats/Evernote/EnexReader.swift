import Codecs
import Envelopes
import FoundationEssentials
import Localization
import MarkdownFolder

/// Evernote's exports: XML around notes in XHTML, with their files in Base64.
struct EnexReader {
    private let bytes: [UInt8]
    private let notes: [(range: Range<Int>, source: String)]

    private static let largest = 1 << 30
    private static let mostNotes = 1_000_000

    static func open(_ path: String) throws(NoteFormatError) -> NoteArchive {
        let reader = try EnexReader(try NoteArchive.bytes(of: path, limit: largest))
        return NoteArchive(count: reader.notes.count) { (index) throws(NoteFormatError) in
            try reader.note(reader.notes[index].range, reader.notes[index].source)
        }
    }

    /// Looks for the notes, and reads of each what it is known by.
    init(_ bytes: [UInt8]) throws(NoteFormatError) {
        self.bytes = bytes
        var scanner = MarkupScanner(bytes, isStrict: true)
        var found: [(range: Range<Int>, source: String)] = []
        var names: [String: Int] = [:]
        var (isExport, isWhole) = (false, false)
        while let token = try scanner.next() {
            switch token {
            case .start("en-export", _, let isEmpty): (isExport, isWhole) = (true, isEmpty)
            case .end("en-export"): isWhole = true
            case .start("note", _, false) where isExport:
                guard found.count < Self.mostNotes else {
                    throw NoteFormatError(.tooLarge, localized("It has more than \(Self.mostNotes) notes."))
                }
                let start = scanner.position
                var name = try Self.skipNote(&scanner)
                if name.hasPrefix("enex:/") { name += Self.digest(bytes[start..<scanner.position]) }
                names[name, default: 0] += 1
                let number = names[name, default: 1]
                found.append((range: start..<scanner.position, source: number > 1 ? "\(name)#\(number)" : name))
            default: continue
            }
        }
        guard isExport else { throw NoteFormatError(.unknownFormat, localized("This is no export of Evernote's.")) }
        guard isWhole else { throw MarkupScanner.malformed }
        notes = found
    }

    /// Of a note without a date: else all notes of one title would be one, whichever file they are in.
    private static func digest(_ bytes: ArraySlice<UInt8>) -> String {
        "#" + contentName(Array(bytes))
    }

    /// MD5 in hexadecimal digits, by which the text names a file.
    private static func contentName(_ bytes: [UInt8]) -> String {
        var digest = InsecureContentName()
        digest.update(bytes)
        return digest.finish().map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }

    /// Evernote's exports have no names for notes: the moment of their making and the title stand for one.
    private static func skipNote(_ scanner: inout MarkupScanner) throws(NoteFormatError) -> String {
        var (title, created) = ("", "")
        // Tasks and files have titles and dates of their own.
        while let token = try scanner.next() {
            switch token {
            case .end("note"): return "enex:\(created)/\(title.prefix(1000))"
            case .start("title", _, false): title = try text(&scanner, until: "title")
            case .start("created", _, false): created = try text(&scanner, until: "created")
            case .start("task", _, false): _ = try task(&scanner)
            default: continue
            }
        }
        throw MarkupScanner.malformed
    }

    private static func text(_ scanner: inout MarkupScanner, until name: String) throws(NoteFormatError) -> String {
        var text = ""
        while let token = try scanner.next() {
            switch token {
            case .text(let range, let isLiteral): text += scanner.string(range, isLiteral: isLiteral)
            case .end(name): return FormatText.trimmed(text)
            default: continue
            }
        }
        throw MarkupScanner.malformed
    }

    // MARK: One note

    private struct Resource {
        var data: [UInt8] = []
        var mediaType = ""
        var name = ""
        var isBroken = false
    }

    private static let places = FormatPlaces(precision: 1_000_000)

    private func note(_ range: Range<Int>, _ source: String) throws(NoteFormatError) -> FormatNote {
        var note = FormatNote(source: source, title: "")
        var content: [UInt8] = []
        var resources: [Resource] = []
        var tasks: [MarkdownComposer.Task] = []
        var facts: OwnFacts?
        var scanner = MarkupScanner(bytes, in: range, isStrict: true)
        while let token = try scanner.next() {
            guard case .start(let name, let attributes, false) = token else { continue }
            switch name {
            case "title": note.title = try Self.text(&scanner, until: name)
            case "created": note.created = Self.time(try Self.text(&scanner, until: name))
            case "updated": note.modified = Self.time(try Self.text(&scanner, until: name))
            case "tag": note.add(tag: try Self.text(&scanner, until: name))
            case "application-data" where attributes["key"] == "tresor":
                facts = OwnFacts(try Self.text(&scanner, until: name))
            case "content": content = Array(try Self.text(&scanner, until: name).utf8)
            case "resource": resources.append(try Self.resource(&scanner))
            case "task": tasks.append(try Self.task(&scanner))
            case "source-url": if try !Self.text(&scanner, until: name).isEmpty { note.report(FormatNote.lostAddress) }
            case "reminder-time":
                if try !Self.text(&scanner, until: name).isEmpty { note.report(FormatNote.lostReminder) }
            default: continue
            }
        }
        note.modified = note.modified ?? note.created
        fill(&note, content, resources, tasks)
        facts?.apply(to: &note, title: note.title, content: String(decoding: content, as: UTF8.self), Self.places)
        return note
    }

    private func fill(
        _ note: inout FormatNote, _ content: [UInt8], _ resources: [Resource], _ tasks: [MarkdownComposer.Task]
    ) {
        var places: [String: (number: Int, name: String)] = [:]
        for resource in resources {
            guard !resource.isBroken, !resource.data.isEmpty else {
                note.report(localized("A file of it is empty or damaged in the export, and was left out."))
                continue
            }
            let hash = Self.contentName(resource.data)
            guard places[hash] == nil else { continue }
            let ending = MediaEnding.ending(of: resource.mediaType)
            let name = FormatText.fileName(resource.name, fallback: "file\(note.attachments.count + 1)\(ending)")
            places[hash] = (number: note.attachments.count, name: name)
            note.attachments.append(
                FormatAttachment(name: name, mediaType: resource.mediaType, content: .bytes(resource.data)))
        }
        var composer = MarkdownComposer { resource in
            guard case .media(let hash) = resource else { return nil }
            return places[hash]
        }
        composer.tasks = Dictionary(grouping: tasks, by: \.group).mapValues { tasks in
            tasks.sorted { $0.weight.utf8.lexicographicallyPrecedes($1.weight.utf8) }
        }
        do {
            let body = composer.markdown(of: try MarkupTree.read(content))
            note.markdown = TitledText.whole(note.title, body)
        } catch {
            note.report(localized("Its text could not be read: \(error.message)"))
        }
        for problem in composer.problems { note.report(problem) }
    }

    private static func task(_ scanner: inout MarkupScanner) throws(NoteFormatError) -> MarkdownComposer.Task {
        var task = MarkdownComposer.Task()
        while let token = try scanner.next() {
            switch token {
            case .end("task"): return task
            case .start("title", _, false): task.title = try text(&scanner, until: "title")
            // The scanner's names are in small letters.
            case .start("taskstatus", _, false): task.isDone = try text(&scanner, until: "taskstatus") == "completed"
            case .start("sortweight", _, false): task.weight = try text(&scanner, until: "sortweight")
            case .start(let name, _, false) where name == "taskgroupnotelevelid":
                task.group = try text(&scanner, until: name)
            default: continue
            }
        }
        throw MarkupScanner.malformed
    }

    private static func resource(_ scanner: inout MarkupScanner) throws(NoteFormatError) -> Resource {
        var resource = Resource()
        while let token = try scanner.next() {
            switch token {
            case .end("resource"): return resource
            case .start("data", _, false):
                let text = try text(&scanner, until: "data")
                let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters)
                resource.isBroken = data == nil
                resource.data = data.map(Array.init) ?? []
            case .start("mime", _, false): resource.mediaType = MediaEnding.checked(try text(&scanner, until: "mime"))
            case .start("file-name", _, false): resource.name = try text(&scanner, until: "file-name")
            // Evernote's reading of a picture: text that stands in no note.
            case .start("recognition", _, false): _ = try text(&scanner, until: "recognition")
            default: continue
            }
        }
        throw MarkupScanner.malformed
    }

    /// `20240131T102030Z`.
    static func time(_ text: String) -> Int64? {
        let digits = Array(text)
        guard digits.count == 16, digits[8] == "T", digits[15] == "Z" else { return nil }
        let part = { (range: Range<Int>) in String(digits[range]) }
        return ISODate.parse(
            "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z")
    }
}

/// Media types and the endings of file names.
enum MediaEnding {
    private static let endings = [
        "image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg",
        "application/pdf": ".pdf", "audio/mpeg": ".mp3", "audio/wav": ".wav", "audio/mp4": ".m4a",
        "video/mp4": ".mp4", "text/plain": ".txt", "text/html": ".html", "text/csv": ".csv",
    ]

    static func ending(of mediaType: String) -> String { endings[mediaType] ?? "" }

    /// Empty for what is no media type.
    static func checked(_ text: String) -> String {
        let isType =
            text.utf8.count <= 100 && text.contains("/")
            && text.utf8.allSatisfy { (33...126).contains($0) && !"\"<>&".utf8.contains($0) }
        return isType ? text.lowercased() : ""
    }
}
