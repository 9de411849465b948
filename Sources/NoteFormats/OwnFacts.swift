import FoundationEssentials
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

    init(_ note: NoteSummary) {
        id = note.id
        folder = note.folder
        isPinned = note.isPinned
        isLocked = note.isLocked
        created = note.created
        modified = note.modified
    }

    /// Nil for anything else than what ``text`` writes.
    init?(_ text: String) {
        guard text.utf8.count < 8192, let facts = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)),
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

    func apply(to note: inout FormatNote) {
        note.id = id
        note.folder = folder
        note.isPinned = isPinned
        note.isLocked = isLocked
        note.created = created
        note.modified = modified
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
