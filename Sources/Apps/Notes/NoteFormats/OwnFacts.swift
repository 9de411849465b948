import Codecs
import Envelopes
import FoundationEssentials
import MarkdownFolder
import NotesClient

/// What our own exports say of a note that the other program's format has no place for.
///
/// It stands where that program keeps things of others: so it comes back when the note does.
struct OwnFacts: Codable, Equatable {
    var id: String
    var folder: String
    var isPinned: Bool
    var isLocked: Bool
    var created: Int64
    var modified: Int64
    /// The text as it was typed, in UTF-8; nil in an export of a time before it was written along.
    var typed: Data?
    /// What the other program was given to show, by its digest: only where that is still there is ``typed`` the text.
    var shown: Data?
    /// The attachments that ``typed`` names, in the order in which the other program's text has them.
    var files: [File]?
    /// How many attachments did not come along, because the format has no place for them.
    var leftFiles: Int?

    struct File: Codable, Equatable {
        var id: String
        var name: String
    }

    private static let largest = 128 << 20

    /// - Parameters:
    ///   - typed: the note's text.
    ///   - title: as the other program gets it.
    ///   - content: what the other program shows below it, trimmed or not.
    ///   - files: the attachments that come along, in the order in which a reader meets them.
    init(_ note: NoteSummary, typed: String, title: String, content: String, files: [AttachmentSummary]) {
        id = note.id
        folder = note.folder
        isPinned = note.isPinned
        isLocked = note.isLocked
        created = note.created
        modified = note.modified
        self.typed = Data(typed.utf8)
        shown = Self.digest(title, content)
        self.files = files.map { File(id: $0.id, name: $0.name) }
    }

    private static func digest(_ title: String, _ content: String) -> Data {
        Data(Digest.sha256(Array((FormatText.trimmed(title) + "\n" + FormatText.trimmed(content)).utf8)))
    }

    /// Nil for anything else than what ``text`` writes.
    init?(_ text: String) {
        guard text.utf8.count <= Self.largest, let facts = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)),
            facts.isWhole
        else { return nil }
        self = facts
    }

    var isWhole: Bool {
        id.utf8.count == 32 && id.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    /// One line of JSON.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// Gives a note what the other program could not keep: its text too, where nobody has changed it there.
    ///
    /// A folder, a pin or a date that the format has a place for, and that is not what we wrote there, was changed
    /// there, and stays.
    ///
    /// - Parameters:
    ///   - title: as the other program has it.
    ///   - content: what the other program shows below it.
    ///   - format: what the format has a place for.
    func apply(to note: inout FormatNote, title: String, content: String, _ format: FormatPlaces) {
        restoreText(of: &note, title, content)
        note.id = id
        note.isLocked = isLocked
        if format.folder.map({ $0(folder) == note.folder }) ?? true { note.folder = folder }
        if !format.hasPin { note.isPinned = isPinned }
        note.created = format.isUnchanged(created, note.created) ? created : note.created
        note.modified = format.isUnchanged(modified, note.modified) ? modified : note.modified
    }

    private func restoreText(of note: inout FormatNote, _ title: String, _ content: String) {
        guard let typed, let files, files.count == note.attachments.count, shown == Self.digest(title, content),
            let text = String(validating: typed, as: UTF8.self)
        else { return }
        for (number, file) in files.enumerated() {
            let name = FormatText.fileName(file.name, fallback: note.attachments[number].name)
            note.attachments[number].name = name
        }
        note.markdown = AttachmentPlaces.numbered(text, files.map(\.id))
    }
}

/// What a format has a place for, and how it comes back from there when nobody changes it.
struct FormatPlaces: Sendable {
    /// The path that a reader finds for a note's folder; nil where the format has no folders.
    var folder: (@Sendable (String) -> String)?
    var hasPin = false
    /// How exactly the format says a date, in microseconds; nil where it has no dates.
    var precision: Int64?

    /// Whether a date that was found is the one that the export wrote, as far as the format can say it.
    ///
    /// - Parameters: both in microseconds since 1970.
    fileprivate func isUnchanged(_ written: Int64, _ found: Int64?) -> Bool {
        guard let precision, let found else { return true }
        return abs((ISODate.isWritable(written) ? written : 0) - found) < precision
    }
}

/// The places of attachments in a text, `![name](attachment:ID)` at the end of a line.
enum AttachmentPlaces {
    private static let scheme = "](attachment:"

    /// The text with something else in their place, which gets the attachment and its label.
    ///
    /// - Returns: it, and the attachments that have no place.
    static func replace(
        _ markdown: String, _ attachments: [AttachmentSummary], _ link: (AttachmentSummary, String) -> String
    ) -> (text: String, rest: [AttachmentSummary]) {
        guard !attachments.isEmpty else { return (text: markdown, rest: []) }
        var rest = attachments
        let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            guard line.hasSuffix(")") else { return String(line) }
            let id = line.dropLast().suffix(32)
            let before = line.dropLast(1 + id.count)
            guard before.hasSuffix(scheme), let open = before.range(of: "!["),
                let place = rest.firstIndex(where: { $0.id == id })
            else { return String(line) }
            let label = before[open.upperBound...].dropLast(scheme.count)
            return before[..<open.lowerBound] + link(rest.remove(at: place), String(label))
        }
        return (text: lines.joined(separator: "\n"), rest: rest)
    }

    /// White space, and marks of quotes and lists.
    private static func isContainer(_ byte: UInt8) -> Bool { " \t>-*+.)0123456789".utf8.contains(byte) }

    /// The text with the first place of each attachment as an import takes it, `![name](attachment:i)`.
    static func numbered(_ markdown: String, _ ids: [String]) -> String {
        var waiting = Dictionary(ids.enumerated().map { ($1, $0) }) { first, _ in first }
        let newline = UInt8(ascii: "\n")
        let lines = markdown.utf8.split(separator: newline, omittingEmptySubsequences: false).map { bytes -> [UInt8] in
            let line = Array(bytes)
            let end = line.last == UInt8(ascii: "\r") ? line.count - 1 : line.count
            guard !waiting.isEmpty, end > scheme.utf8.count + 33, line[end - 1] == UInt8(ascii: ")") else {
                return line
            }
            let place = end - 33
            let id = String(decoding: line[place..<(end - 1)], as: UTF8.self)
            guard line.first(where: { !isContainer($0) }) == UInt8(ascii: "!"),
                line[..<place].suffix(scheme.utf8.count).elementsEqual(scheme.utf8),
                let number = waiting.removeValue(forKey: id)
            else { return line }
            return line[..<place] + Array("\(number)".utf8) + line[(end - 1)...]
        }
        return String(decoding: Array(lines.joined(separator: [newline])), as: UTF8.self)
    }
}

extension Substring {
    /// Where a text stands in it.
    fileprivate func range(of wanted: String) -> Range<Index>? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(wanted) { return index..<self.index(index, offsetBy: wanted.count) }
            index = self.index(after: index)
        }
        return nil
    }
}

/// Text in XML and HTML.
enum MarkupText {
    /// Escaped, without the characters that XML 1.0 does not allow.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case _ where isAllowed(scalar): result.append(scalar)
            default: result.append("\u{FFFD}")
            }
        }
        return String(result)
    }

    /// Without the characters that XML 1.0 does not allow.
    static func allowed(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isAllowed($0) ? $0 : "\u{FFFD}" }))
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 9, 10, 13: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}
