import Codecs
import FoundationEssentials
import Localization
import MarkdownFolder

/// Backups of Standard Notes, of the decrypted kind.
struct StandardNotesReader {
    private let notes: [StandardNotesFile.Item]
    private var tags: [String: [String]] = [:]
    private var problems: [MarkdownProblem] = []

    private static let largest = 512 << 20
    private static let deepestTag = 32

    static func open(_ path: String) throws(NoteFormatError) -> NoteArchive {
        let reader = try StandardNotesReader(try NoteArchive.bytes(of: path, limit: largest))
        return NoteArchive(count: reader.notes.count, problems: reader.problems) { index in
            reader.note(reader.notes[index])
        }
    }

    init(_ bytes: [UInt8]) throws(NoteFormatError) {
        try JSONDepth.check(bytes)
        let file: StandardNotesFile
        do { file = try JSONDecoder().decode(StandardNotesFile.self, from: Data(bytes)) } catch {
            throw NoteFormatError(
                .malformed, localized("This is no backup of Standard Notes, or is cut short or damaged."))
        }
        guard !file.isSealed, file.items.allSatisfy({ !$0.isSealed }) else {
            throw NoteFormatError(
                .encrypted,
                localized("This backup is encrypted: in Standard Notes choose the decrypted kind, and export again."))
        }
        let kept = file.items.filter { $0.deleted != true }
        notes = kept.filter { $0.content_type == "Note" && $0.content != nil }
        readTags(kept.filter { $0.content_type == "Tag" })
        let files = kept.count { $0.content_type == "File" }
        guard files > 0 else { return }
        let text = localized(
            files, one: "1 file is not in a backup of this kind.",
            many: "\(files) files are not in a backup of this kind.")
        problems.append(MarkdownProblem(path: "files", text: text, isLoss: false))
    }

    private mutating func readTags(_ items: [StandardNotesFile.Item]) {
        var titles: [String: (title: String, parent: String?)] = [:]
        for item in items {
            let parent = item.content?.references?.first { $0.content_type == "Tag" }?.uuid
            titles[item.uuid] = (title: item.content?.title ?? "", parent: parent)
        }
        for item in items {
            var names: [String] = []
            var next: String? = item.uuid
            var seen: Set<String> = []
            while let key = next, let tag = titles[key], seen.insert(key).inserted, seen.count <= Self.deepestTag {
                names.append(tag.title)
                next = tag.parent
            }
            let path = names.reversed().joined(separator: "/")
            for note in item.content?.references ?? [] where note.content_type == "Note" {
                tags[note.uuid, default: []].append(path)
            }
        }
    }

    private func note(_ item: StandardNotesFile.Item) -> FormatNote {
        let content = item.content
        var note = FormatNote(source: "standardnotes:" + item.uuid.prefix(200), title: content?.title ?? "")
        for tag in tags[item.uuid] ?? [] { note.add(tag: tag) }
        note.created = item.created_at.flatMap(ISODate.parse)
        let client = content?.appData?.standardNotes?.client_updated_at.flatMap(ISODate.parse)
        note.modified = client.flatMap { $0 > 0 ? $0 : nil } ?? item.updated_at.flatMap(ISODate.parse) ?? note.created
        note.isPinned = content?.appData?.standardNotes?.pinned == true
        note.isDeleted = content?.trashed == true
        if content?.appData?.standardNotes?.archived == true {
            note.report(localized("It was archived there; here it stands among the others."))
        }
        note.markdown = TitledText.whole(note.title, body(content, &note))
        let facts = content?.appData?.tresor
        if let files = facts?.leftFiles, files > 0 {
            note.report(
                localized(
                    files, one: "Its file is not in a backup of this kind.",
                    many: "Its \(files) files are not in a backup of this kind."))
        }
        facts?.apply(to: &note, title: note.title, content: content?.text ?? "", Self.places)
        return note
    }

    private static let places = FormatPlaces(hasPin: true, precision: 1000)

    private func body(_ content: StandardNotesFile.Content?, _ note: inout FormatNote) -> String {
        let text = content?.text ?? ""
        do {
            // Where a note says of which kind it is, nothing is guessed: code may look like a page.
            let isUntold = content?.noteType == nil
            if content?.noteType == "super" || isUntold && text.hasPrefix("{\"root\":") {
                guard let (root, left) = LexicalText.read(text) else {
                    note.report(localized("Its text is of an unknown form, and came in as it is."))
                    return text
                }
                for kind in left { note.report(localized("A part of it that has no text (\(kind)) was left out.")) }
                return compose(root, &note)
            }
            guard content?.noteType == "rich-text" || isUntold && Self.isPage(text) else { return text }
            return compose(try MarkupTree.read(Array(text.utf8)), &note)
        } catch {
            note.report(localized("Its text could not be read: \(error)"))
            return ""
        }
    }

    private func compose(_ root: MarkupElement, _ note: inout FormatNote) -> String {
        var composer = MarkdownComposer { _ in nil }
        let text = composer.markdown(of: root)
        for problem in composer.problems { note.report(problem) }
        return text
    }

    /// What the editors of rich text left, before notes said of which kind they are.
    private static func isPage(_ text: String) -> Bool {
        let start = FormatText.trimmed(text.prefix(200)).lowercased()
        let isTagged = ["<p>", "<p ", "<div", "<h1", "<h2", "<h3", "<ul", "<ol", "<blockquote"].contains {
            start.hasPrefix($0)
        }
        return isTagged && FormatText.trimmed(text.suffix(200)).hasSuffix(">")
    }
}

/// JSON that is nested deeper than anybody writes would fill the stack.
enum JSONDepth {
    private static let deepest = 256

    static func check(_ bytes: [UInt8]) throws(NoteFormatError) {
        var depth = 0
        var isString = false
        var isEscaped = false
        for byte in bytes {
            if isString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= deepest else {
                    throw NoteFormatError(.tooLarge, localized("It is nested deeper than \(deepest) levels."))
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
    }
}
