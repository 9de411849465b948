import Codecs
import Localization
import MarkdownFolder

/// Joplin's exports: a tar file of items, each a text with its properties below, and of the files that notes name.
struct JexReader {
    private let tar: TarFile
    private var notes: [TarFile.Entry] = []
    private var folders: [String: (title: String, parent: String)] = [:]
    private var tags: [String: String] = [:]
    private var tagsOfNotes: [String: [String]] = [:]
    private var resources: [String: JexItem] = [:]
    private var files: [String: TarFile.Entry] = [:]
    private var problems: [MarkdownProblem] = []

    private static let largestItem = 64 << 20
    private static let largestFile = 1 << 30
    private static let deepestFolder = 100
    private static let mostAttachments = 1000

    static func open(_ path: String) throws(NoteFormatError) -> NoteArchive {
        let reader = try JexReader(try TarFile.open(path))
        return NoteArchive(count: reader.notes.count, problems: reader.problems) { (index) throws(NoteFormatError) in
            try reader.note(reader.notes[index])
        }
    }

    private init(_ tar: TarFile) throws(NoteFormatError) {
        self.tar = tar
        for entry in tar.entries {
            guard entry.directory != "resources" else {
                files[String(entry.name.prefix { $0 != "." })] = entry
                continue
            }
            guard entry.name.hasSuffix(".md") else { continue }
            guard let item = JexItem(try tar.bytes(of: entry, limit: Self.largestItem)) else {
                problems.append(
                    MarkdownProblem(path: entry.name, text: localized("It is no item of Joplin's."), isLoss: true))
                continue
            }
            take(item, entry)
        }
        guard !notes.isEmpty || !folders.isEmpty else {
            throw NoteFormatError(.unknownFormat, localized("This is no export of Joplin's."))
        }
    }

    private mutating func take(_ item: JexItem, _ entry: TarFile.Entry) {
        switch item.type {
        case 1: notes.append(entry)
        case 2: folders[item.id] = (title: item.title, parent: item["parent_id"])
        case 4: resources[item.id] = item
        case 5: tags[item.id] = item.title
        case 6: tagsOfNotes[item["note_id"], default: []].append(item["tag_id"])
        default: break
        }
    }

    // MARK: One note

    private func note(_ entry: TarFile.Entry) throws(NoteFormatError) -> FormatNote {
        guard let item = JexItem(try tar.bytes(of: entry, limit: Self.largestItem)) else {
            throw NoteFormatError(.malformed, localized("It is no item of Joplin's."))
        }
        guard item["encryption_applied"] != "1" else {
            throw NoteFormatError(.encrypted, localized("It is encrypted: export from a Joplin that shows it."))
        }
        var note = FormatNote(source: "joplin:" + item.id, title: item.title)
        note.folder = path(of: item["parent_id"])
        for tag in tagsOfNotes[item.id] ?? [] { if let title = tags[tag] { note.add(tag: title) } }
        note.created = item.time("user_created_time") ?? item.time("created_time")
        note.modified = item.time("user_updated_time") ?? item.time("updated_time") ?? note.created
        note.isDeleted = (Int64(item["deleted_time"]) ?? 0) > 0
        if item["is_conflict"] == "1" { note.report(localized("Joplin had marked it as one side of a conflict.")) }
        if !item["source_url"].isEmpty { note.report(FormatNote.lostAddress) }
        if Int64(item["todo_due"]) ?? 0 > 0 { note.report(FormatNote.lostReminder) }
        fill(&note, item)
        OwnFacts(item["application_data"])?.apply(to: &note, title: item.title, content: item.body, Self.places)
        return note
    }

    private static let places = FormatPlaces(folder: folderThere, precision: 1000)

    /// The path of the notebooks that an export puts a note into.
    private static func folderThere(_ folder: String) -> String {
        JexWriter.notebooks(of: folder).map { JexItem.title($0) }.map(folderName).joined(separator: "/")
    }

    private func fill(_ note: inout FormatNote, _ item: JexItem) {
        let attachments = JexAttachments(limit: Self.mostAttachments) { id in attachment(id) }
        var body = item.body
        if item["markup_language"] == "2" {
            var composer = MarkdownComposer { resource in
                guard case .address(let address) = resource, address.hasPrefix(":/") else { return nil }
                return attachments.add(String(address.dropFirst(2).prefix(32)))
            }
            do { body = composer.markdown(of: try MarkupTree.read(Array(body.utf8))) } catch {
                note.report(localized("Its text could not be read: \(error.message)"))
                body = ""
            }
        } else {
            body = attachments.place(in: body)
        }
        note.attachments = attachments.all
        for problem in attachments.problems { note.report(problem) }
        let isTodo = item["is_todo"] == "1"
        guard isTodo else { return note.markdown = TitledText.whole(item.title, body) }
        let isDone = (Int64(item["todo_completed"]) ?? 0) > 0
        let head = "- [\(isDone ? "x" : " ")] \(MarkdownEscapes.heading(item.title))\n"
        note.markdown = body.isEmpty ? head : head + "\n" + body
    }

    private func attachment(_ id: String) -> Result<FormatAttachment, NoteFormatError> {
        guard let resource = resources[id], let file = files[id] else {
            return .failure(NoteFormatError(.notFound, localized("A file that it names is not in the export.")))
        }
        guard resource["encryption_blob_encrypted"] != "1" else {
            return .failure(NoteFormatError(.encrypted, localized("A file of it is encrypted, and was left out.")))
        }
        do {
            let bytes = try tar.bytes(of: file, limit: Self.largestFile)
            let name = FormatText.fileName(
                resource.title.isEmpty ? resource["filename"] : resource.title, fallback: file.name)
            return .success(
                FormatAttachment(name: name, mediaType: MediaEnding.checked(resource["mime"]), content: .bytes(bytes)))
        } catch { return .failure(error) }
    }

    /// The folder's path; one that stands in itself ends there.
    private func path(of folder: String) -> String {
        var names: [String] = []
        var seen: Set<String> = []
        var next = folder
        while let folder = folders[next], seen.insert(next).inserted, seen.count <= Self.deepestFolder {
            let name = Self.folderName(folder.title)
            if !name.isEmpty { names.append(name) }
            next = folder.parent
        }
        return names.suffix(32).reversed().joined(separator: "/")
    }

    /// A slash in a name would make two folders of it; U+2215 looks the same.
    private static func folderName(_ title: String) -> String {
        FormatText.trimmed(String(title.map { $0 == "/" ? "\u{2215}" : $0 }))
    }
}

/// One item: a title, a text, and lines of properties at the end.
struct JexItem {
    let title: String
    let body: String
    private let properties: [String: String]

    /// A title, which is one line.
    static func title(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }

    var id: String { self["id"] }
    var type: Int { Int(self["type_"]) ?? 0 }

    subscript(_ name: String) -> String { properties[name] ?? "" }

    /// Nil where the properties are missing.
    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while lines.last?.isEmpty == true { lines.removeLast() }
        var found: [String: String] = [:]
        while let line = lines.last, !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            found[String(line[..<colon])] = Self.unescaped(FormatText.trimmed(line[line.index(after: colon)...]))
            lines.removeLast()
        }
        guard let id = found["id"], id.utf8.count == 32, id.allSatisfy(\.isHexDigit), found["type_"] != nil else {
            return nil
        }
        properties = found
        if lines.last?.isEmpty == true { lines.removeLast() }
        title = lines.first.map { FormatText.trimmed($0) } ?? ""
        let rest = lines.dropFirst()
        body = (rest.first?.isEmpty == true ? rest.dropFirst() : rest).joined(separator: "\n")
    }

    /// Joplin writes line breaks in values so.
    private static func unescaped(_ text: String) -> String {
        guard text.contains("\\") else { return text }
        var result = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                result +=
                    character == "n" ? "\n" : character == "r" ? "\r" : character == "\\" ? "\\" : "\\\(character)"
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return isEscaped ? result + "\\" : result
    }

    /// `2022-05-11T01:43:42.226Z`.
    func time(_ name: String) -> Int64? { ISODate.parse(self[name]) }
}

/// The files that a note of Joplin's names as `:/ID`.
final class JexAttachments {
    private(set) var all: [FormatAttachment] = []
    private(set) var problems: [String] = []
    private var numbers: [String: Int] = [:]
    private var failed: Set<String> = []
    private let limit: Int
    private let load: (String) -> Result<FormatAttachment, NoteFormatError>

    init(limit: Int, load: @escaping (String) -> Result<FormatAttachment, NoteFormatError>) {
        self.limit = limit
        self.load = load
    }

    func add(_ id: String) -> (number: Int, name: String)? {
        if let number = numbers[id] { return (number: number, name: all[number].name) }
        guard !failed.contains(id), id.utf8.count == 32 else { return nil }
        guard all.count < limit else {
            problems.append(localized("Of its files, only the first \(limit) were attached."))
            return nil
        }
        switch load(id) {
        case .success(let attachment):
            numbers[id] = all.count
            all.append(attachment)
            return (number: all.count - 1, name: attachment.name)
        case .failure(let error):
            failed.insert(id)
            // A link to another note looks the same.
            if error.code != .notFound { problems.append(error.message) }
            return nil
        }
    }

    /// The text with files that are a line of their own in the form that an import takes: a paragraph of its own.
    ///
    /// Others stand at the end, those that code names too.
    func place(in text: String) -> String {
        var code = CodeBlocks()
        var placed: Set<Int> = []
        var lines: [String] = []
        var isBehindPlace = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let isCode = code.isCode(Array(line.utf8))
            let isBlank = line.allSatisfy(\.isWhitespace)
            if isBehindPlace, !isBlank { lines.append("") }
            isBehindPlace = false
            let own = line.contains(":/") ? file(in: line) : nil
            guard let own, !isCode, placed.insert(own.number).inserted else {
                lines.append(String(line))
                continue
            }
            if let last = lines.last, !last.allSatisfy(\.isWhitespace) { lines.append("") }
            lines.append("![\(own.label)](attachment:\(own.number))")
            isBehindPlace = true
        }
        return lines.joined(separator: "\n")
    }

    /// Takes in the files that a line names.
    ///
    /// - Returns: the one that is all of it.
    private func file(in line: Substring) -> (number: Int, label: String)? {
        var own: (number: Int, label: String)?
        for id in Self.identifiers(in: line) {
            guard let file = add(id) else { continue }
            own = Self.label(of: line, naming: id).map { (number: file.number, label: $0.isEmpty ? file.name : $0) }
        }
        return own
    }

    private static func identifiers(in line: Substring) -> [String] {
        var found: [String] = []
        var rest = line[...]
        while let colon = rest.firstIndex(of: ":"), found.count < 1000 {
            rest = rest[rest.index(after: colon)...]
            guard rest.first == "/" else { continue }
            let id = rest.dropFirst().prefix(32)
            if id.utf8.count == 32, id.allSatisfy(\.isHexDigit) { found.append(id.lowercased()) }
        }
        return found
    }

    /// The label of a line that is nothing but a link to a file, or a picture.
    private static func label(of line: Substring, naming id: String) -> String? {
        let text = line.hasPrefix("!") ? line.dropFirst() : line
        guard text.hasPrefix("["), let close = text.lastIndex(of: "]"), text[close...].hasPrefix("](:/\(id)") else {
            return nil
        }
        let rest = text[close...].dropFirst("](:/\(id)".count)
        let isTitled = rest.hasPrefix(" \"") && rest.hasSuffix("\")")
        let label = text[..<close].dropFirst()
        return (rest == ")" || isTitled) && !label.contains("](") ? String(label) : nil
    }
}
